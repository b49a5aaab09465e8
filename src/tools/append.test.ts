import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { callerOf, refusedWith, temporaryVault, textOf } from "../testing/temporary-vault.ts";

async function appended(before: string, content: string, position: string): Promise<string> {
  const vault = temporaryVault({ "a.md": before });
  const result = await callerOf(vault).update("append", { path: "a.md", content, position });
  if (result.isError) throw new Error(textOf(result));
  return readFileSync(path.join(vault.root, "a.md"), "utf8");
}

describe("append: exactly one empty line on each side", () => {
  it.each([
    [
      "top, after frontmatter and its empty line",
      "---\nt: 1\n---\n\n# b\n",
      "top",
      "---\nt: 1\n---\n\nNEW\n\n# b\n",
    ],
    [
      "top, after frontmatter without one",
      "---\nt: 1\n---\n# b\n",
      "top",
      "---\nt: 1\n---\n\nNEW\n\n# b\n",
    ],
    [
      "top, where there are several",
      "---\nt: 1\n---\n\n\n\n# b\n",
      "top",
      "---\nt: 1\n---\n\nNEW\n\n# b\n",
    ],
    ["top, of a file without frontmatter", "# b\n", "top", "NEW\n\n# b\n"],
    ["top, of only frontmatter", "---\nt: 1\n---\n", "top", "---\nt: 1\n---\n\nNEW\n"],
    ["top, of frontmatter without newline", "---\nt: 1\n---", "top", "---\nt: 1\n---\n\nNEW\n"],
    ["bottom", "# b\n", "bottom", "# b\n\nNEW\n"],
    ["bottom, without final newline", "# b", "bottom", "# b\n\nNEW\n"],
    ["bottom, after empty lines", "# b\n\n\n", "bottom", "# b\n\nNEW\n"],
    ["bottom, of an empty file", "", "bottom", "NEW\n"],
    ["bottom, of only frontmatter", "---\nt: 1\n---\n\n", "bottom", "---\nt: 1\n---\n\nNEW\n"],
    ["bottom, with CRLF", "a\r\nb\r\n", "bottom", "a\r\nb\r\n\r\nNEW\r\n"],
    [
      "top, with CRLF and frontmatter",
      "---\r\nt: 1\r\n---\r\n\r\nb\r\n",
      "top",
      "---\r\nt: 1\r\n---\r\n\r\nNEW\r\n\r\nb\r\n",
    ],
    ["top, after a byte-order mark", "\ufeffb\n", "top", "\ufeffNEW\n\nb\n"],
    [
      "top, after TOML",
      '+++\ntitle = "x"\n+++\nBody\n',
      "top",
      '+++\ntitle = "x"\n+++\n\nNEW\n\nBody\n',
    ],
    [
      "top, after TOML with a byte-order mark and CRLF",
      "\ufeff+++\r\nt = 'é'\r\n+++\r\n\r\nBody\r\n",
      "top",
      "\ufeff+++\r\nt = 'é'\r\n+++\r\n\r\nNEW\r\n\r\nBody\r\n",
    ],
    ["top, after TOML alone", "+++\n+++", "top", "+++\n+++\n\nNEW\n"],
    [
      "top, after JSON",
      '{\n  "title": "é } {",\n  "params": { "a": "\\"}" }\n}\n\nBody\n',
      "top",
      '{\n  "title": "é } {",\n  "params": { "a": "\\"}" }\n}\n\nNEW\n\nBody\n',
    ],
    ["bottom, after TOML alone", "+++\nt = 1\n+++\n", "bottom", "+++\nt = 1\n+++\n\nNEW\n"],
    ["bottom, of TOML that is not closed", "+++\nt = 1\n", "bottom", "+++\nt = 1\n\nNEW\n"],
    ["top, of a text that a brace begins", "{{< figure >}}\n", "top", "NEW\n\n{{< figure >}}\n"],
  ])("%s", async (_, before, position, after) => {
    expect(await appended(before, "\n\nNEW\n\n", position)).toBe(after);
  });
});

describe("append", () => {
  it.each([
    ["TOML", "+++\ntitle = 1\n"],
    ["JSON", '{\n  "title": "a",\n\nBody\n'],
    ["JSON", '{ "title": "a" } and text\n'],
  ])("refuses the top of a file whose %s is not closed, and says so", async (kind, before) => {
    const vault = temporaryVault({ "a.md": before });
    const args = { path: "a.md", content: "NEW", position: "top" };
    const result = await callerOf(vault).update("append", args);
    expect(refusedWith(result)).toBe("conflict");
    expect(textOf(result)).toContain(`it begins with ${kind} that is not closed`);
    expect(readFileSync(path.join(vault.root, "a.md"), "utf8")).toBe(before);
  });

  it("finds the end of TOML in a large file too", async () => {
    const vault = temporaryVault({ "a.md": `+++\nt = 1\n+++\n${"text\n".repeat(300_000)}` });
    const args = { path: "a.md", content: "NEW", position: "top" };
    expect((await callerOf(vault).update("append", args)).isError).toBe(false);
    const after = readFileSync(path.join(vault.root, "a.md"), "utf8");
    expect(after.slice(0, 40)).toMatch(/^\+\+\+\nt = 1\n\+\+\+\n\nNEW\n\ntext\n/u);
  });

  it("needs no prior read, returns nothing of the file, and names the lines", async () => {
    const vault = temporaryVault({ "journal.md": "secret\n" });
    const result = await callerOf(vault).update("append", {
      path: "journal.md",
      content: "a\nb",
      position: "top",
    });
    expect(textOf(result)).toMatch(
      /^Added at the top of vault\/journal\.md: 2 lines\. 1 → 4 lines\. History: \w+\.$/u,
    );
  });

  it("creates a missing file and its folders", async () => {
    const vault = temporaryVault();
    await callerOf(vault).update("append", {
      path: "projects/toit/changelog.md",
      content: "# 2026-03-09",
      position: "top",
    });
    expect(readFileSync(path.join(vault.root, "projects/toit/changelog.md"), "utf8")).toBe(
      "# 2026-03-09\n",
    );
  });

  it.each([
    ["empty content", "invalid_argument", { path: "a.md", content: " \n", position: "top" }],
    ["another position", "invalid_argument", { path: "a.md", content: "x", position: "middle" }],
    ["no position", "invalid_argument", { path: "a.md", content: "x" }],
    ["tree.md", "protected", { path: "tree.md", content: "x", position: "top" }],
    ["a folder", "not_a_file", { path: "d", content: "x", position: "top" }],
    ["an image", "invalid_argument", { path: "a.png", content: "x", position: "top" }],
  ])("refuses %s with %s", async (_, code, args) => {
    const vault = temporaryVault({ "d/x.md": "x\n" });
    expect(refusedWith(await callerOf(vault).update("append", args))).toBe(code);
    expect((await Array.fromAsync(vault.walk(""))).map((file) => file.path)).toEqual(["d/x.md"]);
  });

  it("many at once on one file lose nothing", async () => {
    const vault = temporaryVault({ "a.md": "début\n" });
    const caller = callerOf(vault);
    await Promise.all(
      Array.from({ length: 40 }, async (_, at) =>
        caller.update("append", {
          path: "a.md",
          content: `ligne ${at}`,
          position: at % 2 === 0 ? "top" : "bottom",
        }),
      ),
    );
    const text = readFileSync(path.join(vault.root, "a.md"), "utf8");
    for (let at = 0; at < 40; at += 1) expect(text).toContain(`ligne ${at}\n`);
  });

  it("survives another program writing the file at the same time", async () => {
    const vault = temporaryVault({ "a.md": "début\n" });
    const caller = callerOf(vault);
    const file = path.join(vault.root, "a.md");
    for (let at = 0; at < 10; at += 1) {
      const pending = caller.update("append", {
        path: "a.md",
        content: `outil ${at}`,
        position: "bottom",
      });
      writeFileSync(file, `${readFileSync(file, "utf8")}éditeur ${at}\n`);
      expect((await pending).isError).toBe(false);
    }
    const text = readFileSync(file, "utf8");
    for (let at = 0; at < 10; at += 1) {
      expect(text).toContain(`outil ${at}\n`);
      expect(text).toContain(`éditeur ${at}\n`);
    }
  });
});

describe("append to a large file", () => {
  const body = Array.from(
    { length: 40_000 },
    (_, at) => `ligne ${at} du grand journal, accents é è à`,
  ).join("\n");

  it.each([
    ["top", `---\nt: 1\n---\n\n${body}\n`],
    ["bottom", `---\nt: 1\n---\n\n${body}`],
    ["bottom", `${body}\n\n\n`],
    ["top", `\ufeff\n\n${body}\n`],
  ])(
    "%s: same bytes as for a small one, undone exactly, lines counted without reading it again",
    async (position, before) => {
      const small = await appended(before.replace(body, "corps"), "ajout\nsuite", position);
      const vault = temporaryVault({ "a.md": before });
      const caller = callerOf(vault);
      await caller.update("read", { paths: "a.md", head: 10 });
      const result = await caller.update("append", {
        path: "a.md",
        content: "ajout\nsuite",
        position,
      });
      const after = readFileSync(path.join(vault.root, "a.md"), "utf8");
      expect(after).toBe(small.replace("corps", body));
      const total = after.replace(/\n$/u, "").split("\n").length;
      expect(result.structured).toMatchObject({ lines_after: total });
      for (const part of [{ head: 30 }, { tail: 30 }]) {
        expect(textOf(await caller.update("read", { paths: "a.md", ...part }))).toContain(
          `of ${total})`,
        );
      }
      const middle = await caller.search("concat", {
        files: [{ path: "a.md", lines: "20000-20001" }],
      });
      const lines = after.replace(/^\ufeff/u, "").split("\n");
      expect(textOf(middle)).toContain(`20000 | ${lines[19_999]}\n20001 | ${lines[20_000]}`);
      await vault.undo(String(Object(result.structured).history), { actor: "test", force: false });
      expect(readFileSync(path.join(vault.root, "a.md"), "utf8")).toBe(before);
    },
  );

  it("puts a second entry of a day under the day's heading, and leaves other days alone", async () => {
    const vault = temporaryVault({
      "changelog.md": "---\ntags: [a]\n---\n\n# 2026-11-16\n\n## One\nText.\n",
      "crlf.md": "# 2026-11-16\r\n## One\r\n",
      "bare.md": "# 2026-11-16",
    });
    const caller = callerOf(vault);
    const add = async (file: string, content: string): Promise<string> => {
      await caller.update("append", { path: file, content, position: "top" });
      return (await vault.openText(file)).head(10_000).lines.join("\n");
    };
    const entry = "# 2026-11-16\n\n## Two\nMore.";
    expect(await add("changelog.md", entry)).toMatch(
      /\n# 2026-11-16\n\n## Two\nMore\.\n\n## One\nText\.$/u,
    );
    expect(await add("changelog.md", "# 2026-11-17\n\n## Three")).toMatch(
      /\n# 2026-11-17\n\n## Three\n\n# 2026-11-16\n\n## Two/u,
    );
    expect(await add("crlf.md", entry)).toBe("# 2026-11-16\n\n## Two\nMore.\n\n## One");
    // Without a line end after the heading, as before.
    expect(await add("bare.md", entry)).toBe("# 2026-11-16\n\n## Two\nMore.\n\n# 2026-11-16");
  });
});
