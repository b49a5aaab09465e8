import { describe, expect, it } from "vitest";

import { parseNumbered, parseSources, rangeOf, withoutSurroundings } from "./numbered-lines.ts";

describe("numbered lines", () => {
  it("are read with their numbers, empty ones too", () => {
    expect(parseNumbered("9  | a | b\n10 |\n11 |   indented")).toEqual([
      { number: 9, text: "a | b" },
      { number: 10, text: "" },
      { number: 11, text: "  indented" },
    ]);
  });

  it("come in blocks under their paths, whatever fences are in them", () => {
    const answer =
      "Two passages.\n\n---\n\n```vault/a b.md (lines 3-5)\n3  | ```js\n4  | x\n5  | ```\n```\n\n```vault/c.md\n1  | c\n```";
    expect(parseSources(answer)).toEqual([
      {
        path: "vault/a b.md",
        lines: [
          { number: 3, text: "```js" },
          { number: 4, text: "x" },
          { number: 5, text: "```" },
        ],
      },
      { path: "vault/c.md", lines: [{ number: 1, text: "c" }] },
    ]);
  });

  it("span a range", () => {
    expect(rangeOf(parseNumbered("3  | a\n4  | b"))).toEqual({ start: 3, end: 4 });
    expect(rangeOf([])).toBeNull();
  });

  it("are shown without what stands around a result, and without frontmatter", () => {
    const lines = parseNumbered(
      "1  | ---\n2  | tokens: 3\n3  | ---\n4  |\n5  | # A\n6  |\n7  | around",
    );
    expect(withoutSurroundings(lines, "1-6")).toEqual([{ number: 5, text: "# A" }]);
  });
});
