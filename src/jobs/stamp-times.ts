import { plainValue, updatedOf } from "../vault/files/frontmatter.ts";
import { localTime } from "../text/local-time.ts";
import type { StampTimes, Unstamped } from "../vault/write/stamper.ts";
import { countTokens } from "../text/tokens.ts";

/**
 * Which times a file's frontmatter must be given. `updated` is the file's own time of change, and moves only when the person's
 * part of the text did.
 * @param known the hash of that part when the job last saw it; null when it never did
 */
export function timesFor(file: Unstamped, known: string | null, now: Date): StampTimes {
  const { text, modified, hash } = file;
  const changed = localTime(earlier(new Date(modified), now));
  const updated = updatedOf(text);
  const isKept = updated !== null && (known === null ? !wasEdited(text) : known === hash);
  const created = plainValue(text, "created");
  return {
    ...(created === null || created === "" ? { created: createdAt(file, updated ?? changed) } : {}),
    ...(isKept ? {} : { updated: changed }),
  };
}

/** A file the job does not know, with a count of tokens that is wrong: it was counted once, and edited since. */
function wasEdited(text: string): boolean {
  const tokens = plainValue(text, "tokens");
  return tokens !== null && tokens !== String(countTokens(text));
}

/** When the file was made, as far as the disk knows; never after its last change. */
function createdAt({ created }: Unstamped, changed: string): string {
  if (created <= 0) return changed;
  const made = localTime(new Date(created));
  return made < changed ? made : changed;
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}
