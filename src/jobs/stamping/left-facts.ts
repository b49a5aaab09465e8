import type { Left } from "../../vault/files/frontmatter.ts";
import { showPath, type VaultPath } from "../../vault/paths.ts";

/** Reasons for which a file is only counted: whole sites are written so. */
const COUNTED: ReadonlySet<string> = new Set(["toml", "json", "read-only"]);
const MOST_NAMED = 100;

interface NamedLeft extends Left {
  /** As shown. */
  readonly path: string;
}

/** What `status` says of files whose frontmatter, or a key of it, is left as it is: how many for which reason, and some by name. */
export function leftFacts(left: Iterable<readonly [VaultPath, Left]>): {
  readonly counts: Record<string, number>;
  readonly named: NamedLeft[];
} {
  const counts: Record<string, number> = {};
  const named: NamedLeft[] = [];
  for (const [file, { reason, problem }] of left) {
    counts[reason] = (counts[reason] ?? 0) + 1;
    if (!COUNTED.has(reason) && named.length < MOST_NAMED)
      named.push({ path: showPath(file), problem, reason });
  }
  return { counts, named };
}
