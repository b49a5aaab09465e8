import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

import { callerOf, temporaryFolder, temporaryVault } from "../../testing/temporary-vault.ts";
import { buildLineIndex, LineIndexes, spliceIndex, type LineIndex } from "./line-index.ts";
import { countLines, splitLines } from "./lines.ts";
import { createVault, type LocalVault } from "../vault.ts";

async function indexOf(folder: string, content: string): Promise<LineIndex> {
  const place = path.join(folder, "text");
  writeFileSync(place, content);
  const fd = openSync(place, "r");
  try {
    return await buildLineIndex(fd, "s");
  } finally {
    closeSync(fd);
  }
}

/** Marks that are not true of a text: a line, and the byte where it should begin. */
function falseMarks(index: LineIndex, content: string): (readonly [number, number])[] {
  const bytes = Buffer.from(content);
  return index.marks.filter(([line, offset]) => {
    const before = bytes.subarray(0, offset).toString("utf8");
    return (
      offset > bytes.length ||
      countLines(before) !== line - 1 ||
      (offset > 0 && !before.endsWith("\n"))
    );
  });
}

describe("the index of a file's lines", () => {
  it.each([
    ["", 0],
    ["a", 1],
    ["a\n", 1],
    ["\n\n", 2],
    ["a\r\nb", 2],
    ["x\n".repeat(4096), 4096],
    [`${"x\n".repeat(4096)}y`, 4097],
    ["é\n".repeat(10_000), 10_000],
    ["long ".repeat(500_000), 1],
  ])("counts the lines and marks where some begin (%#)", async (content, lines) => {
    const index = await indexOf(temporaryFolder(), content);
    expect(index).toMatchObject({ lines, isText: true, signature: "s" });
    expect(falseMarks(index, content)).toEqual([]);
    expect(index.marks[0]).toEqual([1, 0]);
  });

  it("after whole lines are replaced is as true as a fresh one, wherever they are", async () => {
    const folder = temporaryFolder();
    const base = Array.from({ length: 13_000 }, (_, at) => `ligne ${at} é\n`);
    const first = await indexOf(folder, base.join(""));
    const size = Buffer.byteLength(base.join(""));
    const place = fc.oneof(
      fc.integer({ min: 1, max: base.length + 1 }),
      fc.constantFrom(
        1,
        2,
        4096,
        4097,
        4098,
        8192,
        8193,
        12_288,
        12_289,
        base.length,
        base.length + 1,
      ),
    );
    const count = fc.oneof(fc.nat(5), fc.constantFrom(0, 4096, 5000, 13_000));
    await fc.assert(
      fc.asyncProperty(place, count, count, async (at, remove, insertedLines) => {
        const removedLines = Math.min(remove, base.length + 1 - at);
        const inserted = Array.from({ length: insertedLines }, (_, line) => `neuf ${line}\n`);
        const now = [
          ...base.slice(0, at - 1),
          ...inserted,
          ...base.slice(at - 1 + removedLines),
        ].join("");
        const shifted = spliceIndex(first, "t", {
          at: Buffer.byteLength(base.slice(0, at - 1).join("")),
          removed: Buffer.from(base.slice(at - 1, at - 1 + removedLines).join("")),
          inserted: Buffer.from(inserted.join("")),
          size,
          startsLine: true,
        });
        expect(shifted).toMatchObject({ lines: countLines(now), isText: true, signature: "t" });
        expect(falseMarks(shifted, now)).toEqual([]);
        expect(shifted.marks[0]).toEqual([1, 0]);
        expect(
          shifted.marks.every(([line], index, all) => line >= (all[index - 1]?.[0] ?? 0)),
        ).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe("the index after any bytes are replaced", () => {
  const piece = fc.array(fc.constantFrom("a", "\n", "b\n", "\n\n", "a\n".repeat(5000)), {
    maxLength: 4,
  });

  it("is as true as a fresh one", async () => {
    const folder = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(piece, piece, piece, piece, async (before, removed, inserted, after) => {
        const [start, old, now, end] = [before, removed, inserted, after].map((all) =>
          all.join(""),
        );
        const first = await indexOf(folder, `${start}${old}${end}`);
        const shifted = spliceIndex(first, "t", {
          at: start?.length ?? 0,
          removed: Buffer.from(old ?? ""),
          inserted: Buffer.from(now ?? ""),
          size: `${start}${old}${end}`.length,
          startsLine: start?.endsWith("\n") ?? false,
        });
        expect(shifted.lines).toBe(countLines(`${start}${now}${end}`));
        expect(falseMarks(shifted, `${start}${now}${end}`)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

describe("kept indexes", () => {
  const index: LineIndex = { signature: "s1", lines: 3, isText: true, marks: [[1, 0]] };

  it("are found by another process, while the file is the same", () => {
    const folder = path.join(temporaryFolder(), "lines");
    new LineIndexes(folder).set("a.md", index);
    expect(new LineIndexes(folder).get("a.md", "s1")).toEqual(index);
    expect(new LineIndexes(folder).get("a.md", "s2")).toBeNull();
    expect(new LineIndexes(folder).get("b.md", "s1")).toBeNull();
  });

  it("are built again when what was kept is damaged, and never needed to answer", () => {
    const folder = path.join(temporaryFolder(), "lines");
    new LineIndexes(folder).set("a.md", index);
    const [name = ""] = readdirSync(folder);
    for (const damage of ["", "{", "null", "[]", '{"lines":"3"}', '{"signature":"s1","lines":2}']) {
      writeFileSync(path.join(folder, name), damage);
      expect(new LineIndexes(folder).get("a.md", "s1")).toBeNull();
    }
    const nowhere = new LineIndexes("/dev/null/lines");
    nowhere.set("a.md", index);
    expect(nowhere.get("a.md", "s1")).toEqual(index);
  });

  it("of many files do not fill the memory, and stay on disk", () => {
    const folder = path.join(temporaryFolder(), "lines");
    const indexes = new LineIndexes(folder);
    for (let at = 0; at < 250; at += 1) indexes.set(`${at}.md`, { ...index, lines: at });
    expect(readdirSync(folder)).toHaveLength(250);
    expect(indexes.get("0.md", "s1")?.lines).toBe(0);
  });
});

describe("adding to a large file", () => {
  const bodies: [string, string][] = [
    ["ends with a newline", "une ligne\n".repeat(150_000)],
    ["ends without one", `${"une ligne\n".repeat(150_000)}fin`],
    ["ends with several", `${"une ligne\n".repeat(150_000)}\n\n\n`],
    ["has CRLF", "une ligne\r\n".repeat(150_000)],
    ["has a count that falls on a mark", "x".repeat(300).concat("\n").repeat(4096)],
    ["has frontmatter", `---\ntitre: x\n---\n\n${"une ligne\n".repeat(150_000)}`],
    [
      "has a mark and frontmatter",
      `\ufeff---\r\ntitre: x\r\n---\r\n${"une ligne\r\n".repeat(150_000)}`,
    ],
  ];

  /** The kept index of `a.md`, through a process that has not read the file. */
  async function seenAnew(vault: LocalVault): Promise<{ lines: number; all: readonly string[] }> {
    const other = createVault({ root: vault.root, state: vault.state });
    onTestFinished(() => other.close());
    const text = await other.openText("a.md");
    return { lines: text.totalLines, all: text.range(1, text.totalLines).lines };
  }

  it.each(bodies)("keeps the index true when the file %s", async (_, body) => {
    const vault = temporaryVault({ "a.md": body });
    await vault.openText("a.md");
    const caller = callerOf(vault);
    for (const [round, position] of ["bottom", "top", "bottom", "top", "top"].entries()) {
      const content = `## Ajout ${round}\n\n${"ligne\n".repeat(round * 3000)}fin`;
      const result = await caller.update("append", { path: "a.md", content, position });
      expect(result.isError ?? false).toBe(false);
      const disk = readFileSync(path.join(vault.root, "a.md"), "utf8").replace(/^\ufeff/u, "");
      const lines = splitLines(disk);
      const { lines: total, all } = await seenAnew(vault);
      expect(total).toBe(lines.length);
      expect(all).toEqual(lines);
      const text = await vault.openText("a.md");
      for (const line of [1, 4097, 8193, Math.floor(lines.length / 2), lines.length]) {
        if (line <= lines.length) expect(text.range(line, line).lines).toEqual([lines[line - 1]]);
      }
    }
  });

  it("does not read the file again: the index is kept, not built", async () => {
    const vault = temporaryVault({ "a.md": "une ligne\n".repeat(150_000) });
    await vault.openText("a.md");
    const caller = callerOf(vault);
    await caller.update("append", { path: "a.md", content: "fin", position: "bottom" });
    const kept = path.join(vault.state, "lines");
    const name = readdirSync(kept).find((entry) => !entry.startsWith(".")) ?? "";
    expect(JSON.parse(readFileSync(path.join(kept, name), "utf8"))).toMatchObject({
      lines: 150_002,
    });
    rmSync(kept, { recursive: true });
    expect((await vault.openText("a.md")).totalLines).toBe(150_002);
  });
});
