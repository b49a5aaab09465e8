import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  carriesKeys,
  jobValue,
  plainValue,
  splitFrontmatter,
  stampFrontmatter,
  tokensOfItself,
  type Stamped,
} from "./frontmatter.ts";
import { versionHash } from "./version.ts";

const CREATED = "2026-02-03T04:05:06";
const UPDATED = "2026-07-08T09:10:11";
const times = { created: CREATED, updated: UPDATED };

function stamped(text: string, given: { created?: string; updated?: string } = times): string {
  const result = stampFrontmatter(text, given);
  if (result.kind === "left") throw new Error(`left: ${result.problem}`);
  return result.text;
}

/** What the `tokens` line says, and what is true. */
function tokensIn(text: string): { said: number; real: number } {
  return { said: Number(plainValue(text, "tokens")), real: Math.ceil(text.length / 4) };
}

describe("the tokens of a stamped text", () => {
  it("are those of the whole file, its own line counted, at every length", () => {
    for (let length = 0; length < 700; length += 1) {
      const { said, real } = tokensIn(stamped("x".repeat(length)));
      expect(said).toBe(real);
    }
  });

  it.each([40, 400, 4000, 40_000, 400_000])(
    "are right around %d characters, where a digit more changes the number",
    (length) => {
      for (let off = -200; off <= 20; off += 1) {
        const { said, real } = tokensIn(stamped("y".repeat(Math.max(0, length + off))));
        expect(said).toBe(real);
      }
    },
  );

  it("are right for any text, with a mark, CRLF, emoji, lone surrogates, and a block or none", () => {
    const part = fc.constantFrom(
      "\r\n",
      "\n",
      "\r",
      "🌳",
      "é",
      "---\n",
      "---\r\n",
      "a: 1\n",
      "# t",
      "\ud800",
    );
    const text = fc
      .tuple(
        fc.constantFrom("", "\ufeff"),
        fc.constantFrom(
          "",
          "---\n---\n",
          "---\r\ntitre: x\r\n---\r\n",
          "---\ntokens: 99999999\n---\n",
        ),
        fc.array(fc.oneof(part, fc.string({ unit: "binary", maxLength: 20 })), { maxLength: 12 }),
      )
      .map((parts) => parts[0] + parts[1] + parts[2].join(""));
    fc.assert(
      fc.property(text, (content) => {
        const result = stampFrontmatter(content, times);
        if (result.kind === "left") {
          expect(result.problem).not.toBe("");
          return;
        }
        const { said, real } = tokensIn(result.text);
        expect(said).toBe(real);
        expect(stamped(result.text)).toBe(result.text);
        expect(result.text.endsWith(splitFrontmatter(content).body)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it("are the smallest number that is true of itself", () => {
    for (let bare = 0; bare < 50_000; bare += 1) {
      const tokens = tokensOfItself(bare);
      expect(Math.ceil((bare + String(tokens).length) / 4)).toBe(tokens);
    }
  });
});

describe("a text without frontmatter", () => {
  it("gets a block, one empty line, and keeps its own bytes", () => {
    expect(stamped("# Titre\n")).toBe(
      `---\ncreated: ${CREATED}\nupdated: ${UPDATED}\ntokens: 22\n---\n\n# Titre\n`,
    );
  });

  it("keeps its mark first and its line endings", () => {
    const text = stamped("\ufeff# Titre\r\n\r\ntexte\r\n");
    expect(text.startsWith("\ufeff---\r\ncreated: ")).toBe(true);
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
    expect(text.endsWith("---\r\n\r\n# Titre\r\n\r\ntexte\r\n")).toBe(true);
  });

  it("gets no second empty line when it begins with one, and none when it is empty", () => {
    expect(stamped("\ntexte")).toMatch(/tokens: \d+\n---\n\ntexte$/u);
    expect(stamped("")).toMatch(/tokens: \d+\n---\n$/u);
  });

  it("may begin with a rule, or with a block that never closes", () => {
    for (const text of [
      "---\n",
      "---\ntexte\n",
      "----\ntexte\n",
      "---x\n---\n",
      "\n---\na: 1\n---\n",
    ]) {
      expect(stamped(text).endsWith(`---\n\n${text.replace(/^\n/u, "")}`)).toBe(true);
    }
  });
});

describe("a block in another hand's style", () => {
  const kept = [
    ["comments and order", "# en tête\nb: 2 # fin\n\n# milieu\na: 1\n# pied\n"],
    ["quotes", "'simple': \"double\"\n\"clé avec : deux points\": 'l''apostrophe'\n"],
    ["nested maps and lists", "a:\n  tokens: 5\n  updated: jamais\nlist:\n  - created: x\n  - y\n"],
    ["block scalars", "texte: |\n  tokens: 5\n  ---pas une fin\n\nplié: >-\n  un\n  deux\n"],
    ["flow values", "étiquettes: [a, b,\n  c]\nmap: {tokens: 1, updated: 2}\n"],
    ["anchors between other keys", "base: &b {x: 1}\nautre: *b\nfusion:\n  <<: *b\n"],
    ["odd spacing", "a:    1   \nb :  2\nc:\n   d:   3\n"],
    ["explicit types", "n: !!str 5\nd: 2026-01-01\nnul: ~\nvide:\n"],
    ["a key with a colon in its value", "url: http://exemple.test:8080/x#y\nheure: 12:30\n"],
    ["tabs after values", "a: 1\t\nb: 2\t# c\n"],
    ["accents and emoji", "ñandú: \u{1f9a4}\nété: \u00e9\n"],
    ["an indented block", "  a: 1\n  b: 2\n"],
  ] as const;

  it.each(kept)("is kept byte for byte: %s", (_, yaml) => {
    for (const block of [yaml, yaml.replaceAll("\n", "\r\n")]) {
      const ending = block.includes("\r\n") ? "\r\n" : "\n";
      const text = `---${ending}${block}---${ending}corps${ending}`;
      const result = stamped(text);
      expect(result.startsWith(`---${ending}${block}`)).toBe(true);
      expect(result.endsWith(`---${ending}corps${ending}`)).toBe(true);
      expect(
        tokensIn(result).said || Number(/tokens: (\d+)/u.exec(result.slice(text.length - 20))?.[1]),
      ).toBe(tokensIn(result).real);
      expect(stamped(result)).toBe(result);
    }
  });

  it.each([
    ["plain", "tokens: 5\n"],
    ["with a comment", "tokens: 5 # compté\n"],
    ["with nothing", "tokens:\n"],
    ["with nothing but a comment", "tokens: # à remplir\n"],
    ["quoted", "'tokens': \"5\"\n"],
    ["with a gap before the colon", "tokens :   5\n"],
    ["as null", "tokens: ~\n"],
    ["on the next line", "tokens:\n  5\n"],
    ["as a block scalar", "tokens: |\n  5\n"],
    ["as a kept block scalar", "tokens: |+\n  5\n\n\n"],
    ["as a folded scalar", "tokens: >-\n  5\n  6\n"],
    ["as a list", "tokens:\n  - 5\n  - 6\n"],
    ["as a list at the margin", "tokens:\n- 5\n- 6\n"],
    ["as a map", "tokens:\n  a: 5\n"],
    ["in flow form", "tokens: [5,\n  6]\n"],
    ["over lines in quotes", 'tokens: "5\n  6"\n'],
    ["with a type", "tokens: !!int 5\n"],
    ["by reference", "n: &n 5\ntokens: *n\n"],
    ["as an explicit key", "? tokens\n: 5\n"],
    ["with an anchor nobody uses", "tokens: &t 5\n"],
    ["with an anchor that is used", "tokens: &t 5\nautre: *t\n"],
    ["twice", "tokens: 5\ntokens: 6\n"],
    ["first of several", "tokens: 5\nfin: oui\n"],
  ])("may have our key %s: set, or left and said so", (_, yaml) => {
    for (const [before, after] of [
      ["", ""],
      ["avant: 1\n", "après: |\n  2\n"],
    ]) {
      const text = `---\n${before}${yaml}${after}---\ncorps\n`;
      const result: Stamped = stampFrontmatter(text, { updated: UPDATED });
      if (result.kind === "left") {
        expect(result.problem.length).toBeGreaterThan(5);
        continue;
      }
      expect(result.text.startsWith(`---\n${before}`)).toBe(true);
      expect(result.text.endsWith(`${after}updated: ${UPDATED}\n---\ncorps\n`)).toBe(true);
      expect(stamped(result.text, { updated: UPDATED })).toBe(result.text);
      if (result.left !== null) {
        expect(result.left).toMatchObject({ reason: "own-key" });
        expect(result.text).toContain(`${before}${yaml}`);
        continue;
      }
      const real = Math.ceil(result.text.length / 4);
      expect(/tokens['"]?\s*:\s*(?:!!int )?(\d+)/u.exec(result.text)?.[1]).toBe(String(real));
    }
  });

  it.each([
    ["not YAML", "a: [1\n"],
    ["with a tab for indent", "a:\n\tb: 1\n"],
    ["a list", "- a\n- b\n"],
    ["a word", "bonjour\n"],
    ["in braces", "{a: 1}\n"],
    ["with a key twice", "a: 1\na: 2\n"],
    ["with a list as key", "? [a, b]\n: 1\n"],
    ["with a quote left open", 'a: "b\n'],
    ["a null", "~\n"],
  ])("is left when it is %s, and says why", (_, yaml) => {
    const result = stampFrontmatter(`---\n${yaml}---\ncorps\n`, times);
    expect(result.kind).toBe("left");
    expect(result.kind === "left" ? result.problem : "").toMatch(/\w{3}/u);
  });

  it("closed with dots, or with spaces after the rules, keeps them", () => {
    expect(stamped("---  \na: 1\n...\t\nx")).toMatch(/^--- {2}\na: 1\n[^]*\n\.\.\.\t\nx$/u);
    expect(stamped("---\na: 1\n---")).toMatch(/^---\na: 1\n[^]*\n---$/u);
  });

  it("keeps the times it has when none are given", () => {
    const text = "---\ncreated: hier\nupdated: 'ce matin'\n---\nx\n";
    expect(stamped(text, {})).toBe("---\ncreated: hier\nupdated: 'ce matin'\ntokens: 14\n---\nx\n");
  });
});

describe("all three keys in our form", () => {
  const three = "created: 2021-03-05T10:00:00\nupdated: 2021-03-06T10:00:00\ntokens: 12\n";
  const deeper = three.replaceAll(/^/gmu, "  ").trimEnd();

  it.each([
    ["at the top", three],
    ["of an indented block", `${deeper}\n`],
    ["between other keys and comments", `a: 1\n# deux\n${three}b:\n  - c\n`],
    ["above the same names deeper down", `${three}usage:\n${deeper}\n`],
    ["below the same names deeper down", `usage:\n  updated: 2001-01-01T00:00:00\n${three}`],
  ])("are ours %s", (_, yaml) => {
    const text = `---\n${yaml}---\ncorps\n`;
    expect(carriesKeys(text)).toBe(true);
    expect(jobValue(text, "updated")).toBe("2021-03-06T10:00:00");
    expect(carriesKeys(`\ufeff${text.replaceAll("\n", "\r\n")}`)).toBe(true);
  });

  it.each([
    ["under another key", `usage:\n${deeper}\n`],
    ["in a text of several lines", `titre: x\nnote: |\n${deeper}\n`],
    [
      "in a list",
      `runs:\n  - created: 2021-03-05T10:00:00\n${deeper.slice(deeper.indexOf("\n") + 1)}\n`,
    ],
    ["one of them under another key", three.replace("tokens", "usage:\n  tokens")],
    ["one of them with a value that goes on below", `${three}  13\n`],
    ["behind a comment", three.replaceAll(/^/gmu, "# ")],
  ])("are the person's %s", (_, yaml) => {
    for (const text of [yaml, yaml.replaceAll("\n", "\r\n")].map(
      (each) => `---\n${each}---\ncorps\n`,
    ))
      expect(carriesKeys(text)).toBe(false);
  });

  it("keep their values when the same names stand under another key", () => {
    const text = `---\nusage:\n${deeper}\n---\ncorps\n`;
    expect(jobValue(text, "updated")).toBeNull();
    const result = stamped(text);
    expect(result).toMatch(
      /^---\nusage:\n {2}created: 2021.*\n {2}updated: 2021.*\n {2}tokens: 12\ncreated: 2026.*\nupdated: 2026.*\ntokens: \d+\n---\ncorps\n$/u,
    );
    expect(jobValue(result, "updated")).toBe(UPDATED);
    expect(carriesKeys(result)).toBe(true);
    expect(versionHash(Buffer.from(result))).toBe(versionHash(Buffer.from(text)));
  });
});

describe("the version of a text", () => {
  it("does not change when the job stamps it, in whatever style its keys are", () => {
    const texts = [
      "texte\n",
      "\ntexte\n",
      "\ufefftexte\r\n",
      "",
      "---\n---\n",
      "---\ntitre: x\n---\n\ntexte\n",
      "---\r\ntitre: x\r\n---\r\ntexte\r\n",
      "---\n\"tokens\": 5\n'updated': x\n---\ntexte\n",
      "---\ntokens : 5\n---\ntexte\n",
      "---\n  titre: x\n  tokens: 5\n---\ntexte\n",
      "---\ntokens: |\n  5\ntitre: x\n---\ntexte\n",
      "---\nupdated:\n  2020-01-01\ntitre: x\n---\ntexte\n",
      "---\n? tokens\n: 5\n---\ntexte\n",
      "---\ntokens: 5 # compté\n---\ntexte\n",
      "---\na: |\n  b\n\n---\ntexte\n",
      `---\ntitre: ${"é".repeat(40_000)}\n---\ntexte\n`,
      `---\ntitre: ${"e".repeat(70_000)}\n---\ntexte\n`,
    ];
    const changed = texts.filter((text) => {
      const result = stampFrontmatter(text, times);
      if (result.kind === "left") return false;
      return versionHash(Buffer.from(text)) !== versionHash(Buffer.from(result.text));
    });
    expect(changed.map((text) => text.slice(0, 60))).toEqual([]);
  });

  it("changes with the text, with a key of the person's, and with a key's place in a nested map", () => {
    const base = "---\ntitre: x\nmap:\n  tokens: 1\n---\ntexte\n";
    const others = [
      base.replace("texte", "textes"),
      base.replace("titre: x", "titre: y"),
      base.replace("  tokens: 1", "  tokens: 2"),
      base.replace("titre: x\n", ""),
    ];
    const hashes = [base, ...others].map((text) => versionHash(Buffer.from(text)));
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
