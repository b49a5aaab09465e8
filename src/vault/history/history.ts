import { createHash, randomBytes } from "node:crypto";

import { ExpectedError } from "../../errors.ts";
import type { ErasedHistory, Erasure } from "./erase-history.ts";
import type {
  Change,
  ChangeAuthor,
  FileOrigin,
  HistoryEntry,
  HistoryQuery,
} from "./history-types.ts";
import type { MovesAfter } from "./moved-places.ts";
import type { VaultPath } from "../paths.ts";

/** The calls that put our keys into files that were there before: by the background job, and by an adoption. */
export const STAMP_CALLS: readonly string[] = ["frontmatter", "adopt"];

/** In milliseconds. */
export const DAY = 24 * 60 * 60 * 1000;
/** Milliseconds between two changes. A longer gap does not age what was before it: the vault was not used, or the clock jumped. */
export const LONGEST_GAP = 30 * DAY;

/**
 * How much of the history is kept: what is older or exceeds the bytes is forgotten. Gaps of more than 30 days between two changes do not count
 * as age.
 */
export interface KeepLimits {
  readonly days: number;
  readonly bytes: number;
}

export const DEFAULT_KEEP: KeepLimits = { days: 90, bytes: 1_000_000_000 };

/** The entry that a change belongs to. */
export interface EntryFacts {
  readonly id: string;
  readonly at: Date;
  readonly author: ChangeAuthor;
}

/**
 * Keeps bytes together with the change being recorded; returns the hash by which {@link History.parts} returns them. The parts are iterated
 * twice when the bytes are not kept yet, for the hash and to store them: the second time must yield the same bytes, or throw.
 */
export type KeepBytes = (parts: Iterable<Buffer>) => string;

/**
 * What was changed, and the bytes that were there before, by their hash. Any implementation passes
 * `src/testing/suites/history-suite.ts`.
 */
export interface History {
  /**
   * Adds a change to an entry, creating the entry with its first change. When this resolves, the change and all that `describe` kept are
   * durable; when it rejects, nothing was recorded.
   * @param describe called once, before this returns
   */
  record(entry: EntryFacts, describe: (keep: KeepBytes) => Change): Promise<Change>;
  /** The same for several changes at once, which cost as much time as one: all of them are durable when this resolves, or none was recorded. */
  recordAll(
    entry: EntryFacts,
    describe: (keep: KeepBytes) => readonly Change[],
  ): Promise<readonly Change[]>;
  /** Removes the last `count` changes of an entry, because they were not made; an entry without changes goes too. */
  retract(id: string, count: number): Promise<void>;
  /** Removes the last change of each of these paths from an entry, in the same way. */
  retractPaths(id: string, paths: readonly VaultPath[]): Promise<void>;
  /** Newest first. */
  entries(query: HistoryQuery): Promise<HistoryEntry[]>;
  entry(id: string): Promise<HistoryEntry | null>;
  /** Ids of the entries of the batch `start`; when there is none, of at most 20 entries whose ids begin with it. Oldest first. */
  idsFor(start: string): Promise<string[]>;
  /** Kept bytes in parts. Throws `not_found` when they are no longer kept. */
  parts(hash: string): AsyncIterable<Buffer>;
  /**
   * `made` when this history holds the creation of the file and every change since, up to the version with this hash; `stamp undone` when the
   * person undid the first stamp of it.
   */
  origin(path: VaultPath, hash: string): Promise<FileOrigin>;
  /** Lets go of pinned entries: they are forgotten like any other. Returns how many there were. */
  unpin(): Promise<number>;
  /**
   * Removes what must not exist, for good: nothing of it is left in what the history stores.
   * @param isDry only counts what there is
   */
  erase(erasure: Erasure, isDry: boolean): Promise<ErasedHistory>;
  /** What was moved since these entries were recorded: what was hidden when it was written stays hidden in the history, whatever became of its folder. */
  movesAfter(ids: readonly string[]): Promise<MovesAfter>;
  size(): Promise<{ readonly entries: number; readonly bytes: number }>;
  /**
   * Forgets what exceeds the limits, at most once a day, but never the newest entry or a pinned one. A jump of the clock makes nothing old: see
   * {@link KeepLimits}.
   */
  prune(now: Date, keep: KeepLimits): Promise<void>;
  close(): void;
}

/** An id that sorts by time, is short enough to type, and unique: milliseconds, then a random number, both in base 36. */
export function newId(now: Date): string {
  const random = randomBytes(4).readUInt32BE() % 36 ** 4;
  return now.getTime().toString(36) + random.toString(36).padStart(4, "0");
}

/** The hash by which a history keeps these bytes. */
export function hashOfParts(parts: Iterable<Buffer>): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/** All kept bytes of a hash. */
export async function keptBytes(history: History, hash: string): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(history.parts(hash)));
}

export function noSuchChange(id: string): ExpectedError {
  return new ExpectedError(
    "not_found",
    `No change has the id ${JSON.stringify(id)}. List them with: coffre log.`,
  );
}

export function ambiguousChange(id: string, ids: readonly string[]): ExpectedError {
  return new ExpectedError(
    "ambiguous",
    `Several changes begin with ${JSON.stringify(id)}: ${ids.slice(0, 5).join(", ")}. Give more of the id.`,
  );
}

/** The entries an id names: a batch, or the one entry whose id begins so. Throws `not_found` or `ambiguous`. */
export async function entriesNamed(history: History, id: string): Promise<HistoryEntry[]> {
  const ids = id === "" ? [] : await history.idsFor(id);
  const found: HistoryEntry[] = [];
  for (const each of ids) {
    const entry = await history.entry(each);
    if (entry !== null) found.push(entry);
  }
  if (found.length === 0) throw noSuchChange(id);
  if (found.length > 1 && found.some((entry) => entry.batch !== id)) {
    throw ambiguousChange(id, ids);
  }
  return found;
}
