import type { SearchRequest } from "../src/index/search-index.ts";
import { vocabulary } from "./generate-vault.ts";

/** Words of a usual question, words found in many places, and the words that cost most. */
export type QueryKind = "usual" | "common" | "worst";

/** So many queries of each kind, the same every time. */
export function makeQueries(count: number): Record<QueryKind, string[]> {
  const words = vocabulary(60_000);
  const queries: Record<QueryKind, string[]> = { usual: [], common: [], worst: [] };
  for (let at = 0; at < count; at += 1) {
    const pick = (least: number, most: number): string =>
      words[least + ((at * 7919) % (most - least))] ?? "de";
    queries.usual.push(`${pick(200, 5000)} ${pick(5000, 40_000)} ${pick(60, 400)}`);
    queries.common.push(`${pick(60, 200)} ${pick(80, 260)}`);
    queries.worst.push(
      [
        "de",
        "la the",
        pick(40, 80),
        "de la le et",
        `${pick(40, 60)} ${pick(45, 70)} ${pick(50, 80)}`,
      ][at % 5] ?? "de",
    );
  }
  return queries;
}

/** What the benchmarks look in for words within a scope. */
export const SCOPE = "vault/projects/p1*/bucket/**";

/** One query as the benchmarks ask it: of the whole vault, ten answers. */
export function requestFor(query: string): SearchRequest {
  return { queries: [query], mode: "fast", scope: null, limit: 10, from: null, to: null };
}
