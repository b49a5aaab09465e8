import { diff3Merge } from "node-diff3";

/** Lines that both sides changed. */
export interface ConflictPart {
  readonly mine: string;
  readonly theirs: string;
}

/** Two changes of one text. */
export interface Merged {
  /** With both changes; where they concern the same lines, mine and then theirs. */
  readonly text: string;
  /** None when they went together. */
  readonly conflicts: readonly ConflictPart[];
}

/** Merges two changes of `base`, line by line. */
export function merge(base: string, mine: string, theirs: string): Merged {
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
    lines.push(...conflict.a, ...conflict.b);
    conflicts.push({ mine: conflict.a.join("\n"), theirs: conflict.b.join("\n") });
  }
  return { text: lines.join("\n"), conflicts };
}
