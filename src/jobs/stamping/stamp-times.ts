import { localTime, readTime } from "../../text/local-time.ts";
import { countTokens } from "../../text/tokens.ts";
import { jobLine } from "../../text/job-keys.ts";
import { jobValue, plainValue, updatedOf } from "../../vault/files/frontmatter.ts";
import { nameOf, type VaultPath } from "../../vault/paths.ts";
import type { ProcessedFile } from "../processed-files.ts";
import { saidTimes } from "./said-times.ts";
import type { StampTimes, Unstamped } from "../../vault/write/stamper.ts";

/** What the job knows of a file, as far as it matters here. */
type Known = Pick<ProcessedFile, "hash" | "created"> & Partial<Pick<ProcessedFile, "facts">>;

/**
 * Which times a file's frontmatter must be given. `updated` is the file's own time of change, and moves only when the person's
 * part of the text did.
 * @param known the hash of that part when the job last saw it, with the times it has in the state; left out when it never did
 * @param path its name may begin with a day
 */
export function timesFor(
  file: Unstamped,
  known: Known | undefined,
  now: Date,
  path: VaultPath = "",
): StampTimes {
  const { text, modified, hash } = file;
  const knownHash = known?.hash ?? null;
  const updated = updatedOf(text);
  const isKept = updated !== null && (knownHash === null ? !wasEdited(text) : knownHash === hash);
  // Its first block gets the time that was kept for it.
  const kept = updated === null && knownHash === hash ? known?.facts?.changed : undefined;
  const changed = kept ?? localTime(new Date(Math.min(modified, now.getTime())));
  const made = earliestTime(path, text, updated ?? changed, file.created);
  const before = known?.created ?? made;
  const created = plainValue(text, "created");
  return {
    ...(created === null || created === "" ? { created: before < made ? before : made } : {}),
    ...(isKept ? {} : { updated: changed }),
  };
}

/** Whether nothing is to be written to a file that carries our keys: a vault of coffre's has thousands. */
export function areRight(text: string, { created, updated }: StampTimes): boolean {
  if (created !== undefined || updated !== undefined) return false;
  return jobValue(text, "tokens") === String(countTokens(text));
}

/** A file the job does not know, with a count of tokens that is wrong: it was counted once, and edited since. */
function wasEdited(text: string): boolean {
  const tokens = plainValue(text, "tokens");
  const isOurs = tokens !== null && jobLine(`tokens: ${tokens}`) !== null;
  return isOurs && tokens !== String(countTokens(text));
}

/** Earlier times are of what a note is about, not of the note. */
const EARLIEST = "1970-01-01";
const NAMED_DAY = /^(\d{4})[-_. ]?(\d\d)[-_. ]?(\d\d)(?!\d)/u;

/**
 * When a file was made: the earliest time that the disk or the file's own words know, `created` or `date` among its keys, or a day at the
 * start of its name.
 * @param changed its last change, local time
 * @param made its creation, where the disk knows it: milliseconds since 1970; 0 where not
 */
export function earliestTime(path: VaultPath, text: string, changed: string, made: number): string {
  const named = NAMED_DAY.exec(nameOf(path))?.slice(1).join("-") ?? "";
  const times = [readTime(named), ...saidTimes(text)].filter((time) => time !== null);
  if (made > 0) times.push(localTime(new Date(made)));
  return times
    .filter((time) => time >= EARLIEST)
    .reduce((earliest, time) => (time < earliest ? time : earliest), changed);
}
