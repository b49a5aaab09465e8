import { describe, expect, it } from "vitest";

import { demoImage } from "../testing/demo-image.ts";
import { callerOf, refusedWith, temporaryVault, textOf } from "../testing/temporary-vault.ts";

const IMAGE = demoImage();

describe("read: how much an answer holds", () => {
  const body = Array.from({ length: 9000 }, (_, at) => `${at} ${"mot ".repeat(9)}`).join("\n");

  it("stops at 50,000 tokens for a model, on a line boundary, and says how to go on", async () => {
    const vault = temporaryVault({ "gros.md": body, "suite.md": "suite\n" });
    const caller = callerOf(vault, { mostTokens: 8000 });
    const text = textOf(await caller.search("read", { paths: ["gros.md", "suite.md"] }));
    expect(text.length / 4).toBeLessThan(50_300);
    const [, last] = /\(lines 1-(\d+) of 9000\)/u.exec(text) ?? [];
    expect(text).toContain(
      `lines ${Number(last) + 1}-9000 of vault/gros.md are left out. Next: concat(`,
    );
    expect(text).toContain("not read at all: vault/suite.md");
    const update = textOf(await caller.update("read", { paths: "gros.md" }));
    expect(update).not.toContain("concat(");
  });

  it("gives programs and people all of it", async () => {
    const vault = temporaryVault({ "gros.md": body, "suite.md": "suite\n" });
    const text = textOf(await callerOf(vault).search("read", { paths: ["gros.md", "suite.md"] }));
    expect(text.match(/^```vault.*$/gmu)).toEqual(["```vault/gros.md", "```vault/suite.md"]);
    expect(text.split("\n")).toHaveLength(9000 + 6);
  });

  it("gives a model as much of each file as it asked for, and of the end the end", async () => {
    const vault = temporaryVault({ "a.txt": body, "b.txt": body });
    const caller = callerOf(vault, { mostTokens: 8000 });
    const headersOf = async (part: object): Promise<string[] | null> => {
      const result = await caller.search("read", { paths: ["a.txt", "b.txt"], ...part });
      return textOf(result).match(/\(lines .*\)/gu);
    };
    const heads = await headersOf({ head: 40_000 });
    expect(heads).toEqual([heads?.[0], heads?.[0]]);
    expect(heads?.[0]).toMatch(/^\(lines 1-3\d+ of 9000\)$/u);
    const tails = await headersOf({ tail: 40_000 });
    expect(tails).toEqual([tails?.[0], tails?.[0]]);
    expect(tails?.[0]).toMatch(/^\(lines 5\d+-9000 of 9000\)$/u);
  });

  it("keeps the end of what a model asked for even where an answer can hold no more", async () => {
    const vault = temporaryVault({ "a.txt": `${"x".repeat(99)}\n`.repeat(30_000) });
    const caller = callerOf(vault, { mostTokens: 8000 });
    const text = textOf(await caller.search("read", { paths: "a.txt", tail: 600_000 }));
    const [, first] = /^```vault\/a\.txt \(lines (\d+)-30000 of 30000\)$/mu.exec(text) ?? [];
    expect(Number(first)).toBeGreaterThan(10_000);
    expect(text).toContain(`Cut at 500000 tokens: lines 1-${Number(first) - 1} of vault/a.txt`);
  });
});

describe("read: a folder, for a model", () => {
  // 2,000 tokens each, and an image.
  const files = Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [`d/${at}.txt`, `${"x".repeat(79)}\n`.repeat(100)]),
  );
  const folder = () => temporaryVault({ ...files, "d/9.png": IMAGE, "d/in/a.md": "a\n" });
  const shown = (text: string): string[] =>
    [...text.matchAll(/^```vault\/d\/(.).*$/gmu)].map(([, at = ""]) => at);

  it("shows files whole as long as they fit into 12,000 tokens, then a line for each with its size and the call", async () => {
    const caller = callerOf(folder(), { mostTokens: 8000 });
    const result = await caller.update("read", { paths: "vault/d/" });
    expect(shown(textOf(result))).toEqual(["0", "1", "2", "3", "4", "5"]);
    expect(textOf(result)).toContain(
      'Not shown, 2000 tokens: read("vault/d/6.txt")\nNot shown, 2000 tokens: read("vault/d/7.txt")',
    );
    expect(result.content.some(({ type }) => type === "image")).toBe(true);
    expect(result.structured).toMatchObject({ left_out: ["vault/d/6.txt", "vault/d/7.txt"] });
  });

  it("shows a file whole that is named too, wherever it is named", async () => {
    const caller = callerOf(folder(), { mostTokens: 8000 });
    for (const paths of [
      ["d", "d/7.txt"],
      ["d/7.txt", "d"],
    ]) {
      const text = textOf(await caller.update("read", { paths }));
      expect(shown(text).toSorted()).toEqual(["0", "1", "2", "3", "4", "5", "7"]);
      expect(text).not.toContain('read("vault/d/7.txt")');
    }
  });

  it("counts each folder by itself, and shows what was not read as not read", async () => {
    const caller = callerOf(folder(), { mostTokens: 8000 });
    expect(textOf(await caller.update("read", { paths: ["d", "d/in"] }))).toContain("| a");
    const args = { path: "d/7.txt", old_content: "x", new_content: "y" };
    expect(refusedWith(await caller.update("edit", args))).toBe("conflict");
  });

  it("is whole with head or tail, and for programs and people", async () => {
    const all = ["0", "1", "2", "3", "4", "5", "6", "7"];
    const vault = folder();
    const model = callerOf(vault, { mostTokens: 8000 });
    for (const part of [{ head: 1000 }, { tail: 1000 }, { folded: true }]) {
      expect(shown(textOf(await model.update("read", { paths: "d", ...part })))).toEqual(all);
    }
    expect(shown(textOf(await callerOf(vault).update("read", { paths: "d" })))).toEqual(all);
  });
});
