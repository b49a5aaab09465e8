import { describe, expect, it } from "vitest";

import { splitFrontmatter } from "./frontmatter.ts";

describe("a note's frontmatter", () => {
  it("is parted from the body, whose lines keep their numbers", () => {
    const note = splitFrontmatter(
      '---\ncreated: 2026-01-02\ntitle: "A: b"\nlist:\n  - x\n---\n\n# A\n',
    );
    expect(note).toMatchObject({
      fields: [
        ["created", "2026-01-02"],
        ["title", "A: b"],
      ],
      body: "\n# A\n",
      linesBefore: 6,
    });
  });

  it("may end its lines as Windows does, and stand after a byte-order mark", () => {
    const note = splitFrontmatter("\u{FEFF}---\r\ntokens: 3\r\n---\r\nx\r\n");
    expect(note).toMatchObject({ fields: [["tokens", "3"]], body: "x\r\n", linesBefore: 3 });
  });

  it.each(["# A\n\n---\na: b\n---\n", "---\nnever closed\n", "", "--- \n"])(
    "is not seen where there is none: %j",
    (text) => {
      expect(splitFrontmatter(text)).toMatchObject({ fields: [], body: text, linesBefore: 0 });
    },
  );
});

it("lists have their values, in a line or below their key", () => {
  const { properties } = splitFrontmatter(
    '---\ntitle: A\ntags: [oak, "old, tree"]\naliases:\n  - Quercus\n  - "The oak"\nup: "[[trees]]"\nnested:\n  a: 1\n---\nx\n',
  );
  expect(properties).toEqual([
    { key: "title", values: ["A"], isList: false },
    { key: "tags", values: ["oak", "old, tree"], isList: true },
    { key: "aliases", values: ["Quercus", "The oak"], isList: true },
    { key: "up", values: ["[[trees]]"], isList: false },
  ]);
});
