import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { z } from "zod";

import { Random } from "../../src/testing/random.ts";
import { keptBefore } from "./kept-before.ts";
import { atRest, differences, vaultSnapshot } from "./compare.ts";
import { gitStatus, makeForeignVault, type ForeignOptions } from "./foreign-vault.ts";
import {
  command,
  endService,
  lookAround,
  serveForeign,
  type LookOptions,
  type Place,
} from "./look.ts";

const Entries = z.array(z.object({ id: z.string(), batch: z.string().nullable() }));

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

/** Serves a foreign vault, looks at it, and compares every byte, mode and time with before. */
export async function lookOnly(run: ForeignRun, setting: "own" | "none"): Promise<RunResult> {
  const place = makePlace(run);
  const before = vaultSnapshot(place.root);
  const service = await serveForeign(place, "--frontmatter", setting);
  await atRest(place);
  const { asked, leaks } = await lookAround(place, new Random(run.seed), run);
  await endService(service);
  const changed = differences(before, vaultSnapshot(place.root));
  const status = gitStatus(place.root);
  return {
    asked,
    problems: [
      ...changed,
      ...(status === "" ? [] : [`git status: ${status.slice(0, 200)}`]),
      ...leaks.map((leak) => `shown though hidden: ${leak}`),
    ],
  };
}

/**
 * Lets coffre write into every note, by `coffre adopt` or from the start of the service, then checks that the history has all that was there, and
 * that one undo brings it back.
 */
export async function stampAndUndo(run: ForeignRun, way: "adopt" | "serve"): Promise<RunResult> {
  const place = makePlace(run);
  const before = vaultSnapshot(place.root, { times: false });
  const bytes = new Map(
    [...before.keys()]
      .filter((name) => before.get(name)?.startsWith("file") === true)
      .map((name) => [name, readFileSync(path.join(place.root, name))]),
  );
  const first = await serveForeign(place, "--frontmatter", way === "serve" ? "all" : "own");
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

/** The id of what was done last. */
async function lastDone(place: Place): Promise<string> {
  const [last] = Entries.parse(JSON.parse(await command(place, "log", "--json")));
  return last?.batch ?? last?.id ?? "none";
}
