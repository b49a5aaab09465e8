import { diff3Merge } from "node-diff3";

/** Lines that both sides changed. */
export interface ConflictPart {
  readonly mine: string;
  readonly theirs: string;
}

/** What becomes of lines that both sides changed. */
export type Choice = "mine" | "theirs" | "both";

/** Two changes of one text. */
export interface Merged {
  /** With both changes; where they concern the same lines, those that were chosen. */
  readonly text: string;
  /** In the order of the text; none when they went together. */
  readonly conflicts: readonly ConflictPart[];
}

/**
 * Merges two changes of `base`, line by line.
 * @param choices one for each conflict, in their order; left out, mine and then theirs are kept
 */
export function merge(
  base: string,
  mine: string,
  theirs: string,
  choices: readonly Choice[] = [],
): Merged {
  if (mine === theirs || base === theirs) return { text: mine, conflicts: [] };
  if (base === mine) return { text: theirs, conflicts: [] };
  const lines: string[] = [];
  const conflicts: ConflictPart[] = [];
  const parts = diff3Merge(mine.split("\n"), base.split("\n"), theirs.split("\n"), {
    excludeFalseConflicts: true,
  });
  for (const { ok, conflict } of parts) {
    if (ok !== undefined) lines.push(...ok);
    if (conflict === undefined) continue;
    const choice = choices[conflicts.length] ?? "both";
    if (choice !== "theirs") lines.push(...conflict.a);
    if (choice !== "mine") lines.push(...conflict.b);
    conflicts.push({ mine: conflict.a.join("\n"), theirs: conflict.b.join("\n") });
  }
  return { text: lines.join("\n"), conflicts };
}
