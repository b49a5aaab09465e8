import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { one, spreadOf, type Results, type Row } from "../bench/compare/figures.ts";
import { inTurn } from "../bench/compare/in-turn.ts";
import { writeReport } from "../bench/compare/markdown.ts";

const PAGE =
  "# Benchmarks\n\nBefore.\n\n<!-- measured by npm run bench -->\nold\n<!-- end of what is measured -->\n\nBy hand.\n";

function search(files: number, ours: number, theirs: number): Row {
  return {
    what: "search, rare words",
    files,
    unit: "ms",
    goal: "20× as fast as mcpvault",
    isMet: theirs >= 20 * ours,
    ours: spreadOf([ours, ours, ours * 2]),
    beside: [
      { name: "mcpvault", figure: one(theirs) },
      { name: "a <fast> one", figure: one(ours / 2) },
    ],
  };
}

function report(rows: readonly Row[]): { page: string; plot: string; again: () => string } {
  const docs = mkdtempSync(path.join(tmpdir(), "coffre-report-"));
  onTestFinished(() => rmSync(docs, { recursive: true, force: true }));
  const file = path.join(docs, "benchmarks.md");
  writeFileSync(file, PAGE);
  const results: Results = {
    at: "2026-11-18",
    isFull: false,
    machine: "2 cores",
    minutes: 3,
    versions: { mcpvault: "0.16.0" },
    rows,
  };
  const write = (): string => {
    writeReport(results, docs);
    return readFileSync(file, "utf8");
  };
  const page = write();
  const plot = readFileSync(path.join(docs, "images", "bench-search.svg"), "utf8");
  return { page, plot, again: write };
}

it("writes its part of the page, keeps the rest, and says where others are better", () => {
  const { page, again } = report([search(1000, 2, 100), search(10_000, 4, 20)]);
  expect(page).toMatch(/^# Benchmarks\n\nBefore\.\n/u);
  expect(page).toMatch(/\nBy hand\.\n$/u);
  expect(page).not.toContain("\nold\n");
  expect(page).toContain("| search, rare words | 1,000 | 20× as fast as mcpvault, met | 2.00 ms");
  expect(page).toContain("20× as fast as mcpvault, **missed**");
  expect(page).toContain("mcpvault 100 ms, 50×<br>a <fast> one 1.00 ms, 0.50× **better**");
  expect(page).toContain("- search, rare words: a <fast> one (1,000; 10,000 files)");
  expect(page).toContain("mcpvault 0.16.0");
  expect(again()).toBe(page);
});

it("draws a line for each, from the fewest files to the most, with escaped names", () => {
  const { plot } = report([search(1000, 2, 100), search(10_000, 4, 20)]);
  expect(plot.match(/<polyline/gu)).toHaveLength(3);
  expect(plot).toContain("10,000");
  expect(plot).toContain("a &lt;fast> one");
  expect(plot).not.toContain("NaN");
});

it("refuses a page without its marks rather than overwriting it", () => {
  const docs = mkdtempSync(path.join(tmpdir(), "coffre-report-"));
  onTestFinished(() => rmSync(docs, { recursive: true, force: true }));
  writeFileSync(path.join(docs, "benchmarks.md"), "By hand.\n");
  const results: Results = {
    at: "",
    isFull: false,
    machine: "",
    minutes: 0,
    versions: {},
    rows: [],
  };
  expect(() => writeReport(results, docs)).toThrow("lacks the marks");
  expect(readFileSync(path.join(docs, "benchmarks.md"), "utf8")).toBe("By hand.\n");
});

it("leaves out who fails, warms up, and takes all in turn", async () => {
  const order: string[] = [];
  const timed = (name: string, took: (round: number) => number) => ({
    name,
    run: async (round: number): Promise<number> => {
      order.push(name);
      return took(round);
    },
  });
  const failing = timed("failing", (round) => {
    if (round > 1) throw new Error("no right answer");
    return 1;
  });
  const found = await inTurn([timed("a", (round) => round), failing], {
    rounds: 5,
    seconds: 60,
    warmUp: 2,
  });
  expect([...found.keys()]).toEqual(["a"]);
  expect(found.get("a")).toEqual({ median: 4, low: 3, high: 5, rounds: 5 });
  expect(order.slice(0, 4)).toEqual(["a", "failing", "a", "failing"]);
});
