import { utimesSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { temporaryVault, type Files } from "../../testing/temporary-vault.ts";
import { demoImage } from "../../testing/demo-image.ts";
import { countTokens } from "../../text/tokens.ts";
import type { FolderNode } from "./totals.ts";
import { formatRows, renderTree, treeFile } from "./tree-text.ts";
import type { Vault } from "../vault.ts";

const WHEN = new Date(2026, 3, 5, 6, 7, 8);

/** A vault all of whose files have one time, so that its tree is known. */
function timedVault(files: Files): Vault {
  const vault = temporaryVault(files);
  for (const name of Object.keys(files)) utimesSync(path.join(vault.root, name), WHEN, WHEN);
  return vault;
}

async function rootOf(vault: Vault): Promise<FolderNode> {
  const root = await vault.shape("");
  if (root.kind !== "folder") throw new Error("the root is a folder");
  return root;
}

const text = "mot ".repeat(10);

describe("a tree", () => {
  it("shows names with branches, and facts in one column", async () => {
    const vault = timedVault({
      "a/b/c.md": text,
      "a/d.md": text,
      "e.md": text.repeat(150),
      "plan.png": demoImage(),
    });
    const shown = formatRows(renderTree(await rootOf(vault), { unfold: () => true })).split("\n");
    expect(shown).toEqual([
      "vault/                           [1.5k · 2026-04-05 06:07]",
      "├── a/                           [20 · 2026-04-05 06:07]",
      "│   ├── b/                       [10 · 2026-04-05 06:07]",
      "│   │   └── c.md                 [10 · 2026-04-05 06:07]",
      "│   └── d.md                     [10 · 2026-04-05 06:07]",
      "├── e.md                         [1.5k · 2026-04-05 06:07]",
      expect.stringMatching(
        /^└── plan\.png {21}\[image 640×400 · \d+ (?:k?)B · 2026-04-05 06:07\]$/u,
      ),
    ]);
  });

  it("says what a folder holds that is not unfolded, and nothing under an empty one", async () => {
    const vault = timedVault({ "a/b.md": text, "a/c/d.md": text, "e/f.md": text });
    const rows = renderTree(await rootOf(vault), { unfold: (_, level) => level === 0 });
    expect(rows.map(({ name }) => name)).toEqual([
      "vault/",
      "├── a/",
      "│   └── ... 1 file, 1 folder",
      "└── e/",
      "    └── ... 1 file",
    ]);
  });

  it("keeps names in one line each, whatever they are", async () => {
    const vault = timedVault({ "deux\nlignes.md": text, "`tick`.md": text, "😀 long.md": text });
    const shown = formatRows(renderTree(await rootOf(vault), { unfold: () => true }));
    expect(shown.split("\n")).toHaveLength(4);
  });
});

describe("tree.md", () => {
  function listing(files: number): string {
    const rows = Array.from({ length: files }, (_, at) => `├── ${at}.md   [1 · 2026-04-05 06:07]`);
    return ["```", "vault/   [1 · 2026-04-05 06:07]", ...rows, "```", ""].join("\n");
  }

  it("lists a tree.md of the person's like any other note", async () => {
    const vault = timedVault({ "a.md": text, "tree.md": "# Trees\n\nThe oak is 200 years old.\n" });
    expect(treeFile(await rootOf(vault))).toContain("tree.md");
  });

  /** A vault of 3,000 files and 400 projects. */
  function largeVault(longNames = false): Vault {
    const files: Record<string, string> = {};
    const long = longNames ? "un-nom-de-projet-qui-n-en-finit-plus-".repeat(5) : "";
    for (let project = 0; project < 400; project += 1) {
      const folder = `projects/${long}projet-${project}`;
      for (const name of ["description", "state", "tasks", "changelog"])
        files[`${folder}/${name}.md`] = text;
      if (project % 2 === 0) files[`${folder}/bucket/pièce.md`] = text;
    }
    for (let at = 0; at < 600; at += 1) files[`bucket/${at}.md`] = text;
    for (let at = 0; at < 100; at += 1) {
      files[`inbox/2026-01-01-objet-${at}/review.md`] = text;
      files[`inbox/2026-01-01-objet-${at}/original.txt`] = text;
    }
    for (let at = 0; at < 400; at += 1) files[`autre/${at % 20}/${at}.md`] = text;
    for (const name of ["overview", "profile", "tasks", "changelog", "tree"])
      files[`${name}.md`] = text;
    return timedVault(files);
  }

  it.each([false, true])(
    "stays under 2,000 tokens for a vault of 3,000 files (long names: %s)",
    async (longNames) => {
      const root = await rootOf(largeVault(longNames));
      expect(root.files).toBeGreaterThanOrEqual(3000);
      const shown = treeFile(root);
      expect(countTokens(shown)).toBeLessThan(2000);
      expect(shown.split("\n").length).toBeGreaterThan(5);
      expect(shown).toContain("projects/");
    },
  );

  it("stays under 2,000 tokens for a root of very many files with very long names", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`${at}-${"é".repeat(115)}.md`, text]),
    );
    expect(countTokens(treeFile(await rootOf(timedVault(files))))).toBeLessThan(2000);
  });

  it("is the same for equal vaults, in whatever order they were made", async () => {
    const files: Record<string, string> = {};
    for (let at = 0; at < 60; at += 1) files[`d${at % 7}/é${at}.md`] = text.repeat(at);
    const [one, two] = [
      timedVault(files),
      timedVault(Object.fromEntries(Object.entries(files).toReversed())),
    ];
    expect(treeFile(await rootOf(two))).toBe(treeFile(await rootOf(one)));
  });

  it("does not list itself, and does not change when it is written", async () => {
    const bare = timedVault({ "a.md": text });
    const [one, two] = [
      timedVault({ "a.md": text, "tree.md": listing(1) }),
      timedVault({ "a.md": text, "tree.md": listing(50) }),
    ];
    expect(treeFile(await rootOf(one))).not.toContain("tree.md");
    expect(treeFile(await rootOf(two))).toBe(treeFile(await rootOf(one)));
    expect(treeFile(await rootOf(one))).toBe(treeFile(await rootOf(bare)));
  });

  it("folds projects and buckets, unfolds the inbox and other folders", async () => {
    const vault = timedVault({
      "projects/serre/state.md": text,
      "bucket/mail.md": text,
      "inbox/2026-01-01-x/review.md": text,
      "recettes/soupe.md": text,
      "projects/serre/tree.md": text,
    });
    const shown = treeFile(await rootOf(vault));
    for (const name of ["serre/", "review.md", "soupe.md"]) expect(shown).toContain(name);
    for (const name of ["state.md", "mail.md"]) expect(shown).not.toContain(name);
  });

  it("is a whole block for an empty vault", async () => {
    expect(treeFile(await rootOf(temporaryVault()))).toBe(
      "```\nvault/                           [0 · —]\n```\n",
    );
  });
});
