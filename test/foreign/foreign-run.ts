import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";

import { z } from "zod";

import { Random } from "../../src/testing/random.ts";
import { keptBefore } from "./kept-before.ts";
import { atRest, differences, vaultSnapshot } from "./compare.ts";
import { OURS_EDITED } from "./foreign-note.ts";
import { gitStatus, makeForeignVault, type ForeignOptions } from "./foreign-vault.ts";
import {
  command,
  endService,
  lookAround,
  serveForeign,
  type LookOptions,
  type Place,
} from "./look.ts";

const Entries = z.array(
  z.object({ id: z.string(), batch: z.string().nullable(), call: z.string() }),
);

export interface ForeignRun extends ForeignOptions, Partial<LookOptions> {
  /** An empty folder for the vault and its state. */
  readonly folder: string;
  readonly isOver: LookOptions["isOver"];
}

export interface RunResult {
  readonly asked: number;
  /** What went wrong; empty when nothing did. */
  readonly problems: readonly string[];
}

function makePlace({ folder, notes, seed }: ForeignRun): Place {
  const place = { root: path.join(folder, "notes"), state: path.join(folder, "state") };
  mkdirSync(place.root, { recursive: true });
  makeForeignVault(place.root, { notes, seed });
  return place;
}

/** Whether a name, or a line about it, is of a note whose wrong keys are corrected also in `own`. */
function isCorrected(line: string): boolean {
  return line.includes(OURS_EDITED);
}

/** All files by their names. */
function bytesIn({ root }: Place, before: ReadonlyMap<string, string>): Map<string, Buffer> {
  const files = [...before].filter(([, kind]) => kind.startsWith("file"));
  return new Map(files.map(([name]) => [name, readFileSync(path.join(root, name))]));
}

/**
 * Serves a foreign vault, looks at it, and compares every byte, mode and time with before. In `own`, only notes with our keys may differ, and one
 * undo brings them back.
 */
export async function lookOnly(run: ForeignRun, setting: "own" | "none"): Promise<RunResult> {
  const place = makePlace(run);
  const before = vaultSnapshot(place.root);
  const bytes = bytesIn(place, before);
  const service = await serveForeign(place, "--frontmatter", setting);
  await atRest(place);
  const { asked, leaks } = await lookAround(place, new Random(run.seed), run);
  await endService(service);
  const changed = differences(before, vaultSnapshot(place.root));
  const status = gitStatus(place.root).split("\n").filter(Boolean);
  const problems = setting === "own" ? await ownProblems(place, bytes) : [];
  const isExpected = (line: string): boolean => setting === "own" && isCorrected(line);
  return {
    asked,
    problems: [
      ...problems,
      ...changed.filter((line) => !isExpected(line)),
      ...status.filter((line) => !isExpected(line)).map((line) => `git status: ${line}`),
      ...leaks.map((leak) => `shown though hidden: ${leak}`),
    ],
  };
}

/** What is wrong with the notes that are corrected in `own`. */
async function ownProblems(place: Place, bytes: ReadonlyMap<string, Buffer>): Promise<string[]> {
  const written = [...bytes.keys()].filter(isCorrected);
  const isSame = (name: string): boolean =>
    bytes.get(name)?.equals(readFileSync(path.join(place.root, name))) === true;
  const uncorrected = written.filter(isSame);
  const lost = await keptBefore(place, bytes);
  const service = await serveForeign(place);
  await undoStamps(place);
  await atRest(place);
  await endService(service);
  const left = written.filter((name) => !isSame(name));
  return [
    ...(written.length > 0 ? [] : ["no note was to be corrected"]),
    ...uncorrected.map((name) => `not corrected: ${name}`),
    ...lost.map((name) => `not in the history: ${name}`),
    ...left.map((name) => `not brought back: ${name}`),
  ];
}

/** Takes back what was corrected in `own`. */
async function undoStamps(place: Place): Promise<void> {
  const entries = Entries.parse(JSON.parse(await command(place, "log", "--json")));
  for (const { id, call } of entries) if (call === "frontmatter") await command(place, "undo", id);
}

/**
 * Lets coffre write into every note, by `coffre adopt` or from the start of the service, then checks that the history has all that was there, and
 * that one undo brings it back.
 */
export async function stampAndUndo(run: ForeignRun, way: "adopt" | "serve"): Promise<RunResult> {
  const place = makePlace(run);
  const before = vaultSnapshot(place.root, { times: false });
  const bytes = bytesIn(place, before);
  let first = await serveForeign(place, "--frontmatter", way === "serve" ? "all" : "own");
  if (way === "serve") {
    // In the middle of it, where there are more notes than a service finishes before it ends.
    await untilWritten(place);
    await endService(first);
    first = await serveForeign(place);
  }
  await atRest(place);
  const told = way === "serve" ? "" : await command(place, "adopt", "--frontmatter", "all");
  await atRest(place);
  await endService(first);
  const changed = differences(before, vaultSnapshot(place.root, { times: false }));
  const lost = await keptBefore(place, bytes);
  const second = await serveForeign(place);
  await atRest(place);
  const { asked, leaks } = await lookAround(place, new Random(run.seed), run);
  const undone = await command(place, "undo", await lastDone(place));
  // Those were corrected before it, in `own`.
  if (way === "adopt") await undoStamps(place);
  await atRest(place);
  await endService(second);
  const left = differences(before, vaultSnapshot(place.root, { times: false }));
  return {
    asked,
    problems: [
      ...(changed.length > bytes.size / 3 ? [] : [`only ${changed.length} changed: ${told}`]),
      ...lost.map((name) => `not in the history: ${name}`),
      ...left.map((each) => `not brought back: ${each} (${undone.slice(0, 200)})`),
      ...leaks.map((leak) => `shown though hidden: ${leak}`),
    ],
  };
}

/** Resolves when the first notes were written to. */
async function untilWritten(place: Place): Promise<void> {
  while (Entries.parse(JSON.parse(await command(place, "log", "--json"))).length === 0)
    await setTimeout(100);
}

/** The id of what was done last. */
async function lastDone(place: Place): Promise<string> {
  const [last] = Entries.parse(JSON.parse(await command(place, "log", "--json")));
  return last?.batch ?? last?.id ?? "none";
}
