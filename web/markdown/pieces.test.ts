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
        expect(blocks.map(({ type }) => type)).toEqual(
          parseMarkdown(note).root.children.map(({ type }) => type),
        );
      }),
    );
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
