import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  block,
  countLines,
  formatRange,
  lineEndingOf,
  numberLines,
  numberWidth,
  splitLines,
  stripNumbers,
  toLf,
  withLineEnding,
} from "./lines.ts";
import { localDay, localTime, readTime } from "../../text/local-time.ts";
import { countTokens, formatBytes, formatTokens } from "../../text/tokens.ts";

const odd = fc.constantFrom(
  "\n",
  "\r\n",
  "\r",
  "\r\r\n",
  "12 | x",
  "3  |",
  "| ",
  "\u2028",
  "\u0085",
  "```",
  " ",
  "é🌳",
);
const text = fc
  .array(fc.oneof(odd, fc.string({ maxLength: 6 })), { maxLength: 20 })
  .map((parts) => parts.join(""));

describe("splitLines", () => {
  it.each([
    ["", []],
    ["\n", [""]],
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["a\n\n", ["a", ""]],
    ["\r\n", [""]],
    ["a\r\nb", ["a", "b"]],
    ["a\rb\n", ["a\rb"]],
    ["a\r", ["a\r"]],
    ["a\r\r\nb\n", ["a\r", "b"]],
    ["a\u2028b\u0085c\n", ["a\u2028b\u0085c"]],
  ])("splits %j into %j", (given, lines) => {
    expect(splitLines(given)).toEqual(lines);
    expect(countLines(given)).toBe(lines.length);
  });

  it("loses nothing but line endings, for any text", () => {
    fc.assert(
      fc.property(text, (given) => {
        const lines = splitLines(given);
        expect(lines).toHaveLength(countLines(given));
        const final = given.endsWith("\n") ? "\n" : "";
        expect(lines.join("\n") + final).toBe(toLf(given));
      }),
      { numRuns: 5000 },
    );
  });
});

describe("line endings", () => {
  it("are those of the first line, in a mixed text", () => {
    expect(["a\r\nb\n", "a\nb\r\n", "a", "\n", "\r\n", "a\rb"].map(lineEndingOf)).toEqual([
      "\r\n",
      "\n",
      "\n",
      "\n",
      "\r\n",
      "\n",
    ]);
  });

  it("can be changed there and back", () => {
    expect(withLineEnding("a\r\nb\nc", "\r\n")).toBe("a\r\nb\r\nc");
    expect(withLineEnding("a\r\nb\nc", "\n")).toBe("a\nb\nc");
    expect(toLf("a\r\r\nb")).toBe("a\r\nb");
  });
});

describe("numbered lines", () => {
  it("look as the contract shows them", () => {
    const lines = ["---", "", "## Titre", "  retrait", " "];
    expect(numberLines(lines, 8, numberWidth(14))).toBe(
      "8  | ---\n9  |\n10 | ## Titre\n11 |   retrait\n12 |  ",
    );
  });

  it("are as wide as the last number of the file, two at least", () => {
    expect([0, 1, 9, 10, 99, 100, 9999, 10_000, 1_000_000].map(numberWidth)).toEqual([
      2, 2, 2, 2, 2, 3, 4, 5, 7,
    ]);
    expect(numberLines(["x"], 7, 4)).toBe("7    | x");
    expect(numberLines([], 1, 2)).toBe("");
  });

  it("look the same far down a long file, where no prefix is kept ready", () => {
    expect(numberLines(["a", "", "b"], 16_384, 6)).toBe("16384  | a\n16385  |\n16386  | b");
    expect(numberLines(["a"], 999_999, 7)).toBe("999999  | a");
  });

  it("give the text back when their numbers are taken off, whatever it holds", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 200_000 }), fc.nat(5), (given, first, more) => {
        const lines = splitLines(given);
        if (lines.length === 0) return;
        const width = numberWidth(first + lines.length - 1) + more;
        const shown = numberLines(lines, first, width);
        expect(shown.split("\n")).toHaveLength(lines.length);
        for (const sequence of ["consecutive", "any"] as const) {
          const expected = { kind: "numbered", first, text: lines.join("\n") };
          expect(stripNumbers(shown, sequence)).toEqual(expected);
          expect(stripNumbers(`${shown}\n`, sequence)).toMatchObject({ kind: "numbered", first });
        }
      }),
      { numRuns: 5000 },
    );
  });

  it("cannot be closed by a fence in the text", () => {
    const shown = block("vault/a.md", numberLines(["```", "~~~", "````"], 1, 2));
    expect(shown.split("\n").filter((line) => line.startsWith("```"))).toEqual([
      "```vault/a.md",
      "```",
    ]);
    expect(block("vault/vide.md", "")).toBe("```vault/vide.md\n```");
  });
});

describe("taking numbers off", () => {
  it("leaves a text without any as it is", () => {
    for (const plain of ["", "texte", "- 1 | 2", "| a | b |", "a\nb\n"]) {
      expect(stripNumbers(plain, "consecutive")).toEqual({ kind: "plain" });
    }
  });

  it("names the first line that does not fit", () => {
    expect(stripNumbers("4  | a\nb\n6  | c", "consecutive")).toMatchObject({
      kind: "odd",
      line: 2,
      shown: "b",
    });
    expect(stripNumbers("a\n5  | b", "any")).toMatchObject({ kind: "odd", line: 1 });
    expect(stripNumbers("4  | a\n6  | c", "consecutive")).toMatchObject({ kind: "odd", line: 2 });
    expect(stripNumbers("4  | a\n6  | c", "any")).toEqual({
      kind: "numbered",
      first: 4,
      text: "a\nc",
    });
  });

  it("takes off one number only, from a line that holds a table or a number itself", () => {
    expect(stripNumbers("4  | 5  | x\n5  | | a |", "consecutive")).toEqual({
      kind: "numbered",
      first: 4,
      text: "5  | x\n| a |",
    });
  });
});

describe("tokens", () => {
  it("are a quarter of the JavaScript length, rounded up", () => {
    expect(["", "a", "abcd", "abcde", "🌳🌳"].map(countTokens)).toEqual([0, 1, 1, 2, 1]);
  });

  it.each([
    [0, "0"],
    [999, "999"],
    [1000, "1k"],
    [1049, "1k"],
    [1060, "1.1k"],
    [9949, "9.9k"],
    [9951, "10k"],
    [18_300, "18.3k"],
    [999_949, "999.9k"],
    [999_950, "1M"],
    [1_000_000, "1M"],
    [1_240_000, "1.2M"],
    [123_456_789, "123.5M"],
  ])("%d is shown as %s", (tokens, shown) => {
    expect(formatTokens(tokens)).toBe(shown);
  });

  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1000, "1 kB"],
    [1499, "1 kB"],
    [214_400, "214 kB"],
    [999_499, "999 kB"],
    [999_500, "1 MB"],
    [1_440_000, "1.4 MB"],
    [999_949_999, "999.9 MB"],
    [999_950_000, "1 GB"],
    [268_435_456, "268.4 MB"],
  ])("%d bytes are shown as %s", (bytes, shown) => {
    expect(formatBytes(bytes)).toBe(shown);
  });

  it("are never shown with a unit too many, for any number", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_000_000 }), (number) => {
        expect(formatTokens(number)).toMatch(/^\d{1,3}(?:\.[1-9])?[kM]?$/u);
        expect(formatBytes(number)).toMatch(/^\d{1,3}(?:\.[1-9])? (?:B|kB|MB|GB)$/u);
      }),
      { numRuns: 5000 },
    );
  });
});

describe("times", () => {
  it("are written in local time and read back the same", () => {
    const date = new Date(2026, 0, 5, 7, 8, 9);
    expect(localTime(date)).toBe("2026-01-05T07:08:09");
    expect(localDay(date)).toBe("2026-01-05");
    expect(readTime(localTime(date))).toBe("2026-01-05T07:08:09");
  });

  it.each([
    ["2026-01-05", "2026-01-05T00:00:00"],
    ["2026-01-05 07:08", "2026-01-05T07:08:00"],
    ["2026-01-05T07:08:09.123", "2026-01-05T07:08:09"],
  ])("reads %j", (given, time) => {
    expect(readTime(given)).toBe(time);
  });

  it.each(["", "hier", "2026-13-45", "05/01/2026", "2026-01-05T", "20260105", "2026-01-05T99:99"])(
    "does not read %j as a time",
    (given) => {
      expect(readTime(given)).toBeNull();
    },
  );

  it("turns a time with a zone into local time", () => {
    const local = localTime(new Date(Date.UTC(2026, 5, 1, 12, 0, 0)));
    expect(readTime("2026-06-01T12:00:00Z")).toBe(local);
    expect(readTime("2026-06-01T14:00:00+02:00")).toBe(local);
    expect(readTime("2026-06-01T14:00:00+0200")).toBe(local);
  });

  it("formats a range", () => {
    expect(formatRange({ start: 3, end: 3 })).toBe("3-3");
  });
});
