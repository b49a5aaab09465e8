import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import { inspect } from "node:util";

import { createService, type Service } from "../../src/compose.ts";
import { readSteps, reversed, type Effect, type Step } from "../../src/testing/chaos/chaos-log.ts";
import { Random } from "../../src/testing/random.ts";
import { vaultProblems } from "../../src/testing/vault-problems.ts";
import { ExpectedError } from "../../src/errors.ts";
import { Expectation } from "./expectation.ts";
import { BROKEN, JOURNALS, makeHome, type Home } from "./home.ts";
import { compare, isSavedBeside, snapshot, takeInventory, type Inventory } from "./inventory.ts";
import { Person } from "./person.ts";
import { Standbys } from "./standby.ts";

/** How long a process lives: milliseconds from its start on, or calls, and then some milliseconds of the last. */
const LONGEST_START = 120;
const MOST_CALLS = 6;
const LONGEST_CALL = 20;
/** Lines a journal may have before it is put away. */
const LONGEST_JOURNAL = 25;
/** Versions and lines that one process may make. */
const NUMBERS = 100_000;
const QUIET = 30;

export interface ChaosOptions {
  readonly seed: number;
  /** How many processes are killed, unless something is wrong before. */
  readonly kills: number;
  readonly onProgress?: (progress: ChaosProgress) => void;
  /** Accepts the one loss that is known: see `RESCUE_WINDOW` in person.ts. */
  readonly forgivesLate?: boolean;
  /** Where the vault's folder is made; the system's temporary folder by default. */
  readonly parent?: string;
}

export interface ChaosProgress {
  readonly kills: number;
  /** Calls of tools that were done, were refused, and were under way when their process was killed. */
  readonly done: number;
  readonly refused: number;
  readonly cut: number;
  /** Changes taken back and made again afterwards. */
  readonly undone: number;
}

export interface ChaosResult extends ChaosProgress {
  /** Nothing, if all is well. The first thing that is wrong ends the run. */
  readonly problems: readonly string[];
  /** Where the vault, the state and the logs are kept when something is wrong. */
  readonly folder: string;
}

/**
 * Kills services at work on a vault that somebody else changes directly on the disk, over and over, and looks after each restart
 * whether everything is right. The seed decides who does what; when it happens is up to the machine.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const home = makeHome(options.parent ?? tmpdir());
  const run = new Run(home, options);
  const problems = await run.run().catch((error: unknown) => [inspect(error)]);
  if (problems.length === 0) rmSync(home.folder, { recursive: true, force: true });
  return { ...run.progress, problems, folder: home.folder };
}

class Run {
  readonly #home: Home;
  readonly #options: ChaosOptions;
  readonly #random: Random;
  readonly #expected = new Expectation();
  readonly #person: Person;
  #still: ReadonlyMap<string, string> = new Map();
  #lastSteps: readonly Step[] = [];
  progress: ChaosProgress = { kills: 0, done: 0, refused: 0, cut: 0, undone: 0 };

  constructor(home: Home, options: ChaosOptions) {
    this.#home = home;
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#person = new Person(home, this.#random, this.#expected, options.forgivesLate === true);
  }

  async run(): Promise<string[]> {
    await this.#restart(false);
    this.#still = takeInventory(this.#home.root).kept;
    const standbys = new Standbys(path.join(this.#home.folder, "cache"));
    try {
      let problems = await this.#check();
      while (problems.length === 0 && this.progress.kills < this.#options.kills) {
        problems = await this.#killOne(standbys);
        // Sometimes the next one comes before anyone has looked.
        if (problems.length > 0 || this.#random.isChance(0.2)) continue;
        problems = await this.#restart(this.#random.isChance(0.3));
        if (problems.length === 0) problems = await this.#check();
        this.#options.onProgress?.(this.progress);
      }
      if (problems.length > 0) return problems;
      return [...(await this.#restart(false)), ...(await this.#check())];
    } finally {
      await standbys.close();
    }
  }

  /** Lets a process work while somebody else does, and kills it. */
  async #killOne(standbys: Standbys): Promise<string[]> {
    const { root, state, logs } = this.#home;
    const number = this.progress.kills + 1;
    const log = path.join(logs, `${number}.log`);
    const victim = await standbys.send({
      root,
      state,
      log,
      seed: this.#random.below(2 ** 31),
      name: `k${number}`,
      first: number * NUMBERS,
    });
    // Some die while they open the vault, most at work, in the middle of some call.
    const isAtWork = this.#random.isChance(0.7);
    const calls = isAtWork ? 1 + this.#random.below(MOST_CALLS) : 0;
    const strange = await this.#disturb(() => victim.calls() >= calls);
    const end = performance.now() + this.#random.next() * (isAtWork ? LONGEST_CALL : LONGEST_START);
    strange.push(...(await this.#disturb(() => performance.now() >= end)));
    const killed = performance.now();
    const complaint = await victim.kill();
    this.#person.afterKill(killed);
    const steps = readSteps(log);
    this.#lastSteps = steps;
    this.#count(steps);
    return [
      ...strange,
      ...(complaint === null ? [] : [`service ${number} ${complaint}`]),
      ...this.#expected.take(steps),
    ];
  }

  #count(steps: readonly Step[]): void {
    const { kills, done, refused, cut } = this.progress;
    const count = (phase: Step["phase"]): number =>
      steps.filter((step) => step.phase === phase).length;
    this.progress = {
      ...this.progress,
      kills: kills + 1,
      done: done + count("done"),
      refused: refused + count("refused"),
      cut: cut + (steps.at(-1)?.phase === "try" ? 1 : 0),
    };
  }

  /** Somebody changes files on the disk. Returns what was in the way. */
  async #disturb(isOver: () => boolean): Promise<string[]> {
    while (!isOver()) {
      try {
        this.#person.act();
      } catch (error) {
        return [`the person's own file was not as it was left: ${String(error)}`];
      }
      if (this.#random.isChance(0.5)) await nextTurn();
      else await wait(this.#random.below(8));
    }
    return [];
  }

  /** Opens the vault as the next service does, and lets it make everything right. */
  async #restart(isDisturbed: boolean): Promise<string[]> {
    const { root, state } = this.#home;
    const service = await createService({ frontmatter: "all", root, state, quiet: QUIET });
    const problems: string[] = [];
    try {
      let left = isDisturbed ? this.#random.below(20) : 0;
      problems.push(...(await this.#disturb(() => (left -= 1) < 0)));
      await service.rescan();
      await service.settled();
      problems.push(...(await this.#tryUndo(service)));
      await service.settled();
      const { lastError, alarms } = await service.status();
      problems.push(...alarms, ...(lastError === null ? [] : [`last error: ${lastError}`]));
    } finally {
      await service.close();
    }
    return problems;
  }

  /** Takes back the last change that the killed process had finished, and takes that back. */
  async #tryUndo({ vault }: Service): Promise<string[]> {
    const done = this.#lastSteps.findLast(({ phase }) => phase === "done");
    const last = this.#lastSteps.at(-1);
    this.#lastSteps = [];
    if (done === undefined || done.history === null) return [];
    // What was being tried when the process was killed may be in the way.
    if (last?.phase === "try" && isOverlap(last.effect, done.effect)) return [];
    const { root } = this.#home;
    const author = { actor: "chaos", force: false };
    try {
      const undo = await vault.undo(done.history, author);
      const problems = effectProblems(takeInventory(root), reversed(done.effect));
      if (undo.id !== null) await vault.undo(undo.id, author);
      this.progress = { ...this.progress, undone: this.progress.undone + 1 };
      return [...problems, ...effectProblems(takeInventory(root), done.effect)].map(
        (problem) => `undo of ${done.call} and back: ${problem}`,
      );
    } catch (error) {
      // Others may have added to a journal since.
      const isShared = done.effect.after.length === 0;
      if (isShared && error instanceof ExpectedError && error.code === "conflict") return [];
      return [`undo of ${done.call} ${done.history} failed: ${inspect(error)}`];
    }
  }

  /** Everything that can be told of a vault at rest. The service must be closed. */
  async #check(): Promise<string[]> {
    const { root, state } = this.#home;
    const found = takeInventory(root);
    const problems = compare(found, this.#expected);
    for (const [name, content] of this.#still)
      if (found.kept.get(name) !== content) problems.push(`changed without cause: ${name}`);
    const wrong = await vaultProblems(root, state);
    problems.push(...wrong.filter((problem) => !problem.startsWith(`${BROKEN}: `)));
    if (problems.length === 0 && this.#random.isChance(0.1))
      problems.push(...(await this.#checkRest()));
    if (problems.length === 0) this.#putAway(found);
    return problems;
  }

  /** A start with nothing to do changes no byte and no time. */
  async #checkRest(): Promise<string[]> {
    const before = snapshot(this.#home.root);
    await this.#restart(false);
    const after = snapshot(this.#home.root);
    return [...new Set([...before.keys(), ...after.keys()])]
      .filter((name) => before.get(name) !== after.get(name))
      .map((name) => `changed by a start with nothing to do: ${name}`);
  }

  /** Keeps the vault small, while no service runs. */
  #putAway({ journals, documents, strange }: Inventory): void {
    const place = (name: string): string => path.join(this.#home.root, name);
    for (const [name, { lines }] of journals) {
      if (name in JOURNALS && lines.length <= LONGEST_JOURNAL) continue;
      for (const line of lines) this.#expected.forgetLine(line);
      rmSync(place(name));
    }
    const beside = documents.map(({ at }) => at).filter(isSavedBeside);
    const trees = strange.map((name) => name.slice(0, name.indexOf(": ")));
    for (const name of [...beside, ...trees]) rmSync(place(name));
    mkdirSync(place("partagé"), { recursive: true });
    for (const [name, text] of Object.entries(JOURNALS))
      if (
        journals.get(name) === undefined ||
        (journals.get(name)?.lines.length ?? 0) > LONGEST_JOURNAL
      )
        writeFileSync(place(name), text);
  }
}

/** Whether two effects are on the same documents, or in the same folders: a folder that is back cannot be brought back. */
function isOverlap(a: Effect, b: Effect): boolean {
  const [one, other] = [a, b].map(({ before, after }) => {
    const states = [...before, ...after];
    const folders = states.map(({ at }) => at?.split("/").slice(0, 2).join("/") ?? "");
    return new Set([...states.map(({ id }) => id), ...folders.filter((folder) => folder !== "")]);
  });
  return [...(one ?? [])].some((each) => other?.has(each));
}

/** Whether documents are as an effect leaves them, and its lines there or gone. */
function effectProblems({ documents, journals }: Inventory, effect: Effect): string[] {
  const lines = new Set([...journals.values()].flatMap((journal) => journal.lines));
  const wrong = effect.after.filter(({ id, at, version }) => {
    const actual = documents.find((document) => document.id === id);
    return at === null ? actual !== undefined : actual?.at !== at || actual.version !== version;
  });
  return [
    ...wrong.map(({ id, at, version }) => `document ${id} is not ${at} v${version}`),
    ...effect.added.filter((line) => !lines.has(line)).map((line) => `line ${line} is not there`),
    ...effect.removed.filter((line) => lines.has(line)).map((line) => `line ${line} is there`),
  ];
}
