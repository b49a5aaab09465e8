import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseMarkdown } from "./parse.ts";
import { pieceAtLine, splitNote } from "./pieces.ts";
import { referencesIn, referencesOf } from "./references.ts";

const WORDS = "Some words of a paragraph that says little. ".repeat(30);
const BLOCKS = [
  WORDS,
  `## A heading\n\n${WORDS}`,
  `- one\n- two\n\n  goes on\n\n- three ${WORDS}`,
  `1. one\n\n2. two ${WORDS}`,
  `\`\`\`js\n# no heading\n\nlet a;\n${WORDS}\n\n## nor this\n\`\`\``,
  `~~~~\n\`\`\`\n\n# inside\n\n~~~~`,
  `> quoted ${WORDS}\n>\n> more`,
  `| a | b |\n| - | - |\n| 1 | ${WORDS} |`,
  "---",
];

const notes = fc
  .array(fc.constantFrom(...BLOCKS), { minLength: 1, maxLength: 40 })
  .map((blocks) => blocks.join("\n\n"));

/** A long list may be cut into several. */
function typesOf(blocks: readonly { readonly type: string }[]): string[] {
  const types = blocks.map(({ type }) => type);
  return types.filter((type, at) => type !== "list" || types[at - 1] !== "list");
}

describe("a long note in pieces", () => {
  it("is the note, and each piece knows its line", () => {
    fc.assert(
      fc.property(notes, (note) => {
        const pieces = splitNote(note);
        expect(pieces.map(({ text }) => text).join("")).toBe(note);
        for (const { text, line } of pieces) {
          expect(note.split("\n").slice(line).join("\n").startsWith(text.trimEnd())).toBe(true);
        }
      }),
    );
  });

  it("has the blocks that it has as a whole", () => {
    fc.assert(
      fc.property(notes, (note) => {
        const blocks = splitNote(note).flatMap(({ text }) => parseMarkdown(text).root.children);
        expect(typesOf(blocks)).toEqual(typesOf(parseMarkdown(note).root.children));
      }),
    );
  });

  it.each([
    ["- line", "- line 0"],
    ["7. line", "7. line 0"],
  ])("is cut between the items of a list that is long: %s", (item, first) => {
    const note = Array.from({ length: 5000 }, (_, at) => `${item} ${at}\n  goes on\n`).join("");
    const pieces = splitNote(note);
    expect(pieces.map(({ text }) => text).join("")).toBe(note);
    expect(pieces[0]?.text.startsWith(first)).toBe(true);
    expect(Math.max(...pieces.map(({ text }) => text.length))).toBeLessThan(13_000);
    const items = pieces.flatMap(({ text }) => parseMarkdown(text).root.children);
    expect(items.every(({ type }) => type === "list")).toBe(true);
  });

  it("has pieces of a bearable size, and finds the one with a line", () => {
    const note = Array.from({ length: 300 }, (_, at) => `## Section ${at}\n\n${WORDS}`).join(
      "\n\n",
    );
    const pieces = splitNote(note);
    expect(pieces.length).toBeGreaterThan(50);
    expect(Math.max(...pieces.map(({ text }) => text.length))).toBeLessThan(9000);
    const line = note.split("\n").indexOf("## Section 250") + 1;
    expect(pieces[pieceAtLine(pieces, line)]?.text).toContain("## Section 250\n");
  });

  it("finds what a piece refers to, wherever it is defined", () => {
    const references = referencesIn(
      "A [link][Home] and a note.[^1]\n\n[home]: https://example.org\n\n[^1]: First\n    and more\n\n[^2]: Second\n",
    );
    expect(referencesOf("see [Home] and [x]", references)).toBe("[home]: https://example.org");
    expect(referencesOf("here[^1]", references)).toBe("[^1]: First\n    and more");
    expect(referencesOf("nothing", references)).toBe("");
    expect(references.footnotes).toBe("[^1]: First\n    and more\n\n[^2]: Second");
  });
});
