import { fstatSync, futimesSync, type BigIntStats } from "node:fs";

import { errnoOf } from "../../errors.ts";
import { placeOf, type Disk, type Located } from "../disk.ts";
import { writeAll } from "../files/bytes.ts";
import { jobValue, stampFrontmatter, type Left } from "../files/frontmatter.ts";
import { findTree, isListing, isTreeText, TREE_FILE } from "../files/generated-tree.ts";
import type { EntryFacts, History } from "../history/history.ts";
import { writeAtomically, type AtomicWrite } from "./atomic-write.ts";
import type { LateWrites } from "./late-writes.ts";
import type { VaultPath } from "../paths.ts";
import { readWholeFile } from "../files/text-file.ts";
import { measureText, type MeasuredFile } from "../files/measure.ts";
import {
  modifiedOf,
  signatureOf,
  SMALL_FILE,
  touchedOf,
  versionHash,
  versionOf,
} from "../files/version.ts";

/** A file before it is stamped. */
export interface Unstamped {
  readonly text: string;
  /** Time of its last change, and of its creation where the disk knows it (0 where not): milliseconds since 1970. */
  readonly modified: number;
  readonly created: number;
  /** Of the person's part alone: what the job writes does not change it. */
  readonly hash: string;
}

/** Local times to write, `2025-07-14T18:30:00`; one left out stays as it is. */
export interface StampTimes {
  readonly created?: string;
  readonly updated?: string;
}

/** What to do with a file: write these times, or leave it as it is, and why when there is something to say. */
export type StampPlan =
  | (StampTimes & {
      /** Where the history keeps the bytes before; left out for a file that was stamped before, or is of our making. */
      readonly entry?: EntryFacts;
    })
  | { readonly leave: Left | null };

/** Works out what to do with a file. */
export type PlanStamp = (file: Unstamped) => StampPlan | Promise<StampPlan>;

export interface StampResult {
  readonly signature: string;
  /** See `VaultItem`. */
  readonly touched: number;
  /** It was written, and no later write can have its time on disk: while it has this signature, it is what was written. */
  readonly hasOwnTime: boolean;
  readonly hash: string;
  /** Its `updated`, when it is ours and right; null when its times are to be kept elsewhere. */
  readonly updated: string | null;
  /** Why its frontmatter, or a key of it, was left as it is, when it had to be. */
  readonly left: Left | null;
  /** The file as it is now, so that nobody need read it again; null when it is too large to be held whole. */
  readonly measured: MeasuredFile | null;
}

export interface StampParts {
  readonly disk: Disk;
  readonly late: LateWrites;
  readonly history: () => Promise<Pick<History, "record" | "retract">>;
}

const OWNER_WRITES = 0o200n;

/** Whether a file's owner may not write it: then we do not either. */
export function isReadOnly({ mode }: BigIntStats): boolean {
  return (mode & OWNER_WRITES) === 0n;
}

/** What becomes of a file: it is written, or left, and why when there is something to say. */
export type StampDecision =
  | { readonly kind: "leave"; readonly left: Left | null }
  /** Its keys are up to date. */
  | { readonly kind: "same"; readonly left: Left | null }
  | {
      readonly kind: "write";
      readonly text: string;
      readonly left: Left | null;
      readonly entry: EntryFacts | undefined;
    };

/** Asks what to do with a file, and works out its new text. */
export async function decideStamp(file: Unstamped, decide: PlanStamp): Promise<StampDecision> {
  const plan = await decide(file);
  if ("leave" in plan) return { kind: "leave", left: plan.leave };
  const stamped = stampFrontmatter(file.text, plan);
  if (stamped.kind === "left") return { kind: "leave", left: stamped };
  const { text, left } = stamped;
  return text === file.text
    ? { kind: "same", left }
    : { kind: "write", text, left, entry: plan.entry };
}

/**
 * Updates the background job's keys in one file, and nothing else. A file whose keys are up to date is not written. Throws `ChangedMeanwhile` when another program changed it in that moment.
 */
export async function stampFile(
  parts: StampParts,
  path: VaultPath,
  decide: PlanStamp,
): Promise<StampResult> {
  const { disk, late } = parts;
  const { located, bytes } = readWholeFile(disk, path);
  // With its byte-order mark.
  const text = bytes.toString("utf8");
  const hash = versionHash(bytes);
  const result = (
    stat: BigIntStats,
    present: string,
    left: Left | null,
    isStamped = true,
  ): StampResult => ({
    signature: signatureOf(stat),
    touched: touchedOf(stat),
    hasOwnTime: stat !== located.stat && hasOwnTime(stat),
    hash,
    updated: isStamped ? jobValue(present, "updated") : null,
    left,
    measured: stat.size <= SMALL_FILE ? measureText(stat, present, path) : null,
  });
  const leave = (left: Left | null): StampResult => result(located.stat, text, left, false);
  // It was another text, perhaps none yet, when it was to be stamped: with frontmatter it would no longer be ours.
  if (isListing(path, text)) return leave(null);
  const stamped = await decideStamp({ text, hash, ...timesOf(located.stat) }, decide);
  if (stamped.kind === "leave") return leave(stamped.left);
  if (stamped.kind === "same") return result(located.stat, text, stamped.left);
  if (isReadOnly(located.stat)) return leave({ reason: "read-only", problem: "it is read-only" });
  const { entry } = stamped;
  const after = Buffer.from(stamped.text);
  const stat = await writeAtomically(disk, late, {
    durable: "text",
    ...placeOf(located),
    replaces: located,
    replacedBytes: bytes,
    fill: async (fd) => {
      writeAll(fd, after, 0);
      dateBack(fd);
    },
    ...(entry === undefined
      ? {}
      : { record: recorder(parts, entry, located, { before: bytes, after }) }),
  });
  disk.stamps.add(signatureOf(located.stat), signatureOf(stat));
  return result(stat, stamped.text, stamped.left);
}

/** Keeps the bytes of a file that was there before us, so that its first stamp can be undone. */
function recorder(
  { history }: StampParts,
  entry: EntryFacts,
  { path, stat: old }: Located,
  { before, after }: { readonly before: Buffer; readonly after: Buffer },
): NonNullable<AtomicWrite["record"]> {
  return async (stat) => {
    const kept = await history();
    await kept.record(entry, (keep) => ({
      kind: "modify",
      path,
      kept: { wholeBefore: keep([before]), wholeAfter: keep([after]) },
      version: versionOf(stat, after),
      modified: modifiedOf(old),
    }));
    return async () => kept.retract(entry.id, 1);
  };
}

/**
 * Dates a file back by a microsecond. The kernel gives all writes within one tick of its clock (up to 10 ms) the same time, so without this
 * another program's write right after ours could not be told from it.
 */
function dateBack(fd: number): void {
  const { atimeMs, mtimeNs } = fstatSync(fd, { bigint: true });
  try {
    futimesSync(fd, Number(atimeMs) / 1000, Number(mtimeNs / 1000n - 1n) / 1e6);
  } catch (error) {
    // Some network disks refuse it: then the job reads its own write again.
    if (errnoOf(error) === null) throw error;
  }
}

/** Whether a file was changed after the time it carries, so that the next write carries another. Whole-second times are not trusted. */
function hasOwnTime({ mtimeNs, ctimeNs }: BigIntStats): boolean {
  return mtimeNs < ctimeNs && mtimeNs % 1_000_000_000n !== 0n;
}

function timesOf(stat: BigIntStats): { modified: number; created: number } {
  return { modified: Number(stat.mtimeMs), created: Number(stat.birthtimeMs) };
}

/**
 * Writes `tree.md`, creating it when it is missing. False when it has this text already, or when what is there is not a listing that we
 * generated: a note of the person's, or a link.
 */
export async function writeTreeFile(disk: Disk, late: LateWrites, text: string): Promise<boolean> {
  const bytes = Buffer.from(text);
  const found = findTree(disk);
  if (found === "other") return false;
  const now = found === "missing" ? null : disk.readWhole(TREE_FILE);
  if (now !== null && (now.bytes.equals(bytes) || !isTreeText(now.bytes.toString("utf8"))))
    return false;
  await writeAtomically(disk, late, {
    // Else a power cut can leave it empty, and then it is no longer known as ours.
    durable: "text",
    ...(now === null ? { folder: disk.get(""), name: TREE_FILE } : placeOf(now.located)),
    replaces: now?.located ?? null,
    fill: async (fd) => writeAll(fd, bytes, 0),
  });
  return true;
}
