import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { splitLines } from "../vault/files/lines.ts";
import { replacedLines, replacesIn, replacesText } from "./replaces-line.ts";

const read = (line: string): unknown => {
  const [found] = replacesIn("changelog.md", `${line}\n`);
  return found === undefined ? null : [found.target, found.headings, found.value];
};

describe("a line that replaces", () => {
  it.each([
    ["Replaces: [[a/b#The heading]] (12 m)", ["a/b", ["The heading"], "12 m"]],
    ["Remplace : [[a/b#Titre]] (12 m).", ["a/b", ["Titre"], "12 m"]],
    ["Remplace\u202f: [[a/b]]", ["a/b", [], null]],
    [
      "- Replaces: [[a/b#2026-01-01#[decision] Grey|shown]]",
      ["a/b", ["2026-01-01", "[decision] Grey"], null],
    ],
    ["**Replaces:** [[#Here]] (see [[c]])", ["", ["Here"], "see [[c]]"]],
  ])("is read: %s", (line, expected) => {
    expect(read(line)).toEqual(expected);
  });

  it("is none in raw material, or in a note that others wrote", () => {
    const line = "Replaces: [[a/b]] (12 m)\n";
    for (const name of ["bucket/a.md", "projects/a/bucket/b.md", "inbox/a/review.md", "drop/a.md"])
      expect(replacesIn(name, line)).toEqual([]);
    expect(replacesIn("mail.md", `---\nuntrusted: true\n---\n\n${line}`)).toEqual([]);
    expect(replacesIn("mail.md", `---\ntags: [untrusted]\n---\n\n${line}`)).toHaveLength(1);
  });

  it.each(["It replaces: [[a]]", "Replaces: a/b", "`Replaces: [[a]]`", "    x", "Replaces: [[]]"])(
    "is not: %s",
    (line) => {
      expect(read(line)).toBeNull();
    },
  );

  it("counts neither in frontmatter, nor in code, nor in raw material", () => {
    const line = "Replaces: [[a#b]]";
    expect(replacesIn("a.md", `---\nreplaces: x\n${line}\n---\n\n~~~\n${line}\n~~~\n`)).toEqual([]);
    expect(replacesIn("bucket/a.md", line)).toEqual([]);
    expect(replacesIn("projects/x/bucket/a.md", line)).toEqual([]);
    expect(replacesIn("projects/x/buckets.md", line)).toHaveLength(1);
  });

  it("that was written finds the section it was written for, whatever its heading is called", () => {
    const heading = fc
      .string({ minLength: 1, maxLength: 30, unit: "grapheme" })
      .map((text) => `x${text.replaceAll(/[\r\n\u0085\u2028\u2029]/gu, "").trimEnd()}`)
      .filter((text) => !/#\s*$/u.test(text));
    fc.assert(
      fc.property(heading, fc.constantFrom("en" as const, "fr" as const), (name, language) => {
        const place = { target: "a", headings: [name], value: null };
        const [found] = replacesIn("b.md", `${replacesText(place, language)}\n`);
        const lines = splitLines(`# Other\ny\n\n# ${name}\ntext\n`);
        expect(found && replacedLines(lines, found)).toEqual([{ start: 4, end: 5 }]);
      }),
    );
  });
});

describe("the lines that it names", () => {
  const LOG = splitLines(
    "---\na: 1\n---\n\n# 2026-02-02\n\n## Call\nSix tins.\nBlue.\n\n# 2026-01-01\n\n## Call\nFour tins.\n",
  );
  const of = (headings: string[], value: string | null = null): string =>
    replacedLines(LOG, { headings, value })
      .map(({ start, end }) => `${start}-${end}`)
      .join(" ");

  it("are those with the old value, else the section; of two sections called alike the first, or the one that is told", () => {
    expect(of(["Call"], "four TINS")).toBe("14-14");
    expect(of(["Call"])).toBe("7-10");
    expect(of(["Call"], "nine")).toBe("7-10");
    expect(of(["2026-01-01", "Call"])).toBe("13-14");
    expect(of(["2026-02-02"])).toBe("5-10");
    expect(of(["None"])).toBe("");
    expect(of([], "six")).toBe("8-8");
    expect(of([])).toBe("4-14");
  });
});
