import { describe, expect, it } from "vitest";

import { splitFrontmatter } from "./frontmatter.ts";

describe("a note's frontmatter", () => {
  it("is parted from the body, whose lines keep their numbers", () => {
    const note = splitFrontmatter(
      '---\ncreated: 2026-01-02\ntitle: "A: b"\nlist:\n  - x\n---\n\n# A\n',
    );
    expect(note).toMatchObject({
      properties: [
        { key: "created", values: ["2026-01-02"], isList: false },
        { key: "title", values: ["A: b"], isList: false },
        { key: "list", values: ["x"], isList: true },
      ],
      body: "\n# A\n",
      linesBefore: 6,
    });
  });

  it("may end its lines as Windows does, and stand after a byte-order mark", () => {
    const note = splitFrontmatter("\u{FEFF}---\r\ntokens: 3\r\n---\r\nx\r\n");
    const properties = [{ key: "tokens", values: ["3"], isList: false }];
    expect(note).toMatchObject({ properties, body: "x\r\n", linesBefore: 3 });
  });

  it.each(["# A\n\n---\na: b\n---\n", "---\nnever closed\n", "", "--- \n"])(
    "is not seen where there is none: %j",
    (text) => {
      expect(splitFrontmatter(text)).toMatchObject({ properties: [], body: text, linesBefore: 0 });
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

it.each([
  ["Due date: soon", "Due date", ["soon"], false],
  ['"a: b": c', "a: b", ["c"], false],
  ["state: open # for now", "state", ["open"], false],
  ['said: "one \\"two\\""', "said", ['one "two"'], false],
  ["said: 'it''s'", "said", ["it's"], false],
  ["url: https://x.org/#a", "url", ["https://x.org/#a"], false],
  ["tags:\n- a\n- 'b, c'", "tags", ["a", "b, c"], true],
  ["tags:", "tags", [], true],
  ["status:", "status", [], false],
  ["tags: []", "tags", [], true],
  ["tags: # mine\n  # of old\n  - a", "tags", ["a"], true],
  ["links:\n  - '[[a]]'\n  - https://x.org", "links", ["[[a]]", "https://x.org"], true],
])("%j is read", (block, key, values, isList) => {
  const { properties } = splitFrontmatter(`---\n${block}\nlast: 1\n---\nx\n`);
  expect(properties[0]).toEqual({ key, values, isList });
  expect(properties.map((each) => each.key)).toEqual([key, "last"]);
});

it.each([
  "desc: |\n  Several\n  lines",
  "desc: >-\n  Several: lines\n\n  and more",
  "desc: one line\n  and a second",
  'desc: "one line\n  and a second"',
  "desc: {a: 1}",
  "desc:\n  a: 1",
  "desc:\n  - a: 1\n    b: 2",
  "desc:\n  - - a",
  "desc:\n  -",
  "desc: &a x",
  "desc: [a,\n  b]",
])("%j is no field of one line, so it is left as it is", (block) => {
  const { properties } = splitFrontmatter(`---\n${block}\nlast: 1\n---\nx\n`);
  expect(properties).toEqual([{ key: "last", values: ["1"], isList: false }]);
});
