import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { asOrdinaryUser } from "../testing/ordinary-user.ts";
import {
  callerOf,
  refusedWith,
  temporaryFolder,
  temporaryVault,
  textOf,
  writeFiles,
} from "../testing/temporary-vault.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import type { LocalVault } from "./vault.ts";

async function walked(vault: LocalVault, folder = ""): Promise<string[]> {
  return (await Array.fromAsync(vault.walk(folder))).map((each) => each.path);
}

/** The verdict on a path of a vault with these files. */
function rulesWith(files: Readonly<Record<string, string>>): {
  readonly root: string;
  readonly rules: IgnoreRules;
  readonly judge: (name: string, kind?: "file" | "folder" | "unknown") => unknown;
} {
  const root = temporaryFolder();
  writeFiles(root, files);
  const rules = new IgnoreRules(root);
  return { root, rules, judge: (name, kind = "file") => rules.judge(name.split("/"), kind) };
}

describe("a path that .coffreignore hides", () => {
  const FILES = {
    ".coffreignore": "private/\n*.secret.md\n!known.secret.md\n",
    "private/diary.md": "# Diary\n\nzebra\n",
    "a.md": "# A\n\nzebra\n",
    "b.secret.md": "zebra\n",
    "known.secret.md": "zebra\n",
    "notes/.coffreignore": "/draft.md\n",
    "notes/draft.md": "zebra\n",
    "notes/deep/draft.md": "zebra\n",
  };

  it("is in no list, walk, tree or scan", async () => {
    const vault = temporaryVault(FILES);
    const shown = ["notes/deep/draft.md", "a.md", "known.secret.md"];
    expect(await walked(vault)).toEqual(shown);
    expect((await vault.list("")).map(({ name }) => name)).toEqual([
      "notes",
      "a.md",
      "known.secret.md",
    ]);
    expect(textOf(await callerOf(vault).search("tree", { path: "vault/" }))).not.toMatch(
      /private|b\.secret/u,
    );
    const scanned = await vault.scan();
    expect(scanned.flatMap((each) => (each.kind === "file" ? [each.path] : [])).toSorted()).toEqual(
      shown.toSorted(),
    );
    expect(
      scanned.flatMap((each) => (each.kind === "hidden" ? [each.path] : [])).toSorted(),
    ).toEqual(["b.secret.md", "notes/draft.md", "private"]);
  });

  it.each([
    "private/diary.md",
    "private",
    "private/none.md",
    "b.secret.md",
    "none.secret.md",
    "notes/draft.md",
  ])("is refused by every tool, there or not: %s", async (name) => {
    const vault = temporaryVault(FILES);
    const { update, search } = callerOf(vault);
    const target = `vault/${name}`;
    const results = [
      await search("read", { paths: [target] }),
      await search("tree", { path: target }),
      await search("concat", { files: [{ path: target }] }),
      await update("write", { path: target, content: "new" }),
      await update("append", { path: target, content: "new", position: "bottom" }),
      await update("edit", { path: target, old_content: "zebra", new_content: "x" }),
      await update("move", { from: target, to: "vault/c.md" }),
      await update("move", { from: "vault/a.md", to: target }),
      await update("delete", { path: target }),
    ];
    for (const result of results) {
      expect(result.isError).toBe(true);
      expect(textOf(result)).not.toContain("zebra");
    }
    expect(textOf(await search("read", { paths: [target] }))).toContain(
      "is hidden by a .coffreignore",
    );
    expect(refusedWith(await update("write", { path: target, content: "new" }))).toBe(
      "outside_vault",
    );
    expect(await walked(vault)).toEqual(["notes/deep/draft.md", "a.md", "known.secret.md"]);
  });

  it("is found by no search and suggested to nobody", async () => {
    const { search } = callerOf(temporaryVault(FILES));
    const found = textOf(await search("search", { queries: ["zebra"] }));
    expect(found).toContain("vault/a.md");
    expect(found).not.toMatch(/private|b\.secret|notes\/draft/u);
    expect(textOf(await search("read", { paths: ["vault/diary.md"] }))).not.toContain("private");
  });

  it("is not reached through a link, by its target or by its own name", async () => {
    const vault = temporaryVault(FILES);
    symlinkSync("private/diary.md", path.join(vault.root, "link.md"));
    symlinkSync("private", path.join(vault.root, "folder"));
    symlinkSync("a.md", path.join(vault.root, "other.secret.md"));
    for (const name of ["link.md", "folder/diary.md", "other.secret.md"])
      await expect(vault.find(name)).rejects.toMatchObject({ code: "outside_vault" });
    expect(await walked(vault)).toEqual(["notes/deep/draft.md", "a.md", "known.secret.md"]);
  });

  it("is hidden in either Unicode form, and by a file in a folder of either form", async () => {
    const vault = temporaryVault({
      ".coffreignore": "caf\u00e9.md\ncre\u0300me.md\n",
      "cafe\u0301.md": "x",
      "cr\u00e8me.md": "x",
      "e\u0301te\u0301/.coffreignore": "x.md\n",
      "e\u0301te\u0301/x.md": "x",
      "e\u0301te\u0301/y.md": "x",
    });
    expect(await walked(vault)).toEqual(["\u00e9t\u00e9/y.md"]);
    for (const name of ["caf\u00e9.md", "cr\u00e8me.md", "\u00e9t\u00e9/x.md"])
      await expect(vault.find(name)).rejects.toMatchObject({ code: "outside_vault" });
  });

  it("follows a change of the file, a new one and its removal", async () => {
    const vault = temporaryVault({ "a.md": "a", "b.md": "b" });
    expect(await walked(vault)).toEqual(["a.md", "b.md"]);
    const file = path.join(vault.root, ".coffreignore");
    writeFileSync(file, "a.md\n");
    expect(await walked(vault)).toEqual(["b.md"]);
    writeFileSync(file, "b.md\n");
    vault.ignore.invalidate();
    await expect(vault.get("b.md")).rejects.toMatchObject({ code: "outside_vault" });
    expect(await walked(vault)).toEqual(["a.md"]);
    rmSync(file);
    expect(await walked(vault)).toEqual(["a.md", "b.md"]);
  });

  it("stays hidden when its folder would be moved to where no pattern matches", async () => {
    const vault = temporaryVault({
      ".coffreignore": "/a/secret/\n*.key.md\n",
      "a/secret/x.md": "zebra",
      "a/.coffreignore": "own.md\n",
      "a/own.md": "zebra",
      "a/y.md": "y",
      "b/x.key.md": "zebra",
      "b/y.md": "y",
    });
    const { update } = callerOf(vault);
    expect(refusedWith(await update("move", { from: "vault/a/", to: "vault/c/" }))).toBe(
      "invalid_argument",
    );
    expect(refusedWith(await update("move", { from: "vault/b/", to: "vault/d/" }))).toBeNull();
    expect(await walked(vault)).toEqual(["a/y.md", "d/b/y.md"]);
  });
});

describe("a .coffreignore that cannot be used", () => {
  it("hides everything in its folder while it is too large, and says so", async () => {
    const vault = temporaryVault({
      "a.md": "a",
      "n/b.md": "b",
      "n/.coffreignore": "#".repeat(300_000),
    });
    expect(await walked(vault)).toEqual(["a.md"]);
    expect(vault.ignore.problems).toEqual([
      expect.stringMatching(/^vault\/n\/\.coffreignore is larger than 256 kB/u),
    ]);
    writeFileSync(path.join(vault.root, "n/.coffreignore"), "c.md\n");
    expect(vault.ignore.problems).toEqual([]);
    expect(await walked(vault)).toEqual(["n/b.md", "a.md"]);
  });

  it("hides everything in its folder while it may not be read", async () => {
    const vault = temporaryVault({ "a.md": "a", ".coffreignore": "x" });
    await asOrdinaryUser(path.dirname(vault.root), async () => {
      chmodSync(path.join(vault.root, ".coffreignore"), 0);
      expect(await walked(vault)).toEqual([]);
      expect(vault.ignore.problems).toEqual([
        "vault/.coffreignore cannot be read (EACCES). Everything in its folder is hidden until that is right.",
      ]);
    });
  });

  it("is no ignore file when it is a folder or a link that leads nowhere", async () => {
    const vault = temporaryVault({ "a.md": "a", "n/b.md": "b" });
    mkdirSync(path.join(vault.root, ".coffreignore"));
    symlinkSync("none", path.join(vault.root, "n/.coffreignore"));
    expect(await walked(vault)).toEqual(["n/b.md", "a.md"]);
  });
});

describe("a path that .gitignore or its name keeps out", () => {
  const FILES = {
    ".gitignore": "*.log.md\ndrafts/\n/inbox/\n/a.md\n",
    "a.md": "zebra",
    "drafts/x.md": "zebra",
    "inbox/2026-01-01-x/review.md": "zebra",
    "projects/web/node_modules/p/README.md": "zebra",
    "projects/web/.gitignore": "*\n",
    "node_modules/p/README.md": "zebra",
    "code/__pycache__/x.md": "zebra",
    "code/x.log.md": "zebra",
    "code/y.md": "zebra",
  };
  const LISTED = [
    "code/y.md",
    "inbox/2026-01-01-x/review.md",
    "projects/web/node_modules/p/README.md",
    "a.md",
  ];

  it("is in no list and no scan, except in our own folders and at the root", async () => {
    const vault = temporaryVault(FILES);
    expect(await walked(vault)).toEqual(LISTED);
    const scanned = await vault.scan();
    expect(scanned.flatMap((each) => (each.kind === "file" ? [each.path] : [])).toSorted()).toEqual(
      LISTED.toSorted(),
    );
    expect(
      scanned.flatMap((each) => (each.kind === "unlisted" ? [each.path] : [])).toSorted(),
    ).toEqual(["code/__pycache__", "code/x.log.md", "drafts", "node_modules"]);
  });

  it("is read, listed and written by its name", async () => {
    const vault = temporaryVault(FILES);
    vault.totals.scan();
    const { update, search } = callerOf(vault);
    expect(textOf(await search("read", { paths: ["vault/drafts/x.md"] }))).toContain("zebra");
    expect(textOf(await search("tree", { path: "vault/drafts/" }))).toContain("x.md");
    expect(
      refusedWith(await update("write", { path: "vault/drafts/new.md", content: "new" })),
    ).toBeNull();
    expect(await walked(vault)).toEqual(LISTED);
    expect(vault.totals.get("drafts")).toBeNull();
    expect(await vault.get("drafts/new.md")).toMatchObject({ isListed: false });
    expect(await vault.get("code/y.md")).toMatchObject({ isListed: true });
  });

  it("can be taken back by a .gitignore of the person", () => {
    const { judge } = rulesWith({
      ".gitignore": "!node_modules/\n",
      "node_modules/x.md": "",
      "a/venv/x.md": "",
    });
    expect(judge("node_modules/x.md")).toBeNull();
    expect(judge("a/venv/x.md")).toBe("unlisted");
  });
});

it("decides as git does", () => {
  const files = {
    ".gitignore":
      "*.tmp\n!keep.tmp\nbuild/\n/only-root/\na/**/z\n\\#hash\n\\!bang\nsp\\ ace\n[ab]c.md\nfoo/*\n!foo/keep/\n",
    "n/.gitignore": "!x.tmp\nlocal/\n/anchored.md\nsub/deep.md\n*.tmp/\n!back.tmp/\n",
    "n/[x]/.gitignore": "y.md\n",
  };
  const { root, judge } = rulesWith(files);
  const paths = [
    "n/x.tmp",
    "n/y.tmp",
    "n/keep.tmp",
    "n/build/x.md",
    "n/m/build/x.md",
    "n/build",
    "n/only-root/x.md",
    "only-root/x.md",
    "a/z/x.md",
    "a/b/c/z/x.md",
    "n/a/z/x.md",
    "n/#hash",
    "n/!bang",
    "n/sp ace",
    "n/ac.md",
    "n/cc.md",
    "n/foo/x.md",
    "foo/x/y.md",
    "foo/keep/y.md",
    "n/local/x.md",
    "n/m/local/x.md",
    "local/x.md",
    "n/anchored.md",
    "n/m/anchored.md",
    "n/sub/deep.md",
    "n/m/sub/deep.md",
    "n/back.tmp/f.md",
    "n/gone.tmp/f.md",
    "n/[x]/y.md",
    "n/x/y.md",
    "n/[x]/m/y.md",
  ];
  writeFiles(
    root,
    Object.fromEntries(paths.filter((each) => each !== "n/build").map((each) => [each, ""])),
  );
  execFileSync("git", ["init", "--quiet", root]);
  const byGit = paths.filter((each) => {
    try {
      execFileSync("git", ["-C", root, "check-ignore", "--quiet", "--no-index", each]);
      return true;
    } catch {
      return false;
    }
  });
  const ours = paths.filter(
    (each) => judge(each, each === "n/build" ? "folder" : "file") === "unlisted",
  );
  expect(ours).toEqual(byGit);
});
