/*
 * How much `read` shows to whom. `test/contract/read-amounts.test.ts` makes the calls over every door and compares.
 */

/** The calls of the table, on two files of 50,000 tokens and 4,879 lines each. */
export const AMOUNT_CALLS = [{ head: 30_000 }, { tail: 30_000 }, {}] as const;

const PARTS = ["1-2926 and 1-2926", "1953-4879 and 1953-4879"] as const;
const MODEL = [...PARTS, "1-4166 and named only"] as const;
const ALL = [...PARTS, "all and all"] as const;

/** The lines of both files that each door shows, call by call. */
export const READ_AMOUNTS: Readonly<Record<string, readonly string[]>> = {
  "MCP (stdio, update)": MODEL,
  "MCP (stdio, search)": MODEL,
  "MCP (HTTP, update)": MODEL,
  "MCP (HTTP, search)": MODEL,
  agents: MODEL,
  "HTTP (update)": ALL,
  "HTTP (search)": ALL,
  CLI: ALL,
  library: ALL,
};

/** What `read` shows to whom, in markdown. */
export function readAmounts(): string[] {
  return [
    "With `head` or `tail` every caller gets of each file what it asked for. Without them a model (MCP, the agents) gets 50,000 tokens of files, and of a folder 12,000; programs and people get all. Lines shown of two files of 50,000 tokens each:",
    "",
    "| caller | `head: 30000` | `tail: 30000` | neither |",
    "| --- | --- | --- | --- |",
    ...Object.entries(READ_AMOUNTS).map(([door, shown]) => `| ${door} | ${shown.join(" | ")} |`),
    "",
    "What is left out is named, with the next call to make. A whole answer has 500,000 tokens at most for a model that gives `head` or `tail`, because MCP clients disconnect above 10 MiB, and 10 million for everyone else.",
    "",
  ];
}
