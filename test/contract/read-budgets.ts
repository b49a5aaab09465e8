import { expect } from "vitest";

import type { Args, Door } from "./doors.ts";
import type { DoorStatement } from "./statement.ts";
import { block, headers, numberedLines, onDisk, tokensOf } from "./vault.ts";

const LARGE = ["vault/large/one.txt", "vault/large/two.txt"];
const LINE = 41;

/** The first and last line that a header names. */
function range(header: string | undefined): { first: number; last: number } {
  const [, first, last] = /\(lines (\d+)-(\d+) of \d+\)$/u.exec(header ?? "") ?? [];
  return { first: Number(first), last: Number(last) };
}

async function budgetIsKept({ ask, place }: Door, part: "head" | "tail"): Promise<void> {
  for (const budget of [60, 333, 1500]) {
    const { text } = await ask("read", { paths: "vault/changelog.md", [part]: budget });
    const all = onDisk(place, "changelog.md").trimEnd().split("\n");
    const count = numberedLines(text).length;
    const shown = part === "head" ? all.slice(0, count) : all.slice(-count);
    const next = part === "head" ? all[count] : all.at(-count - 1);
    expect(`${shown.join("\n")}\n`.length / 4).toBeLessThanOrEqual(budget);
    expect([...shown, next, ""].join("\n").length / 4).toBeGreaterThan(budget);
  }
}

async function expectRefused({ ask }: Door, part: string, budget: number): Promise<void> {
  const { text, isError } = await ask("read", { paths: "vault/bare.md", [part]: budget });
  expect(isError).toBe(true);
  expect(text).toContain(part);
}

/** Compares without printing both: they may be long. */
async function expectWhole({ ask, place }: Door, name: string, args: Args): Promise<void> {
  const { text } = await ask("read", { paths: `vault/${name}`, ...args });
  expect(text === block(`vault/${name}`, onDisk(place, name))).toBe(true);
}

/** Parts of files, counted in tokens. */
export const READ_BUDGETS: readonly DoorStatement[] = [
  {
    states: "head shows the first lines, as many as its tokens hold, four characters each",
    check: async (door) => budgetIsKept(door, "head"),
  },
  {
    states: "tail shows the last lines, as many as its tokens hold",
    check: async (door) => budgetIsKept(door, "tail"),
  },
  {
    states: "head never cuts within a line",
    check: async ({ ask, place }) => {
      const [first = "", second = ""] = onDisk(place, "uneven.txt").split("\n");
      const { text } = await ask("read", { paths: "vault/uneven.txt", head: 3 });
      expect(numberedLines(text)).toEqual([`1  | ${first}`]);
      expect(text).not.toContain(second.slice(0, 4));
    },
  },
  {
    states: "tail never cuts within a line",
    check: async ({ ask }) => {
      const { text } = await ask("read", { paths: "vault/uneven.txt", tail: 3 });
      expect(numberedLines(text)).toEqual(["3  | end"]);
    },
  },
  {
    states: "head counts for each file of a list by itself",
    check: async ({ ask }) => {
      const { text } = await ask("read", { paths: LARGE, head: 30_000 });
      const last = Math.floor(120_000 / LINE);
      expect(headers(text)).toEqual(LARGE.map((path) => `${path} (lines 1-${last} of 4879)`));
      expect(numberedLines(text)).toHaveLength(2 * last);
    },
  },
  {
    states: "tail counts for each file of a list by itself",
    check: async ({ ask }) => {
      const { text } = await ask("read", { paths: LARGE, tail: 30_000 });
      expect(headers(text).map((header) => range(header).last)).toEqual([4879, 4879]);
      const count = Math.floor((120_000 - 2) / LINE) + 1;
      expect(numberedLines(text)).toHaveLength(2 * count);
    },
  },
  {
    states: "head shows what was asked for, however much it is",
    check: async ({ ask }) => {
      const { text } = await ask("read", { paths: "vault/longer.txt", head: 60_000 });
      const last = Math.floor(240_000 / LINE);
      expect(headers(text)).toEqual([`vault/longer.txt (lines 1-${last} of 9006)`]);
      expect(numberedLines(text)).toHaveLength(last);
    },
  },
  {
    states: "tail keeps the end, however much is asked for",
    check: async ({ ask }) => {
      for (const tail of [45_000, 60_000]) {
        const { text } = await ask("read", { paths: "vault/longer.txt", tail });
        const first = 9006 - Math.floor((tail * 4) / LINE) + 1;
        expect(range(headers(text)[0])).toEqual({ first, last: 9006 });
        expect(numberedLines(text).at(-1)).toMatch(/^9006 \| longer 9006 /u);
      }
    },
  },
  {
    states: "head as null is no limit",
    notInShell: true,
    check: async (door) => expectWhole(door, "changelog.md", { head: null }),
  },
  {
    states: "tail as null is no limit",
    notInShell: true,
    check: async (door) => expectWhole(door, "changelog.md", { tail: null }),
  },
  {
    states: "without head and tail the whole file comes",
    check: async (door) => expectWhole(door, "projects/lantern/changelog.md", {}),
  },
  {
    states:
      "no limit means all of it, except for a model, which gets 50,000 tokens and the next call",
    check: async (door) => {
      if (door.kind !== "MCP") return expectWhole(door, "longer.txt", {});
      const { text } = await door.ask("read", { paths: "vault/longer.txt" });
      expect(tokensOf(text)).toBeGreaterThan(49_000);
      expect(tokensOf(text)).toBeLessThan(50_300);
      expect(text).toMatch(/Next: (?:concat|read)\(/u);
    },
  },
  {
    states: "head and tail together are an error that says so",
    check: async ({ ask }) => {
      const { text, isError } = await ask("read", { paths: "vault/bare.md", head: 9, tail: 9 });
      expect(isError).toBe(true);
      expect(text).toContain("head and tail exclude each other");
    },
  },
  ...(["head", "tail"] as const).flatMap((part): DoorStatement[] => [
    {
      states: `${part} of 0 is an error`,
      check: async (door) => expectRefused(door, part, 0),
    },
    {
      states: `a ${part} that is not a whole number is an error`,
      check: async (door) => expectRefused(door, part, 1.5),
    },
    {
      states: `a ${part} larger than the file gives the whole file`,
      check: async (door) => expectWhole(door, "exact.txt", { [part]: 99_999 }),
    },
    {
      states: `a ${part} of just the file's tokens gives the whole file`,
      check: async (door) => {
        for (const name of ["exact.txt", "projects/lantern/state.md"]) {
          await expectWhole(door, name, { [part]: tokensOf(onDisk(door.place, name)) });
        }
      },
    },
  ]),
  {
    states: "head of a journal whose newest day is first gives the newest days",
    check: async ({ ask }) => {
      const { text } = await ask("read", { paths: "vault/changelog.md", head: 200 });
      expect(text).toContain("| # 2026-02-10\n");
      expect(text).not.toContain("entry 1\n");
    },
  },
  {
    states: "tail of such a journal gives the oldest days",
    check: async ({ ask }) => {
      const { text } = await ask("read", { paths: "vault/changelog.md", tail: 200 });
      expect(text).toContain("entry 1\n");
      expect(text).not.toContain("| # 2026-02-10\n");
    },
  },
  {
    states: "head over two journals gives the newest days of each",
    check: async ({ ask }) => {
      const paths = ["vault/projects/lantern/changelog.md", "vault/changelog.md"];
      const { text } = await ask("read", { paths, head: 1000 });
      for (const [at, part] of text.split("\n\n").entries()) {
        expect(part).toContain(`\`\`\`${paths[at]} (lines 1-`);
        expect(part).toContain("| # 2026-02-10\n");
      }
    },
  },
  {
    states: "head=3000 of a journal of 8,000 tokens gives its recent days",
    check: async ({ ask, place }) => {
      const name = "projects/lantern/changelog.md";
      expect(tokensOf(onDisk(place, name))).toBeGreaterThan(8000);
      const { text } = await ask("read", { paths: `vault/${name}`, head: 3000 });
      const shown = numberedLines(text).map((line) => line.replace(/^\d+ *\| ?/u, ""));
      expect(tokensOf(shown.join("\n"))).toBeGreaterThan(2950);
      expect(shown).toContain("# 2026-02-10");
    },
  },
];
