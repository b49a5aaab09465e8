import type { BigIntStats } from "node:fs";

import { placeOf, type Disk, type Located } from "../disk.ts";
import { writeAll } from "../files/bytes.ts";
import { stampFrontmatter } from "../files/frontmatter.ts";
import { writeAtomically, type AtomicWrite } from "./atomic-write.ts";
import type { LateWrites } from "./late-writes.ts";
import type { VaultPath } from "../paths.ts";
import { readWholeFile } from "../files/text-file.ts";
import { measureText, type MeasuredFile } from "../files/measure.ts";
import { signatureOf, SMALL_FILE, versionHash } from "../files/version.ts";

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

export interface StampResult {
  readonly signature: string;
  /** The signature it had before, when it was written. */
  readonly replaced: string | null;
  readonly hash: string;
  /** Why its frontmatter was left as it is, when it had to be. */
  readonly problem: string | null;
  /** The file as it is now, so that nobody need read it again; null when it is too large to be held whole. */
  readonly measured: MeasuredFile | null;
}

/**
 * Updates the background job's keys in one file, and nothing else. A file whose keys are up to date is not written. Throws `ChangedMeanwhile` when another program changed it in that moment.
 */
export async function stampFile(
  disk: Disk,
  late: LateWrites,
  path: VaultPath,
  decide: (file: Unstamped) => StampTimes,
): Promise<StampResult> {
  const { located, bytes } = readWholeFile(disk, path);
  // With its byte-order mark.
  const text = bytes.toString("utf8");
  const hash = versionHash(bytes);
  const result = (stat: BigIntStats, present: string): StampResult => ({
    signature: signatureOf(stat),
    replaced: stat === located.stat ? null : signatureOf(located.stat),
    hash,
    problem: stamped.kind === "left" ? stamped.problem : null,
    measured: stat.size <= SMALL_FILE ? measureText(stat, present) : null,
  });
  const stamped = stampFrontmatter(text, decide({ text, hash, ...timesOf(located.stat) }));
  if (stamped.kind === "left" || stamped.text === text) return result(located.stat, text);
  const stat = await writeAtomically(disk, late, {
    durable: "text",
    ...placeOf(located),
    replaces: located,
    replacedBytes: bytes,
    fill: async (fd) => writeAll(fd, Buffer.from(stamped.text), 0),
  });
  disk.stamps.add(signatureOf(located.stat), signatureOf(stat));
  return result(stat, stamped.text);
}

function timesOf(stat: BigIntStats): { modified: number; created: number } {
  return { modified: Number(stat.mtimeMs), created: Number(stat.birthtimeMs) };
}

/** Gives a file other bytes, without a record in the history. */
export async function replaceFile(
  disk: Disk,
  late: LateWrites,
  seen: Located,
  bytes: Buffer,
  durable: AtomicWrite["durable"],
): Promise<BigIntStats> {
  return writeAtomically(disk, late, {
    durable,
    ...placeOf(seen),
    replaces: seen,
    fill: async (fd) => writeAll(fd, bytes, 0),
  });
}

/** Writes `tree.md`, creating it when it is missing. False when it has this text already. */
export async function writeTreeFile(disk: Disk, late: LateWrites, text: string): Promise<boolean> {
  const bytes = Buffer.from(text);
  const found = disk.find("tree.md");
  if (found.kind !== "file" && found.kind !== "missing") return false;
  if (found.kind === "file") {
    const now = disk.readWhole("tree.md");
    if (now.bytes.equals(bytes)) return false;
    await replaceFile(disk, late, now.located, bytes, "nothing");
    return true;
  }
  await writeAtomically(disk, late, {
    durable: "nothing",
    folder: disk.get(""),
    name: "tree.md",
    replaces: null,
    fill: async (fd) => writeAll(fd, bytes, 0),
  });
  return true;
}
