import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import * as fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, it } from "vitest";

import { splitFrontmatter } from "./frontmatter.ts";
import { frontmatterLines, headingsOf } from "./headings.ts";
import { countLines, splitLines } from "./lines.ts";

const found = (text: string): string[] => {
  const lines = splitLines(text);
  return headingsOf(lines, frontmatterLines(lines)).map(
    ({ line, level, text: title }) => `${line} ${"#".repeat(level)} ${title}`,
  );
};

describe("headings", () => {
  it("are lines of one to six hashes and a space, or hashes alone", () => {
    expect(
      found(
        "# Un\n## Deux\n###### Six\n####### Sept\n#Mot\n#\n#\tTab\n   ### Retrait\n    # Code\n",
      ),
    ).toEqual(["1 # Un", "2 ## Deux", "3 ###### Six", "6 # ", "7 # Tab", "8 ### Retrait"]);
  });

  it("lose the hashes that close them, and keep those that do not", () => {
    expect(found("# A #\n## B ##   \n# C#\n# D # e\n### ###\n# F \\# g\n")).toEqual([
      "1 # A",
      "2 ## B",
      "3 # C#",
      "4 # D # e",
      "5 ### ",
      "6 # F \\# g",
    ]);
  });

  it.each([
    ["backticks", "```\n# non\n```\n# oui\n"],
    ["tildes", "~~~sh\n# non\n~~~\n# oui\n"],
    ["a longer fence", "````\n```\n# non\n```\n````\n# oui\n"],
    ["a fence closed by a longer one", "```\n# non\n`````\n# oui\n"],
    ["an indented fence", "  ```js\n# non\n   ```\n# oui\n"],
    ["the other kind inside", "```\n~~~\n# non\n```\n# oui\n"],
    ["a closing fence with words, which does not close", "```\n``` x\n# non\n```\n# oui\n"],
    ["a comment", "<!-- début\n# non\nfin -->\n# oui\n"],
  ])("inside %s are not headings", (_, text) => {
    expect(found(text).map((heading) => heading.replace(/^\d+ /u, ""))).toEqual(["# oui"]);
  });

  it("after a comment of one line, or inline code of three ticks, are headings", () => {
    expect(found("<!-- un -->\n# oui\n```js` x ```\n# encore\n")).toEqual([
      "2 # oui",
      "4 # encore",
    ]);
  });

  it("in the frontmatter are not headings", () => {
    expect(found("---\n# commentaire\na: 1\n---\n# Titre\n")).toEqual(["5 # Titre"]);
    expect(found("---\n# pas un bloc\n")).toEqual(["2 # pas un bloc"]);
  });

  it("to the end of an unclosed fence are none", () => {
    expect(found("# oui\n```\n# non\n# non plus\n")).toEqual(["1 # oui"]);
  });
});

describe("the lines of the frontmatter", () => {
  it("are those that the stamp takes for it, in any text", () => {
    const part = fc.constantFrom(
      "---",
      "...",
      "----",
      "--- ",
      "---\t",
      "a: 1",
      "",
      " ---",
      "---\u00a0",
      "---\r",
      "# t",
      "---x",
    );
    const ending = fc.constantFrom("\n", "\n", "\r\n");
    fc.assert(
      fc.property(
        fc.array(fc.tuple(part, ending), { maxLength: 8 }),
        fc.constantFrom("", "---"),
        (parts, last) => {
          const text = parts.map(([line, end]) => line + end).join("") + last;
          const { block } = splitFrontmatter(text);
          const lines = block === null ? 0 : countLines(block.opening + block.yaml + block.closing);
          expect(frontmatterLines(splitLines(text))).toBe(lines);
        },
      ),
      { numRuns: 20_000 },
    );
  });

  it("are none in a text whose rule closes too far away to be one", () => {
    const text = `---\n${"une ligne de texte\n".repeat(10_000)}---\n`;
    expect(splitFrontmatter(text).block).toBeNull();
    expect(frontmatterLines(splitLines(text))).toBe(0);
  });
});

/** Line and level of the top-level headings, as a full markdown parser sees them. */
function parsed(text: string): string[] {
  return fromMarkdown(text)
    .children.filter((node) => node.type === "heading")
    .map((node) => `${node.position?.start.line} ${node.depth}`);
}

function ours(text: string): string[] {
  return headingsOf(splitLines(text), 0).map(({ line, level }) => `${line} ${level}`);
}

it("may be underlined", () => {
  expect(found("Titre\n=====\n\nSous-titre\nsur deux lignes\n---\ntexte\n\n---\n")).toEqual([
    "1 # Titre",
    "4 ## Sous-titre sur deux lignes",
  ]);
});

it("are those a markdown parser finds, in every readme of the packages installed here", () => {
  const folder = path.join(import.meta.dirname, "../../../node_modules");
  const readmes = readdirSync(folder)
    .map((name) => path.join(folder, name, "README.md"))
    .filter((file) => existsSync(file));
  expect(readmes.length).toBeGreaterThan(20);
  for (const readme of readmes) {
    const text = readFileSync(readme, "utf8");
    expect(ours(text), readme).toEqual(parsed(text));
  }
});

it("are those a markdown parser finds, in any mix of lines", () => {
  const line = fc.constantFrom(
    "",
    "texte",
    "# titre",
    "## titre",
    "===",
    "---",
    "- point",
    "  suite",
    "> citation",
    "```",
    "~~~",
    "1. un",
    "    code",
    "***",
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const text = `${lines.join("\n")}\n`;
      expect(ours(text)).toEqual(parsed(text));
    }),
    { numRuns: 3000 },
  );
});
