import { mkdirSync, utimesSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { demoImage } from "../testing/demo-image.ts";
import { localTime } from "../text/local-time.ts";
import {
  callerOf,
  type Files,
  refusedWith,
  temporaryVault,
  textOf,
} from "../testing/temporary-vault.ts";

function dated(day: string, length: number): string {
  const head = `---\nupdated: ${day}\n---\n\n`;
  return `${head}${"x".repeat(length - head.length)}`;
}

function vaultOf(files: Files) {
  const vault = temporaryVault(files);
  return {
    vault,
    tree: async (args: unknown) => textOf(await callerOf(vault).update("tree", args)),
  };
}

const CHANTIER = {
  "projects/chantier/bucket/a.md": dated("2026-03-01T11:02:00", 4000),
  "projects/chantier/bucket/b.md": dated("2026-02-01T10:00:00", 32_000),
  "projects/chantier/bucket/c/d.md": dated("2026-01-01T10:00:00", 400),
  "projects/chantier/changelog.md": dated("2026-03-09T18:30:00", 32_800),
  "projects/chantier/state.md": dated("2026-03-05T18:30:00", 1520),
};

describe("tree", () => {
  it("shows tokens and last change in one column, folders first, what is not unfolded counted", async () => {
    const { tree } = vaultOf(CHANTIER);
    expect(await tree({ path: "vault/projects/chantier/", depth: 1 })).toBe(
      [
        "vault/projects/chantier/         [17.7k · 2026-03-09 18:30]",
        "├── bucket/                      [9.1k · 2026-03-01 11:02]",
        "│   └── ... 2 files, 1 folder",
        "├── changelog.md                 [8.2k · 2026-03-09 18:30]",
        "└── state.md                     [380 · 2026-03-05 18:30]",
      ].join("\n"),
    );
  });

  it("depth: null is all, 0 the line alone, N levels", async () => {
    const { tree } = vaultOf(CHANTIER);
    expect(await tree({ path: "vault/projects/chantier", depth: 0 })).toBe(
      "vault/projects/chantier/         [17.7k · 2026-03-09 18:30]",
    );
    expect((await tree({ depth: null })).split("\n")).toHaveLength(10);
    expect((await tree({ depth: 2 })).split("\n")).toHaveLength(4);
    expect((await tree({})).startsWith("vault/ ")).toBe(true);
  });

  it("a file given as path is its line", async () => {
    const { tree } = vaultOf(CHANTIER);
    expect(await tree({ path: "projects/chantier/state.md" })).toBe(
      "vault/projects/chantier/state.md [380 · 2026-03-05 18:30]",
    );
  });

  it("an empty folder has no tokens and no date", async () => {
    const { vault, tree } = vaultOf({});
    mkdirSync(path.join(vault.root, "vide"));
    expect(await tree({ path: "vide" })).toBe("vault/vide/                      [0 · —]");
  });

  it("an image shows its pixels and bytes and costs no tokens; another binary its bytes", async () => {
    const { vault, tree } = vaultOf({
      "i/plan.png": demoImage(),
      "i/son.mp3": Buffer.from([0xff, 0xfb, 0, 0]),
    });
    const day = new Date(2026, 2, 9, 18, 30);
    for (const name of ["plan.png", "son.mp3"])
      utimesSync(path.join(vault.root, "i", name), day, day);
    expect(await tree({ path: "i" })).toBe(
      [
        "vault/i/                         [0 · 2026-03-09 18:30]",
        "├── plan.png                     [image 640×400 · 12 kB · 2026-03-09 18:30]",
        "└── son.mp3                      [file · 4 B · 2026-03-09 18:30]",
      ].join("\n"),
    );
  });

  it("a file without frontmatter shows the time of the file", async () => {
    const { vault, tree } = vaultOf({ "a.md": "x" });
    const day = new Date(2026, 2, 9, 7, 5);
    utimesSync(path.join(vault.root, "a.md"), day, day);
    expect(await tree({ path: "a.md" })).toContain(localTime(day).slice(0, 16).replace("T", " "));
  });

  it("hidden files and folders are not there", async () => {
    const { tree } = vaultOf({ ".git/config": "x", ".cache": "x", "a.md": "x" });
    expect((await tree({})).split("\n")).toHaveLength(2);
  });

  it("shows a name with a line break on one line, and finds it again", async () => {
    const { vault, tree } = vaultOf({ "deux\nlignes.md": "texte\n" });
    const [, line] = (await tree({})).split("\n");
    expect(line).toContain("deux␊lignes.md");
    expect(textOf(await callerOf(vault).update("read", { paths: "deux␊lignes.md" }))).toContain(
      "1  | texte",
    );
  });

  it("stops after 2,000 lines and says how to narrow", async () => {
    const files = Object.fromEntries(Array.from({ length: 2100 }, (_, at) => [`n/${at}.md`, "x"]));
    const lines = (await vaultOf(files).tree({})).split("\n");
    expect(lines).toHaveLength(2001);
    expect(lines.at(-1)).toContain("Narrow it");
  });

  it("says the same from warm totals as from a walk, before and after changes", async () => {
    const { vault, tree } = vaultOf(CHANTIER);
    const caller = callerOf(vault);
    const cold = await tree({});
    vault.totals.scan();
    expect(await tree({})).toBe(cold);
    await caller.update("append", {
      path: "projects/chantier/state.md",
      content: "suite",
      position: "bottom",
    });
    await caller.update("move", { from: "projects/chantier/bucket", to: "archives/vieux" });
    await caller.update("delete", { path: "projects/chantier/changelog.md" });
    const warm = await tree({});
    expect(warm).toContain("archives/");
    expect(warm).toBe(textOf(await callerOf(vault).update("tree", { path: "" })));
    vault.totals.scan();
    expect(await tree({})).toBe(warm);
  });

  it.each([
    [{ depth: -1 }, "invalid_argument"],
    [{ depth: 1.5 }, "invalid_argument"],
    [{ path: "rien" }, "not_found"],
    [{ path: "projects/chantier/state.md/" }, "not_a_folder"],
    [{ path: 3 }, "invalid_argument"],
  ])("refuses %j with %s", async (args, code) => {
    const { vault } = vaultOf(CHANTIER);
    expect(refusedWith(await callerOf(vault).update("tree", args))).toBe(code);
  });

  it("gives programs the same as a nested list", async () => {
    const { vault } = vaultOf({ "a/b.md": "xxxx" });
    const { structured } = await callerOf(vault).update("tree", { path: "a" });
    expect(structured).toMatchObject({
      path: "vault/a/",
      kind: "folder",
      tokens: 1,
      children: [{ path: "vault/a/b.md", kind: "file", tokens: 1 }],
    });
  });

  it("shows no more tokens than its caller takes, and says how to go on", async () => {
    const names = Array.from({ length: 300 }, (_, at) => [`n/${at}.md`, "x\n"] as const);
    const vault = temporaryVault(Object.fromEntries(names));
    const short = textOf(await callerOf(vault, { mostTokens: 500 }).update("tree", { depth: 2 }));
    expect(short.length).toBeLessThan(500 * 4 + 200);
    const lines = short.split("\n");
    expect(lines.at(-1)).toBe(
      `Cut at ${lines.length - 1} lines. Narrow it: give a folder below, or depth=1 (then 2, …).`,
    );
    const caller = callerOf(vault, { mostTokens: 50_000 });
    expect(textOf(await caller.update("tree", { depth: 2 })).split("\n")).toHaveLength(302);
  });

  it("goes breadth first for a model that asks for all: 2,000 tokens, the shape before what is deep", async () => {
    const names = Array.from({ length: 300 }, (_, at) => [`a/deep/${at}.md`, "x\n"] as const);
    const files = { ...Object.fromEntries(names), "b/one/x.md": "x\n", "c/y.md": "y\n" };
    const result = await callerOf(temporaryVault(files), { mostTokens: 8000 }).update("tree", {});
    const text = textOf(result);
    expect(text.length).toBeLessThan(2000 * 4);
    for (const shown of ["... 300 files", "x.md", "y.md"]) expect(text).toContain(shown);
    expect(text.split("\n").at(-1)).toContain('Folders with "..." are not unfolded');
    expect(JSON.stringify(result.structured)).not.toContain("299.md");
    const small = temporaryVault({ "a/b/c.md": "x\n" });
    expect(textOf(await callerOf(small, { mostTokens: 8000 }).update("tree", {}))).not.toContain(
      "...",
    );
  });
});
