import { carriesKeys, otherFrontmatter } from "../../vault/files/frontmatter.ts";
import type { FrontmatterPolicy } from "../../vault/frontmatter-policy.ts";
import { isDropped } from "../../vault/paths.ts";
import type { StampInWrite } from "../../vault/postgres/postgres-writer.ts";
import { timesFor } from "./stamp-times.ts";

/** Stamps notes as they are written, by the same rules as the background job does after the write: for vaults that nobody else writes to. */
export function stampInWrite(policy: () => FrontmatterPolicy, now: () => Date): StampInWrite {
  return async (note) => {
    const { path, text, known, origin } = note;
    if (policy() === "none" || isDropped(path) || otherFrontmatter(text) !== null) return null;
    const times = timesFor(note, known === null ? undefined : { hash: known }, now(), path);
    if (carriesKeys(text)) return times;
    const from = await origin();
    if (from === "made") return times;
    return policy() === "own" || from === "stamp undone" ? null : times;
  };
}
