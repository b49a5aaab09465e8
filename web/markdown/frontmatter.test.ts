import { describe, expect, it } from "vitest";

import { splitFrontmatter } from "./frontmatter.ts";

describe("a note's frontmatter", () => {
  it("is parted from the body, whose lines keep their numbers", () => {
    const note = splitFrontmatter(
      '---\ncreated: 2026-01-02\ntitle: "A: b"\nlist:\n  - x\n---\n\n# A\n',
    );
    expect(note).toEqual({
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
      expect(splitFrontmatter(text)).toEqual({ fields: [], body: text, linesBefore: 0 });
    },
  );
});
