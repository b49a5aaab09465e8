import { appendFileSync, closeSync, ftruncateSync, openSync, writeFileSync } from "node:fs";
import path from "node:path";

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { codeOf } from "../../testing/expected-error.ts";
import { temporaryVault } from "../../testing/temporary-vault.ts";
import { splitLines } from "./lines.ts";
import type { LineRun } from "./text-file.ts";
import type { LocalVault } from "../vault.ts";
import { SMALL_FILE } from "./version.ts";

const file = (vault: LocalVault, name: string): string => path.join(vault.root, name);

/** The lines of a text, each with what it costs: its length and its newline, which the last one may not have. */
function costsOf(text: string): { line: string; cost: number }[] {
  const lines = splitLines(text.replace(/^\ufeff/u, ""));
  const isEnded = (at: number): boolean => at < lines.length - 1 || text.endsWith("\n");
  return lines.map((line, at) => ({ line, cost: line.length + (isEnded(at) ? 1 : 0) }));
}

type Costs = ReturnType<typeof costsOf>;

/** What `head` must give, counted in the plainest way. */
function plainHead(costs: Costs, characters: number): LineRun {
  let [spent, taken] = [0, 0];
  for (const { cost } of costs) {
    if (spent + cost > characters) break;
    spent += cost;
    taken += 1;
  }
  const run = { first: 1, lines: costs.slice(0, taken).map(({ line }) => line) };
  const [first] = costs;
  return taken === 0 && first !== undefined ? { ...run, tooLong: first.cost } : run;
}

function plainTail(costs: Costs, characters: number): LineRun {
  const { lines: taken, ...rest } = plainHead(costs.toReversed(), characters);
  return { ...rest, first: costs.length - taken.length + 1, lines: taken.toReversed() };
}

const fill = (line: (at: number) => string, ending: string, count: number): string =>
  Array.from({ length: count }, (_, at) => line(at) + ending).join("");

/** Texts over the limit of what is handled whole, each odd in its way. */
const large: [string, string][] = [
  ["plain lines", fill((at) => `ligne ${at} d'un journal de bord`, "\n", 50_000)],
  ["CRLF and a mark", `\ufeff${fill((at) => `ligne ${at} du carnet`, "\r\n", 60_000)}`],
  ["no final newline", `${fill((at) => `é${at}`, "\n", 200_000)}la dernière`],
  ["emoji everywhere", fill((at) => "🌳".repeat(at % 40), "\n", 20_000)],
  ["empty lines only", "\n".repeat(SMALL_FILE + 5000)],
  ["CRLF empty lines only", "\r\n".repeat(SMALL_FILE)],
  ["one line without end", "x".repeat(SMALL_FILE + 100)],
  ["one line with an end", `${"é".repeat(SMALL_FILE)}\n`],
  ["a long line among short ones", `a\nb\n${"long ".repeat(300_000)}\nc\nd\n`],
  ["a long line last", `a\nb\n${"€".repeat(400_000)}`],
  ["lone returns", fill((at) => `a\r${at}\rb`, "\n", 150_000)],
  ["a return last", `${fill((at) => `ligne ${at}`, "\n", 150_000)}fin\r`],
  ["lines of exactly a chunk", fill(() => "y".repeat(256 * 1024 - 1), "\n", 6)],
  [
    "a mark and a first line longer than a chunk",
    `\ufeff${"z".repeat(300_000)}\n${"w\n".repeat(500_000)}`,
  ],
];

describe.each(large)("a large text of %s", (_, content) => {
  const lines = splitLines(content.replace(/^\ufeff/u, ""));
  const total = lines.length;

  it("has the lines that a plain split gives: head, tail and any range", async () => {
    const vault = temporaryVault({ "a.md": content });
    const text = await vault.openText("a.md");
    expect(text.version.hash).toBeNull();
    expect(text.totalLines).toBe(total);
    expect(text.bytes).toBe(Buffer.byteLength(content));
    const costs = costsOf(content);
    for (const characters of [1, 2, 3, 50, 4000, 200_000, 10_000_000]) {
      expect(text.head(characters)).toEqual(plainHead(costs, characters));
      expect(text.tail(characters)).toEqual(plainTail(costs, characters));
    }
    const starts = [1, 2, 4095, 4096, 4097, 8193, Math.floor(total / 2), total - 1, total];
    for (const start of new Set(starts.filter((line) => line >= 1 && line <= total))) {
      for (const end of [start, start + 1, start + 100].filter((line) => line <= total)) {
        expect(text.range(start, end)).toEqual({
          first: start,
          lines: lines.slice(start - 1, end),
        });
      }
    }
  });
});

describe("a small text", () => {
  it("has the lines that a plain split gives, for any content and budget", async () => {
    const vault = temporaryVault();
    const odd = fc.constantFrom("\n", "\r\n", "\r", "é", "🌳", "mot ", "");
    const content = fc.array(odd, { maxLength: 30 }).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(
        content,
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        async (body, bom, budget) => {
          writeFileSync(file(vault, "a.md"), (bom ? "\ufeff" : "") + body);
          const lines = splitLines(body);
          const text = await vault.openText("a.md");
          expect(text.totalLines).toBe(lines.length);
          expect(text.head(budget)).toEqual(plainHead(costsOf(body), budget));
          expect(text.tail(budget)).toEqual(plainTail(costsOf(body), budget));
          if (lines.length > 0) expect(text.range(1, lines.length).lines).toEqual(lines);
        },
      ),
      { numRuns: 400 },
    );
  });

  it("agrees with a large one at the limit between them", async () => {
    const body = "0123456789abcde\n".repeat(SMALL_FILE / 16);
    const vault = temporaryVault({ "small.md": body, "large.md": `${body}\n` });
    const [small, big] = [await vault.openText("small.md"), await vault.openText("large.md")];
    expect([small.version.hash === null, big.version.hash === null]).toEqual([false, true]);
    expect(big.totalLines).toBe(small.totalLines + 1);
    expect(big.head(5000)).toEqual(small.head(5000));
    expect(big.range(70, 90)).toEqual(small.range(70, 90));
  });
});

describe("bytes that are not text", () => {
  const pad = "texte ".repeat(SMALL_FILE / 5);
  const bad: [string, Buffer][] = [
    ["a lone continuation byte", Buffer.from([0x61, 0x80, 0x62])],
    ["half a character", Buffer.from([0xc3])],
    ["latin1", Buffer.from("caf\u00e9", "latin1")],
    ["a surrogate", Buffer.from([0xed, 0xa0, 0x80])],
    ["an overlong form", Buffer.from([0xc0, 0xaf])],
    ["beyond Unicode", Buffer.from([0xf5, 0x80, 0x80, 0x80])],
    ["UTF-16", Buffer.from("texte", "utf16le")],
    ["a NUL", Buffer.from("a\0b")],
  ];

  it.each(bad)(
    "are refused, small or large, first, last or in the middle: %s",
    async (_, bytes) => {
      const vault = temporaryVault({
        "small.md": bytes,
        "first.md": Buffer.concat([bytes, Buffer.from(pad)]),
        "last.md": Buffer.concat([Buffer.from(pad), bytes]),
        "middle.md": Buffer.concat([Buffer.from(pad), bytes, Buffer.from(pad)]),
      });
      for (const name of ["small.md", "first.md", "last.md", "middle.md"]) {
        expect(await codeOf(async () => vault.openText(name))).toBe("not_text");
        // And again, now that its lines are known.
        expect(await codeOf(async () => vault.openText(name))).toBe("not_text");
      }
    },
  );

  it("are told from characters cut by the end of a chunk, wherever it falls", async () => {
    const vault = temporaryVault();
    const chunk = 1024 * 1024;
    for (const character of ["é", "€", "🌳"]) {
      for (let shift = 0; shift < 5; shift += 1) {
        const start = "a".repeat(chunk - shift);
        writeFileSync(file(vault, "a.md"), `${start}${character.repeat(40)}\nfin`);
        const text = await vault.openText("a.md");
        expect(text.tail(3000).lines.at(-1)).toBe("fin");
        const cut = Buffer.from(`${start}${character}`).subarray(0, -1);
        writeFileSync(file(vault, "b.md"), Buffer.concat([cut, Buffer.from("a".repeat(100))]));
        expect(await codeOf(async () => vault.openText("b.md"))).toBe("not_text");
      }
    }
  });
});

describe("a file of 300 MB", () => {
  it("is refused as too large, read or changed, and none of it is held in memory", async () => {
    const vault = temporaryVault();
    const fd = openSync(file(vault, "dump.md"), "w");
    ftruncateSync(fd, 300 * 1024 * 1024);
    closeSync(fd);
    const before = process.memoryUsage().arrayBuffers;
    expect(await codeOf(async () => vault.openText("dump.md"))).toBe("too_large");
    const changing = async (): Promise<unknown> =>
      vault.change({ actor: "t", call: "t", batch: null }, async (change) =>
        change.readWhole("dump.md"),
      );
    expect(await codeOf(changing)).toBe("too_large");
    expect(await vault.shape("dump.md")).toMatchObject({ facts: { kind: "other", tokens: 0 } });
    expect(await vault.readBytes("dump.md", 10)).toMatchObject({ size: 300 * 1024 * 1024 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
  });
});

describe("a line of many megabytes", () => {
  it("is too long for any small budget, and says what it costs", async () => {
    const vault = temporaryVault({ "a.md": "z".repeat(16_000_000) });
    const text = await vault.openText("a.md");
    expect(text.head(1000)).toEqual({ first: 1, lines: [], tooLong: 16_000_000 });
  });
});

describe("a large file that changes while it is looked at", () => {
  it("is refused as busy rather than shown in part", async () => {
    const vault = temporaryVault({ "a.md": "une ligne\n".repeat(200_000) });
    const text = await vault.openText("a.md");
    appendFileSync(file(vault, "a.md"), "encore\n");
    expect(await codeOf(() => text.range(1, 2))).toBe("busy");
    expect(await codeOf(() => text.head(100))).toBe("busy");
    expect(await codeOf(() => text.tail(100))).toBe("busy");
    expect((await vault.openText("a.md")).totalLines).toBe(200_001);
  });
});
