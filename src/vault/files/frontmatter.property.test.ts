import * as fc from "fast-check";
import { expect, it } from "vitest";
import { parse } from "yaml";

import { mergeFrontmatter, splitFrontmatter, stampFrontmatter } from "./frontmatter.ts";
import { countTokens } from "../../text/tokens.ts";
import { versionHash } from "./version.ts";

const UPDATED = "2026-07-08T09:10:11";
const CREATED = "2026-02-03T04:05:06";

/** A piece of a block: text that must survive, or `hole`: the value of one of our keys, which may change. */
interface Piece {
  readonly before: string;
  readonly hole: string | null;
  readonly after: string;
}

const word = fc.constantFrom(
  "titre",
  "x",
  "étiquettes",
  "un mot",
  "clé-2",
  "Tokens",
  "updated_at",
  "a.b",
);
const plainScalar = fc.constantFrom(
  "1",
  "vrai",
  "deux mots",
  "2026-01-01",
  "12:30",
  "~",
  "",
  "a#b",
  "http://x.test/",
);
const comment = fc.constantFrom("", "", "", " # note", " # tokens: 5", "   #", "\t# tab");

const value = fc.oneof(
  plainScalar.map((text) => (text === "" ? "" : ` ${text}`)),
  fc.constantFrom(
    " 'l''un'",
    ' "a\\tb: c"',
    " [a, b, {c: d}]",
    " {tokens: 1, updated: 2}",
    " !!str 5",
  ),
  fc.constantFrom(
    "\n  sous: 1\n  tokens: 2",
    "\n  - a\n  - b: c",
    "\n- a\n- tokens: 3",
    " |\n  tokens: 5\n  # non\n\n  fin",
  ),
  fc.constantFrom(
    " >-\n  plié\n  encore",
    " |2-\n    indenté",
    ' "sur\n  deux"',
    " [a,\n  b]",
    " |+\n  gardé\n\n",
  ),
);

const other: fc.Arbitrary<Piece> = fc
  .tuple(
    word,
    fc.constantFrom("", "'", '"'),
    fc.constantFrom(":", " :"),
    value,
    comment,
    fc.nat(99),
  )
  .map(([key, quote, colon, text, note, number]) => {
    const plain = text.includes("\n") ? "" : note;
    return {
      before: `${quote}${key}${number}${quote}${colon}${text}${plain}\n`,
      hole: null,
      after: "",
    };
  });

const anchors: fc.Arbitrary<Piece> = fc.nat(9).map((number) => ({
  before: `ancre${number}: &a${number} {x: 1}\nrenvoi${number}: *a${number}\n`,
  hole: null,
  after: "",
}));

const loose: fc.Arbitrary<Piece> = fc
  .constantFrom(
    "# commentaire\n",
    "\n",
    "#\n",
    "# tokens: 9\n",
    "seul9: 1\n   # en retrait\n",
    "seul8: 1\n  \n",
  )
  .map((before) => ({ before, hole: null, after: "" }));

function isOurForm(key: string, text: string): boolean {
  return ["", key === "tokens" ? " 5" : "   2020-01-01T00:00:00"].includes(text);
}

function ours(key: string): fc.Arbitrary<Piece> {
  const text = fc.constantFrom(
    " 5",
    "   2020-01-01T00:00:00",
    " 'hier'",
    ' "5"',
    "",
    " ~",
    " |\n  5",
    " >-\n  5\n  6",
    "\n  5",
    "\n  - 5\n  - 6",
    "\n- 5",
    "\n  a: 1",
    " [1,\n  2]",
    " {a: 1}",
    ' "5\n  6"',
    " !!str 5",
    " &ancre 5",
  );
  return fc
    .tuple(fc.constantFrom("", "'", '"'), fc.constantFrom(":", " :", ":"), text, comment)
    .map(([quote, colon, hole, note]) => {
      const [before, after] = [`${quote}${key}${quote}${colon}`, hole.includes("\n") ? "" : note];
      // A value that is not in our form is the person's, and survives.
      return isOurForm(key, hole)
        ? { before, hole, after: `${after}\n` }
        : { before: `${before}${hole}${after}\n`, hole: null, after: "" };
    });
}

const block = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 5, arbitrary: other },
        { weight: 1, arbitrary: loose },
        { weight: 1, arbitrary: anchors },
      ),
      { maxLength: 5 },
    ),
    fc.option(ours("created"), { nil: null }),
    fc.option(ours("updated"), { nil: null }),
    fc.option(ours("tokens"), { nil: null }),
    fc.infiniteStream(fc.nat(1000)),
  )
  .map(([others, created, updated, tokens, places]) => {
    const pieces = [...others];
    for (const key of [created, updated, tokens]) {
      const place = Number(places.next().value);
      if (key !== null) pieces.splice(place % (pieces.length + 1), 0, key);
    }
    const has = (key: Piece | null): boolean => key !== null;
    const isOwn = (key: Piece | null): boolean => key !== null && key.hole === null;
    return {
      pieces,
      has: { created: has(created), updated: has(updated), tokens: has(tokens) },
      own: { created: isOwn(created), updated: isOwn(updated), tokens: isOwn(tokens) },
    };
  });

const document = fc.record({
  bom: fc.constantFrom("", "", "\ufeff"),
  block,
  crlf: fc.boolean(),
  closing: fc.constantFrom("---\n", "...\n", "---", "--- \n"),
  body: fc.constantFrom("", "\ntexte\n", "texte", "\n---\ntokens: 1\n---\n", "🌳\n".repeat(50)),
});

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);

it("stamps a block changing nothing but the values of our three keys, or leaves it and says why", () => {
  let done = 0;
  fc.assert(
    fc.property(document, ({ bom, block: { pieces, has, own }, crlf, closing, body }) => {
      const end = (text: string): string => (crlf ? text.replaceAll("\n", "\r\n") : text);
      const rest = closing.endsWith("\n") ? body : "";
      const yaml = pieces.map(({ before, hole, after }) => before + (hole ?? "") + after).join("");
      const text = bom + end(`---\n${yaml}${closing}${rest}`);
      const result = stampFrontmatter(text, { created: CREATED, updated: UPDATED });
      if (result.kind === "left") {
        expect(result.problem).toMatch(/\w{3}/u);
        return;
      }
      done += 1;
      const added = [
        has.created ? "" : `created: ${CREATED}\n`,
        has.updated ? "" : `updated: ${UPDATED}\n`,
        has.tokens ? "" : `tokens: ${countTokens(result.text)}\n`,
      ].join("");
      const shape = pieces
        .map(
          ({ before, hole, after }) =>
            escaped(end(before)) + (hole === null ? "" : "[^]*?") + escaped(end(after)),
        )
        .join("");
      const around = new RegExp(
        `^${bom}${escaped(end("---\n"))}${shape}${escaped(end(added + closing + rest))}$`,
        "u",
      );
      expect(result.text).toMatch(around);
      const [old, now] = [
        parse(yaml) ?? {},
        parse(splitFrontmatter(result.text).block?.yaml ?? ""),
      ];
      const stamps = { created: CREATED, updated: UPDATED, tokens: countTokens(result.text) };
      for (const key of ["created", "updated", "tokens"] as const) {
        if (own[key]) continue;
        expect(String(now[key])).toBe(String(stamps[key]));
        delete old[key];
        delete now[key];
      }
      expect(result.left?.reason).toBe(
        own.created || own.updated || own.tokens ? "own-key" : undefined,
      );
      expect(JSON.stringify(now)).toBe(JSON.stringify(old));
      const again = stampFrontmatter(result.text, { created: CREATED, updated: UPDATED });
      expect(again).toEqual(result);
    }),
    { numRuns: 1500 },
  );
  expect(done).toBeGreaterThan(700);
}, 60_000);

it("never changes, by stamping, the version of a text", () => {
  fc.assert(
    fc.property(document, ({ bom, block: { pieces }, crlf, closing, body }) => {
      const yaml = pieces.map(({ before, hole, after }) => before + (hole ?? "") + after).join("");
      const lf = `---\n${yaml}${closing}${closing.endsWith("\n") ? body : ""}`;
      const text = bom + (crlf ? lf.replaceAll("\n", "\r\n") : lf);
      const result = stampFrontmatter(text, { created: CREATED, updated: UPDATED });
      if (result.kind === "left") return;
      expect(versionHash(Buffer.from(result.text))).toBe(versionHash(Buffer.from(text)));
    }),
    { numRuns: 1500 },
  );
}, 60_000);

it("stamps any text at all without failing, and leaves the body as it was", () => {
  const fragment = fc.constantFrom(
    "---",
    "...",
    "\n",
    "\r\n",
    ": ",
    "a",
    "tokens",
    "- ",
    "  ",
    "'",
    '"',
    "|",
    "#",
    "&a ",
    "*a",
    "{",
    "}",
    "[",
    "? ",
    "\t",
    "!",
  );
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 25 }), (parts) => {
      const text = `---\n${parts.join("")}`;
      const result = stampFrontmatter(text, { updated: UPDATED });
      if (result.kind === "left") return;
      expect(result.text.endsWith(splitFrontmatter(text).body)).toBe(true);
      expect(stampFrontmatter(result.text, { updated: UPDATED })).toEqual(result);
    }),
    { numRuns: 4000 },
  );
}, 60_000);

const keys = ["titre", "état", "created", "updated", "tokens", "tags", "note"] as const;
const simpleBlock = fc.dictionary(
  fc.constantFrom(...keys),
  fc.constantFrom(
    "1",
    "'deux'",
    "[a, b]",
    "2026-01-01",
    '"x: y"',
    "|\n  bloc\n  suite",
    "vrai # note",
  ),
);
const writeBlock = (pairs: Record<string, string>): string =>
  Object.entries(pairs)
    .map(([key, text]) => `${key}: ${text}\n`)
    .join("");

it("merges the caller's keys, those it left out, and ours, whatever they are", () => {
  fc.assert(
    fc.property(simpleBlock, fc.option(simpleBlock, { nil: null }), (given, old) => {
      const body = "\nnouveau texte\n";
      const existing = old === null ? null : `\ufeff---\n${writeBlock(old)}---\n\nvieux texte\n`;
      const merged = mergeFrontmatter(`---\n${writeBlock(given)}---\n${body}`, existing);
      if (typeof merged !== "string") throw new Error(merged.problem);
      const split = splitFrontmatter(merged);
      expect(split.body).toBe(body);
      expect(split.bom).toBe(old === null ? "" : "\ufeff");
      const expected: Record<string, unknown> = {};
      const [mine, theirs] = [parse(writeBlock(given)) ?? {}, parse(writeBlock(old ?? {})) ?? {}];
      for (const key of keys) {
        const job = key === "created" || key === "updated" || key === "tokens";
        const own = old?.[key] !== undefined && !(key === "tokens" && old[key] === "1");
        const first = job && !own ? theirs[key] : (mine[key] ?? theirs[key]);
        const chosen = first ?? (key === "created" ? mine[key] : undefined);
        if (chosen !== undefined) expected[key] = chosen;
      }
      expect(parse(split.block?.yaml ?? "") ?? {}).toEqual(expected);
      expect(mergeFrontmatter(merged, merged)).toBe(merged);
    }),
    { numRuns: 1500 },
  );
});
