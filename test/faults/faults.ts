import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { z } from "zod";

import { Random } from "../../src/testing/random.ts";
import { vaultProblems } from "../../src/testing/vault-problems.ts";
import { TEMPORARY_PREFIX } from "../../src/vault/write/open-folder.ts";
import { CALLS } from "../mcp/calls.ts";
import { anyDeed, anyText, doDeed } from "../model/deeds.ts";
import { ServiceClient, type Answer } from "../model/service-client.ts";
import { textsOnDisk } from "../model/texts-on-disk.ts";
import { after, differences, type Texts } from "../model/vault-model.ts";
import { OtherDoors } from "./other-doors.ts";
import { isOfScene, Scenes, wrongAfter } from "./scenes.ts";
import { FAULTS, FaultyDisk, type FaultPlan } from "./faulty-disk.ts";

/** Calls to the disk that most tools make; the background job's follow. */
const MOST_CALLS = 250;
/** Steps after which the service is closed, and everything compared with fresh ones. */
const ROUND = 60;

export interface FaultsOptions {
  readonly seed: number;
  /** Also disks that go on failing, of which a change that was refused may still be there: nothing can be taken back on them. */
  readonly isLasting: boolean;
  /** How many faults hit, unless something is wrong before: a disk that stays full counts as one. */
  readonly faults: number;
}

export interface FaultsResult {
  readonly faults: number;
  /** How many calls to the disk failed. */
  readonly failedCalls: number;
  readonly steps: number;
  readonly refused: number;
  readonly problems: readonly string[];
  /** Kept when something is wrong. */
  readonly folder: string;
}

const Refusal = z.object({ error: z.object({ code: z.string() }) });
const Reply = z.object({ history: z.string().nullable() });

/**
 * Calls tools on a vault whose disk fails at any call, and looks after each whether it was done, or refused with nothing changed. The seed
 * decides what is called and which fault comes; how the background job meets it is up to the machine.
 */
export async function runFaults(options: FaultsOptions): Promise<FaultsResult> {
  const scratch = mkdtempSync(path.join(tmpdir(), "coffre-faults-"));
  const folder = path.join(scratch, "disk");
  mkdirSync(path.join(folder, "notes"), { recursive: true });
  const disk = new FaultyDisk(folder, scratch);
  const run = new Run(folder, disk, options);
  try {
    const problems = await run.run().catch((error: unknown) => [`${run.doing}: ${String(error)}`]);
    const { faults, steps, refused } = run;
    if (problems.length === 0) rmSync(scratch, { recursive: true, force: true });
    return { faults, failedCalls: disk.injected, steps, refused, problems, folder };
  } finally {
    disk.close();
  }
}

class Run {
  readonly #place: { readonly root: string; readonly state: string };
  readonly #disk: FaultyDisk;
  readonly #random: Random;
  readonly #options: FaultsOptions;
  readonly #scenes: Scenes;
  readonly #doors: OtherDoors;
  #texts: Texts = new Map();
  #undoable: { readonly id: string; readonly before: Texts } | null = null;
  #service: ServiceClient | null = null;
  faults = 0;
  steps = 0;
  refused = 0;
  doing = "start";

  constructor(folder: string, disk: FaultyDisk, options: FaultsOptions) {
    this.#place = { root: path.join(folder, "notes"), state: path.join(folder, "state") };
    this.#disk = disk;
    this.#random = new Random(options.seed);
    this.#options = options;
    this.#scenes = new Scenes(this.#place.root);
    this.#doors = new OtherDoors(this.#place.root);
    for (const name of ["overview.md", "garde/un.md", "garde/deux.md"])
      this.#write(name, `Garde ${name}.\n`);
    this.#scenes.put();
  }

  #write(name: string, text: string): void {
    const file = path.join(this.#place.root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    this.#texts = new Map([...this.#texts, [name, text]]);
  }

  async run(): Promise<string[]> {
    try {
      while (this.faults < this.#options.faults) {
        const problems = await this.#step();
        if (problems.length > 0) return problems;
        if (this.steps % ROUND !== 0) continue;
        const wrong = await this.#compare();
        if (wrong.length > 0) return wrong;
      }
      return await this.#compare();
    } finally {
      this.#disk.disarm();
      await this.#service?.kill();
    }
  }

  async #step(): Promise<string[]> {
    this.steps += 1;
    const plan = this.#plan();
    this.doing = `step ${this.steps}, ${JSON.stringify(plan)}`;
    const work = this.#random.weighed<(plan: FaultPlan) => Promise<string[]>>([
      [6, (each) => this.#change(each)],
      [3, (each) => this.#look(each)],
      [1, (each) => this.#undo(each)],
      [1.5, (each) => this.#otherProgram(each)],
      [3, (each) => this.#scene(each)],
      [2, (each) => this.#handOver(each)],
      [0.3, (each) => this.#open(each)],
    ]);
    return ((await work?.(plan)) ?? []).map((problem) => `${this.doing}: ${problem}`);
  }

  #plan(): FaultPlan {
    // The first calls of a tool as often as all others: its refusals differ most there.
    const most = this.#random.isChance(0.5) ? 30 : MOST_CALLS;
    return {
      fault:
        this.#random.weighed(FAULTS.map((fault) => [fault === "slow fsync" ? 0.3 : 1, fault])) ??
        "EIO",
      after: this.#random.below(most),
      isLasting: this.#random.isChance(0.3) && this.#options.isLasting,
    };
  }

  async #running(): Promise<ServiceClient> {
    const { environment } = this.#disk;
    this.#service ??= await ServiceClient.start(
      this.#place,
      { ...process.env, ...environment },
      true,
    );
    return this.#service;
  }

  /** The disk fails during `work`, and some milliseconds longer, for the background job; then everything must settle. */
  async #withFaults<T>(plan: FaultPlan, work: (service: ServiceClient) => Promise<T>): Promise<T> {
    const service = await this.#running();
    return this.#armed(plan, async () => {
      const done = await work(service);
      await wait(this.#random.below(30));
      return done;
    });
  }

  async #armed<T>(plan: FaultPlan, work: () => Promise<T>): Promise<T> {
    const before = this.#disk.injected;
    this.#disk.arm(plan);
    try {
      return await work();
    } finally {
      this.#disk.disarm();
      if (this.#disk.injected > before) this.faults += 1;
    }
  }

  async #change(plan: FaultPlan): Promise<string[]> {
    const before = this.#texts;
    const deed = anyDeed(this.#random, before);
    this.doing += ` ${JSON.stringify(deed).slice(0, 200)}`;
    const answer = await this.#withFaults(plan, (service) => doDeed(service, deed, before));
    const expected = after(before, deed);
    const problems = bugsOf(answer);
    if (!answer.isError && expected === null)
      problems.push(`was done, and cannot be: ${answer.text}`);
    if (answer.isError) this.refused += 1;
    if (answer.isError && plan.isLasting) this.#adopt(expected);
    else if (!answer.isError && expected !== null) {
      this.#texts = expected;
      const id = Reply.safeParse(answer.structured).data?.history ?? null;
      this.#undoable = id === null ? null : { id, before };
    }
    const wrong = differences(this.#onDisk(), this.#texts);
    return [
      ...problems,
      ...wrong.map(
        (each) =>
          `${answer.isError ? "refused" : "done"}, but ${each} (${answer.text.slice(0, 300)})`,
      ),
    ];
  }

  /** A file that is taken in, or something that is handed over to be filed, now or after a yes. */
  async #handOver(plan: FaultPlan): Promise<string[]> {
    this.doing += " hand over";
    const service = await this.#running();
    const { answers, problems } = await this.#doors.handOver(
      this.#random,
      service,
      async (question) => this.#withFaults(plan, (each) => each.ask(question)),
    );
    this.refused += answers.filter(({ isError }) => isError).length;
    this.#undoable = null;
    const beside = differences(this.#onDisk(), this.#texts);
    return [
      ...answers.flatMap(bugsOf),
      // On a disk that goes on failing, what was refused may be there, whole.
      ...(plan.isLasting ? [] : problems),
      ...beside.map((each) => `beside it, ${each}`),
    ];
  }

  /** What could not be tidied away on a disk that goes on failing is swept at the next comparison. The files of scenarios are compared with them. */
  #onDisk(): Texts {
    const isOurs = (name: string): boolean =>
      this.#options.isLasting && name.includes(TEMPORARY_PREFIX);
    const texts = [...textsOnDisk(this.#place.root)];
    return new Map(texts.filter(([name]) => !isOurs(name) && !isOfScene(name)));
  }

  /** One of the tools' own scenarios that change something. */
  async #scene(plan: FaultPlan): Promise<string[]> {
    const call = this.#scenes.pick(this.#random);
    if (call === undefined) return [];
    this.doing += ` ${call.what}`;
    const service = await this.#running();
    await this.#scenes.set(service);
    const outcome = await this.#scenes.outcome(call, service);
    const before = this.#scenes.texts();
    const answer = await this.#withFaults(plan, (each) => each.call(call.tool, call.args));
    if (answer.isError) this.refused += 1;
    // Undoing what was done before may undo this, or be refused because of it.
    this.#undoable = null;
    const expected = { before, outcome, isLasting: plan.isLasting };
    const beside = differences(this.#onDisk(), this.#texts);
    return [
      ...bugsOf(answer),
      ...wrongAfter(answer, this.#scenes.texts(), expected),
      ...beside.map((each) => `beside it, ${each}`),
    ];
  }

  /** On a disk that goes on failing, what was refused may be there, whole. */
  #adopt(expected: Texts | null): void {
    if (expected === null || differences(this.#onDisk(), expected).length > 0) return;
    this.#texts = expected;
    this.#undoable = null;
  }

  /** A call of the tools' own scenarios, or of a text that is known: what is read is right, or refused. */
  async #look(plan: FaultPlan): Promise<string[]> {
    const name = this.#random.pick([...this.#texts.keys()]) ?? "";
    const scenario = this.#random.pick(CALLS.filter(({ tool }) => isLooking(tool)));
    const isRead = scenario === undefined || this.#random.isChance(0.5);
    const { tool, args } = isRead ? { tool: "read", args: { paths: [`vault/${name}`] } } : scenario;
    this.doing += ` ${tool} ${JSON.stringify(args).slice(0, 200)}`;
    const answer = await this.#withFaults(plan, (service) => service.call(tool, args, "search"));
    if (answer.isError) this.refused += 1;
    const problems = bugsOf(answer);
    if (!isRead || answer.isError) return problems;
    const lines = (this.#texts.get(name) ?? "").split("\n").filter((line) => line !== "");
    const missing = lines.slice(0, 50).find((line) => !answer.text.includes(`| ${line}`));
    return missing === undefined ? problems : [...problems, `what was read lacks ${missing}`];
  }

  async #undo(plan: FaultPlan): Promise<string[]> {
    const undoable = this.#undoable;
    if (undoable === null) return [];
    this.#undoable = null;
    const { id, before } = undoable;
    this.doing += ` undo ${id}`;
    const answer = await this.#withFaults(plan, (service) => service.ask({ kind: "undo", id }));
    if (!answer.isError) this.#texts = before;
    else if (plan.isLasting) this.#adopt(before);
    const wrong = differences(this.#onDisk(), this.#texts);
    return [
      ...bugsOf(answer),
      ...wrong.map(
        (each) =>
          `undo ${answer.isError ? `refused (${answer.text.slice(0, 200)})` : "done"}, but ${each}`,
      ),
    ];
  }

  /** The background job meets the fault alone. */
  async #otherProgram(plan: FaultPlan): Promise<string[]> {
    this.#write(`autre/${this.#random.below(5)}.md`, anyText(this.#random));
    this.#undoable = null;
    await this.#withFaults(plan, async () => wait(this.#random.below(60)));
    const wrong = differences(this.#onDisk(), this.#texts);
    return wrong.map((each) => `another program's text: ${each}`);
  }

  /** The start itself meets the fault: it works, or says why it does not. */
  async #open(plan: FaultPlan): Promise<string[]> {
    const problems = await this.#close();
    try {
      await this.#armed(plan, async () => this.#running());
    } catch (error) {
      const message = String(error);
      this.refused += 1;
      if (!/ExpectedError|code: '(?:disk_full|unavailable|no_permission|busy)'/u.test(message))
        problems.push(`start: ${message}`);
    }
    const wrong = differences(this.#onDisk(), this.#texts);
    return [...problems, ...wrong];
  }

  async #close(): Promise<string[]> {
    const service = await this.#running();
    const settled = await service.ask({ kind: "settle", isThorough: true });
    const closed = await service.close();
    this.#service = null;
    return [...bugsOf(settled), ...bugsOf(closed)];
  }

  /** With the disk whole again, nothing is lost, and what is kept of the vault is what would be made of it afresh. */
  async #compare(): Promise<string[]> {
    this.doing = `after step ${this.steps}`;
    const problems = await this.#close();
    problems.push(...differences(this.#onDisk(), this.#texts));
    problems.push(...(await vaultProblems(this.#place.root, this.#place.state)));
    return problems.map((problem) => `${this.doing}: ${problem}`);
  }
}

function isLooking(tool: string): boolean {
  return ["tree", "read", "search", "concat"].includes(tool);
}

/** What nobody expected; a refusal must have a code of ours. */
function bugsOf({ isError, structured, text, bugs = [] }: Answer): string[] {
  const isCoded = !isError || Refusal.safeParse(structured).success || text.includes("Errors:");
  return isCoded ? [...bugs] : [...bugs, `a refusal without a code: ${text}`];
}
