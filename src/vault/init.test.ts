import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { logOf, undo } from "../testing/suites/changes.ts";
import { codeOf } from "../testing/expected-error.ts";
import { snapshotOf } from "../testing/tree-snapshot.ts";
import { temporaryFolder, temporaryVault } from "../testing/temporary-vault.ts";
import { plainValue } from "./files/frontmatter.ts";
import { initVault, makeVaultFolder } from "./init.ts";
import type { Language } from "../text/language.ts";
import { countTokens } from "../text/tokens.ts";
import { treeFile } from "./tree/tree-text.ts";
import type { LocalVault } from "./vault.ts";

const NOW = new Date(2026, 4, 6, 7, 8, 9);

async function init(vault: LocalVault, lang: Language, demo: boolean): Promise<string[]> {
  return initVault(vault, { lang, demo, now: NOW, actor: "test" });
}

const read = (vault: LocalVault, name: string): string =>
  readFileSync(path.join(vault.root, name), "utf8");
const markdown = (paths: readonly string[]): string[] =>
  paths.filter((name) => name.endsWith(".md") && name !== "tree.md");

const kinds: [Language, boolean][] = [
  ["en", false],
  ["fr", false],
  ["en", true],
  ["fr", true],
];

describe.each(kinds)("init in %s (demo: %s)", (lang, demo) => {
  it("makes the usual files and folders, and says which", async () => {
    const vault = temporaryVault();
    const made = await init(vault, lang, demo);
    for (const name of ["overview.md", "profile.md", "tasks.md", "changelog.md", "tree.md"]) {
      expect(made).toContain(name);
    }
    for (const name of made) expect((await vault.find(name)).kind).toBe("file");
    for (const name of ["inbox", "bucket", "projects"])
      expect((await vault.find(name)).kind).toBe("folder");
    const files = Object.entries(snapshotOf(vault.root)).filter(([, fact]) =>
      fact.startsWith("file"),
    );
    expect(files.map(([name]) => name).toSorted()).toEqual(made.toSorted());
  });

  it("gives every markdown file a frontmatter that is true", async () => {
    const vault = temporaryVault();
    for (const name of markdown(await init(vault, lang, demo))) {
      const text = read(vault, name);
      expect(plainValue(text, "tokens")).toBe(String(countTokens(text)));
      expect(plainValue(text, "created")).toBe("2026-05-06T07:08:09");
      expect(plainValue(text, "updated")).toBe("2026-05-06T07:08:09");
    }
  });

  it("writes a tree.md that is the tree of what it made", async () => {
    const vault = temporaryVault();
    await init(vault, lang, demo);
    const root = await vault.shape("");
    expect(root.kind === "folder" ? treeFile(root) : "").toBe(read(vault, "tree.md"));
  });

  it("makes nothing the second time, and changes no byte", async () => {
    const vault = temporaryVault();
    await init(vault, lang, demo);
    const [tree, log] = [snapshotOf(vault.root, { times: true }), await logOf(vault)];
    expect(await init(vault, lang, demo)).toEqual([]);
    expect(snapshotOf(vault.root, { times: true })).toEqual(tree);
    expect(await logOf(vault)).toEqual(log);
  });

  it("never touches a file that exists", async () => {
    const files = { "overview.md": "le mien\n", "tree.md": "l'ancien\n", "projects/a/b.md": "b\n" };
    const vault = temporaryVault(files);
    const before = snapshotOf(vault.root, { times: true });
    const made = await init(vault, lang, demo);
    const after = snapshotOf(vault.root, { times: true });
    for (const name of Object.keys(files)) {
      expect(after[name]).toBe(before[name]);
      expect(made).not.toContain(name);
    }
    expect(made).toContain("profile.md");
  });

  it("is one entry of the history, and can be undone", async () => {
    const vault = temporaryVault({ "a.md": "a\n" });
    await init(vault, lang, demo);
    const [entry] = await vault.log({ path: null, limit: 5 });
    expect(entry).toMatchObject({ actor: "test", call: "init" });
    await undo(vault, entry?.id ?? "");
    expect(Object.keys(snapshotOf(vault.root)).filter((name) => name.endsWith(".md"))).toEqual([
      "a.md",
    ]);
  });
});

describe("init", () => {
  it("brings in the demo: two projects, an inbox item and an image", async () => {
    const vault = temporaryVault();
    await init(vault, "en", true);
    expect((await vault.list("projects")).map(({ kind }) => kind)).toEqual(["folder", "folder"]);
    expect(await vault.list("inbox")).toHaveLength(1);
    const images = (await Array.fromAsync(vault.walk(""))).filter(({ name }) =>
      name.endsWith(".png"),
    );
    expect(images).toHaveLength(1);
    expect(await vault.shape(images[0]?.path ?? "")).toMatchObject({ facts: { kind: "image" } });
  });

  it("refuses with a reason when a file stands where a folder must be, and leaves it", async () => {
    const vault = temporaryVault();
    writeFileSync(path.join(vault.root, "projects"), "un fichier");
    expect(["done", "not_a_folder"]).toContain(await codeOf(async () => init(vault, "fr", true)));
    expect(read(vault, "projects")).toBe("un fichier");
  });

  it("makes the vault's folder and those above it, once", async () => {
    const root = path.join(temporaryFolder(), "a/b/c");
    makeVaultFolder(root);
    makeVaultFolder(root);
    writeFileSync(path.join(root, "fichier"), "");
    expect(await codeOf(() => makeVaultFolder(path.join(root, "fichier")))).not.toBe("done");
  });
});
