import { describe, expect, it } from "vitest";

import { excerptOf, excerptText, rangeOf } from "./excerpt.ts";

it.each([
  ["## Money", ""],
  ["| --- | ---: |", ""],
  ["---", ""],
  ["```js", ""],
  ["| Kiln | £2,600 | | paid |", "Kiln · £2,600 · paid"],
  ["- [ ] **Call** Jo", "• Call Jo"],
  ["> quoted `text`", "quoted text"],
  ["See [[projects/loft/state|the state]] and [this](a.md).", "See the state and this."],
  ["status: todo | prio: high", "status: todo | prio: high"],
  ["2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"],
])("shows %j as %j", (line, text) => {
  expect(excerptText(line)).toBe(text);
});

describe("the lines of a result that are shown", () => {
  const text_lines = Array.from({ length: 20 }, (_, at) => ({
    number: at + 10,
    text: at % 2 === 0 ? `line ${at + 10}` : "",
  }));
  const shown = (best: readonly number[]): number[] =>
    excerptOf({ text_lines, best }).map(({ number }) => number);

  it("start at its first line when the best are among them", () => {
    expect(shown([])).toEqual([10, 12, 14, 16, 18, 20]);
    expect(shown([18, 19, 20])).toEqual([10, 12, 14, 16, 18, 20]);
  });

  it("start one before the best lines when those are further on", () => {
    expect(shown([20, 21, 22])).toEqual([18, 20, 22, 24, 26, 28]);
    expect(shown([16, 18, 20, 22])).toEqual([14, 16, 18, 20, 22, 24]);
  });

  it("end at its last line", () => {
    expect(shown([28])).toEqual([18, 20, 22, 24, 26, 28]);
    expect(shown([29])).toEqual([18, 20, 22, 24, 26, 28]);
  });

  it("are all there are when there are few, and span a range", () => {
    const few = text_lines.slice(0, 3);
    expect(excerptOf({ text_lines: few, best: [12] })).toHaveLength(2);
    expect(rangeOf(few)).toEqual({ start: 10, end: 12 });
    expect(excerptOf({ text_lines: [], best: [] })).toEqual([]);
    expect(rangeOf([])).toBeNull();
  });
});
