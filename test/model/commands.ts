import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import fc from "fast-check";
import { z } from "zod";

import { Random } from "../../src/testing/random.ts";
import { vaultProblems } from "../../src/testing/vault-problems.ts";
import { anyDeed, anyText, doDeed } from "./deeds.ts";
import { ServiceClient, type Answer } from "./service-client.ts";
import { textsOnDisk } from "./texts-on-disk.ts";
import { after, differences, type Deed, type Texts } from "./vault-model.ts";

/** A change that a tool or an undo made. */
interface Done {
  readonly id: string;
  readonly before: Texts;
  readonly after: Texts;
  /** Null for an undo of anything but a move. */
  readonly deed: Deed | null;
}

/** What the vault must hold, and what can be taken back. */
export interface Model {
  texts: Texts;
  readonly done: Done[];
}

/** The real vault, and the service on it. */
export class Real {
  readonly root: string;
  readonly state: string;
  #service: ServiceClient | null = null;

  constructor(folder: string) {
    this.root = path.join(folder, "notes");
    this.state = path.join(folder, "state");
    mkdirSync(this.root);
    // A vault that is emptied takes no writes.
    writeFileSync(path.join(this.root, "overview.md"), "La situation.\n");
  }

  async service(): Promise<ServiceClient> {
    this.#service ??= await ServiceClient.start(this);
    return this.#service;
  }

  async kill(): Promise<void> {
    await this.#service?.kill();
    this.#service = null;
  }

  async close(): Promise<void> {
    await this.#service?.close();
    this.#service = null;
  }
}

type Step = fc.AsyncCommand<Model, Real>;

const Reply = z.object({ history: z.string().nullable() });

function historyOf({ structured }: Answer): string | null {
  return Reply.safeParse(structured).data?.history ?? null;
}

function expectSame(real: Real, texts: Texts, what: string): void {
  const wrong = differences(textsOnDisk(real.root), texts);
  if (wrong.length > 0) throw new Error(`after ${what}: ${wrong.slice(0, 5).join("; ")}`);
}

function expectNoBugs({ bugs = [] }: Answer, what: string): void {
  if (bugs.length > 0) throw new Error(`${what}: ${bugs.join("\n")}`);
}

function step(name: string, run: (model: Model, real: Real) => Promise<void>): Step {
  return { check: () => true, run, toString: () => name };
}

/** Something a tool does: as the model says, or refused where the model refuses. */
function toolStep(seed: number): Step {
  return step(`tool(${seed})`, async (model, real) => {
    const deed = anyDeed(new Random(seed), model.texts);
    const what = JSON.stringify(deed).slice(0, 300);
    const service = await real.service();
    const before = model.texts;
    const answer = await doDeed(service, deed, before);
    expectNoBugs(answer, what);
    const expected = after(before, deed);
    if (answer.isError !== (expected === null))
      throw new Error(`${what} was ${answer.isError ? "refused" : "done"}: ${answer.text}`);
    model.texts = expected ?? before;
    expectSame(real, model.texts, what);
    const id = historyOf(answer);
    if (id !== null) model.done.push({ id, before, after: model.texts, deed });
  });
}

/** Another program writes, adds to, renames or removes a file, and does not ask. */
function otherStep(seed: number): Step {
  return step(`other program(${seed})`, async (model, real) => {
    const random = new Random(seed);
    const known = [...model.texts.keys()].filter((name) => name !== "overview.md");
    const name = random.pick(known);
    const next = new Map(model.texts);
    const at = (file: string): string => path.join(real.root, file);
    const act = name === undefined ? 0 : random.below(4);
    const target = name ?? `autre-${random.below(5)}.md`;
    const text = anyText(random);
    if (act === 0) {
      writeFileSync(at(target), text);
      next.set(target, text);
    } else if (act === 1) {
      // To the file as it is by now, which the background job may have stamped.
      appendFileSync(at(target), text);
      next.set(target, (model.texts.get(target) ?? "") + text);
    } else if (act === 2) {
      const to = `renommé-${random.below(1_000_000)}.md`;
      renameSync(at(target), at(to));
      next.delete(target);
      next.set(to, model.texts.get(target) ?? "");
    } else {
      rmSync(at(target));
      next.delete(target);
    }
    model.texts = next;
    if (random.isChance(0.5))
      await (await real.service()).ask({ kind: "settle", isThorough: true });
    expectSame(real, next, `another program's change to ${target}`);
  });
}

/** Takes back the last change that a tool made, or an earlier one. */
function undoStep(older: number): Step {
  return step(`undo(${older})`, async (model, real) => {
    const at = Math.max(0, model.done.length - 1 - older);
    const entry = model.done[at];
    if (entry === undefined) return;
    const service = await real.service();
    const answer = await service.ask({ kind: "undo", id: entry.id });
    expectNoBugs(answer, `undo ${entry.id}`);
    const before = model.texts;
    const reversed = undone(before, entry);
    const isUntouched = reversed !== null;
    if (answer.isError) {
      if (isUntouched && at === model.done.length - 1)
        throw new Error(`undo of the last change was refused: ${answer.text}`);
      expectSame(real, before, "an undo that was refused");
      return;
    }
    if (reversed === null) throw new Error("an undo was done over a later change");
    model.texts = reversed;
    model.done.splice(at, 1);
    expectSame(real, reversed, `undo of ${entry.id}`);
    const id = historyOf(answer);
    const { deed } = entry;
    const back = deed?.kind === "move" ? { ...deed, path: deed.to, to: deed.path } : null;
    if (id !== null) model.done.push({ id, before, after: reversed, deed: back });
  });
}

/** The texts with a change taken back; null when what it left was changed since. */
function undone(texts: Texts, { before, after: left, deed }: Done): Texts | null {
  // What was moved goes back with what was written to it since.
  if (deed?.kind === "move") return after(texts, { ...deed, path: deed.to, to: deed.path });
  const next = new Map(texts);
  for (const name of new Set([...before.keys(), ...left.keys()])) {
    if (before.get(name) === left.get(name)) continue;
    if (texts.get(name) !== left.get(name)) return null;
    const old = before.get(name);
    if (old === undefined) next.delete(name);
    else next.set(name, old);
  }
  return next;
}

/** Kills the service, at rest or in the middle of a call, which is then done or not, and never half. */
function killStep(seed: number): Step {
  return step(`kill(${seed})`, async (model, real) => {
    const random = new Random(seed);
    const deed: Deed = anyDeed(random, model.texts);
    const service = await real.service();
    if (random.isChance(0.3)) {
      await real.kill();
    } else {
      const asked = doDeed(service, deed, model.texts).catch(() => null);
      await new Promise((resolve) => setTimeout(resolve, random.below(15)));
      await real.kill();
      await asked;
      const expected = after(model.texts, deed);
      const found = textsOnDisk(real.root);
      if (expected !== null && differences(found, expected).length === 0) model.texts = expected;
    }
    await (await real.service()).ask({ kind: "settle", isThorough: true });
    expectSame(real, model.texts, `a kill during ${JSON.stringify(deed).slice(0, 300)}`);
  });
}

/** Ends the service as a person does, and compares index, frontmatter and tree with fresh ones. */
function restartStep(): Step {
  return step("restart", async (model, real) => {
    const service = await real.service();
    const answer = await service.ask({ kind: "settle", isThorough: true });
    expectNoBugs(answer, "settle");
    await real.close();
    expectSame(real, model.texts, "a restart");
    const problems = await vaultProblems(real.root, real.state);
    if (problems.length > 0) throw new Error(`after a restart: ${problems.slice(0, 5).join("; ")}`);
  });
}

/** Every text is read as it is, by its tool. */
function readStep(seed: number): Step {
  return step(`read(${seed})`, async (model, real) => {
    const name = new Random(seed).pick([...model.texts.keys()]);
    if (name === undefined) return;
    const service = await real.service();
    const answer = await service.call("read", { paths: [`vault/${name}`] });
    expectNoBugs(answer, "read");
    const lines = (model.texts.get(name) ?? "").split("\n").filter((line) => line !== "");
    const missing = lines.slice(0, 100).find((line) => !answer.text.includes(`| ${line}`));
    if (missing !== undefined) throw new Error(`read of ${name} lacks ${missing}`);
  });
}

const seed = fc.integer({ min: 0, max: 2 ** 31 - 1 });

/** Any sequence of what can happen to a vault. */
export function anySteps(most: number): fc.Arbitrary<Iterable<Step>> {
  const tool = seed.map(toolStep);
  const other = seed.map(otherStep);
  return fc.commands(
    [
      tool,
      tool,
      tool,
      tool,
      other,
      other,
      seed.map(readStep),
      fc.nat(4).map(undoStep),
      seed.map(killStep),
      fc.constant(null).map(restartStep),
    ],
    { maxCommands: most, size: "max" },
  );
}
