import { carriesKeys, leftIn, otherFrontmatter, type Left } from "../../vault/files/frontmatter.ts";
import type { FrontmatterPolicy } from "../../vault/frontmatter-policy.ts";
import type { VaultPath } from "../../vault/paths.ts";
import type { JobVault } from "../../vault/vault.ts";
import type { StampPlan, Unstamped } from "../../vault/write/stamper.ts";
import type { ProcessedFile } from "../processed-files.ts";
import type { FirstStamps } from "./first-stamps.ts";
import { areRight, timesFor } from "./stamp-times.ts";

const UNDONE: Left = { reason: "undone", problem: "its frontmatter was taken back by an undo" };

export interface PlanOptions {
  readonly vault: Pick<JobVault, "origin">;
  readonly now: () => Date;
  readonly policy: () => FrontmatterPolicy;
  /** Where the history keeps the bytes of a file that was there before us, when it gets its first stamp. */
  readonly firstStamps: FirstStamps;
}

/** What the job knows of a file that may be stamped. */
export interface KnownOfFile {
  readonly known: ProcessedFile | undefined;
  /** A tool, an agent or ingest created it, and it was not stamped since. */
  readonly isMade: boolean;
  /** Its stamp was undone, here or under the name it had before. */
  readonly wasUndone: boolean;
}

/** What to do with a file's frontmatter, in the setting of the vault. */
export async function planStamp(
  path: VaultPath,
  file: Unstamped,
  { known, isMade, wasUndone }: KnownOfFile,
  { vault, now, policy, firstStamps }: PlanOptions,
): Promise<StampPlan> {
  const { text, hash } = file;
  if (policy() === "none" || otherFrontmatter(text) !== null) return { leave: leftIn(text) };
  const times = timesFor(file, known, now(), path);
  const isCarrying = carriesKeys(text);
  const seen = known?.hash ?? null;
  // A stamp that was undone leaves the person's part as it was: an edit is of a note that we keep right.
  const isEdited = seen !== null && seen !== hash;
  if (isCarrying && !wasUndone && (isEdited || areRight(text, times))) return times;
  const origin = isMade ? "made" : await vault.origin(path, hash);
  if (origin === "made") return times;
  if (!isCarrying && policy() === "own") return { leave: leftIn(text) };
  const isUndone = wasUndone || origin === "stamp undone";
  if (isUndone && !firstStamps.isAdopting) return { leave: UNDONE };
  if (isCarrying && seen !== null && !isUndone) return times;
  // Also of keys in our form: in a note that was never ours, their values are the person's.
  return { ...times, entry: firstStamps.entry(now()) };
}
