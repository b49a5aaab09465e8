import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, it } from "vitest";

import { splitLines } from "../vault/files/lines.ts";
import { chunkLines, withoutJobLines } from "./chunk.ts";

function chunks(path: string, text: string): string[] {
  return chunkLines(path, splitLines(text)).map(
    ({ start, end, headings, day }) =>
      `${start}-${end} ${headings.join(" > ")}${day === null ? "" : ` @${day}`}`,
  );
}

describe("chunks", () => {
  it("of a changelog are its entries, each with its day; a day goes with its first entry", () => {
    const text =
      "---\ntokens: 1\n---\n\n# 2026-03-09\n\n## Un\na\n\n## Deux\nb\n\n# 2026-03-08\n\n## Trois\nc\n";
    expect(chunks("projects/x/changelog.md", text)).toEqual([
      "1-9 2026-03-09 > Un @2026-03-09",
      "10-12 2026-03-09 > Deux @2026-03-09",
      "13-16 2026-03-08 > Trois @2026-03-08",
    ]);
  });

  it("of a tasks.md are its tasks", () => {
    const text = "---\ntokens: 1\n---\n\n# Un\nstatus: à-faire\n\n# Deux\nstatus: en-cours\n";
    expect(chunks("tasks.md", text)).toEqual(["1-7 Un", "8-9 Deux"]);
  });

  it("of a short state.md are its sections, the frontmatter with the first", () => {
    expect(
      chunks(
        "projects/x/state.md",
        "---\ntokens: 1\n---\n\n## Situation\nok\n\n## Blocages\nrien\n",
      ),
    ).toEqual(["1-7 Situation", "8-9 Blocages"]);
  });

  it("of a long file are its sections, long ones cut at deeper headings and between paragraphs", () => {
    const paragraph = `${"mot ".repeat(150)}\n\n`;
    const text = `# Titre\n\n## A\n\n${paragraph.repeat(2)}## B\n\n### B1\n\n${paragraph.repeat(2)}### B2\n\n${paragraph.repeat(5)}`;
    const found = chunks("note.md", text);
    expect(found.length).toBeGreaterThan(4);
    expect(found.some((line) => line.endsWith("Titre > B > B2"))).toBe(true);
  });
});

const block = fc.oneof(
  fc.constantFrom(
    "# Titre",
    "## Section",
    "### Détail",
    "#hashtag",
    "texte simple",
    "- point\n  suite\n\n  encore",
    "1. un\n2. deux",
    "```js\n# pas un titre\n\n- pas un point\n```",
    "~~~\n```\n~~~",
    "| a | b |\n| - | - |\n| 1 | 2 |",
    "> citation\n> suite",
    "<!-- # caché\n## caché -->",
  ),
  fc.nat(60).map((count) => "mot ".repeat(count * 5)),
);
const document = fc.array(block, { maxLength: 25 }).map((blocks) => `${blocks.join("\n\n")}\n`);
const file = fc.constantFrom("note.md", "changelog.md", "tasks.md", "d/state.md");

it("no chunk is a heading alone: what it introduces goes with it, however long", () => {
  const lines = splitLines(
    `---\ntags: x\n---\n\n# Titre\n\n${"mot ".repeat(600)}\n\n${"fin ".repeat(600)}\n`,
  );
  const cut = chunkLines("note.md", lines);
  expect(cut.map(({ start, end }) => ({ start, end }))).toEqual([
    { start: 1, end: 8 },
    { start: 9, end: 9 },
  ]);
});

it("every line belongs to exactly one chunk, in order, for any markdown", () => {
  fc.assert(
    fc.property(file, document, (path, text) => {
      const lines = splitLines(text);
      let next = 1;
      for (const chunk of chunkLines(path, lines)) {
        expect(chunk.start).toBe(next);
        expect(chunk.end).toBeGreaterThanOrEqual(chunk.start);
        next = chunk.end + 1;
      }
      expect(next).toBe(lines.length + 1);
    }),
    { numRuns: 500 },
  );
});

/** Lines inside which a chunk must not begin: code, and items of lists, as a real parser sees them. */
function inside(text: string): Set<number> {
  const lines = new Set<number>();
  const visit = (
    node: ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>["children"][number],
  ): void => {
    const { position } = node;
    if (node.type === "code" || node.type === "listItem") {
      for (let line = (position?.start.line ?? 0) + 1; line <= (position?.end.line ?? 0); line += 1)
        lines.add(line);
    }
    if ("children" in node) for (const child of node.children) visit(child);
  };
  visit(fromMarkdown(text));
  return lines;
}

it("never begins inside a code fence or a list item, as a markdown parser sees them", () => {
  fc.assert(
    fc.property(document, (text) => {
      const forbidden = inside(text);
      for (const { start } of chunkLines("note.md", splitLines(text)))
        expect(forbidden).not.toContain(start);
    }),
    { numRuns: 300 },
  );
});

it.each([
  ["# Titre\n\nTexte", "# Titre\n\nTexte"],
  ["---\ncreated: 2026-03-09\nupdated: x\ntokens: 12\n---\n\n# Titre", "# Titre"],
  ["---\ntitre: A\ntokens: 12\n---\n\n# Titre", "---\ntitre: A\n---\n\n# Titre"],
  ["---\n---\nTexte", "Texte"],
  ["---\ntokens: 12\n---", ""],
  ["---\nsans fin\ntokens: 3", "---\nsans fin\ntokens: 3"],
  ["Texte\n\n---\ntokens: 3\n---\n", "Texte\n\n---\ntokens: 3\n---\n"],
])("leaves the person's part of %j", (text, left) => {
  expect(withoutJobLines(text)).toBe(left);
});
