import { describe, expect, it } from "vitest";

import { excerptLines, rangeOf } from "./excerpt.ts";

const lines = (...texts: string[]): { number: number; text: string }[] =>
  texts.map((text, index) => ({ number: index + 10, text }));

describe("an excerpt of a result", () => {
  it("is as it is written, without the heading that is shown above it", () => {
    const text_lines = lines("## The pump", "", "It **leaks** in [[the cellar]].");
    expect(excerptLines({ text_lines, best: [12] })).toBe("\nIt **leaks** in [[the cellar]].");
  });

  it("begins just before the best lines when they stand far below", () => {
    const text_lines = lines(...Array.from({ length: 30 }, (_, at) => `line ${at}`));
    const shown = excerptLines({ text_lines, best: [30, 31] }).split("\n");
    expect(shown).toHaveLength(8);
    expect(shown[0]).toBe("line 19");
  });

  it("is bounded, however long a line is", () => {
    expect(excerptLines({ text_lines: lines("x".repeat(5000)), best: [] })).toHaveLength(900);
  });

  it("knows its lines", () => {
    expect(rangeOf(lines("a", "b", "c"))).toEqual({ start: 10, end: 12 });
    expect(rangeOf([])).toBeNull();
  });
});
