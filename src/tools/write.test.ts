import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { callerOf, temporaryVault, textOf } from "../testing/temporary-vault.ts";

describe("write", () => {
  it("creates the file and its folders, and names lines and history", async () => {
    const vault = temporaryVault();
    const result = await callerOf(vault).update("write", {
      path: "projects/toit/state.md",
      content: "## Situation\nbâché\n",
    });
    expect(readFileSync(path.join(vault.root, "projects/toit/state.md"), "utf8")).toBe(
      "## Situation\nbâché\n",
    );
    expect(textOf(result)).toMatch(
      /^Created vault\/projects\/toit\/state\.md: 2 lines\. History: \w+\.$/u,
    );
  });

  it("replaces only what the caller has read, in its present version", async () => {
    const vault = temporaryVault({ "a.md": "ancien texte de la note\n" });
    const caller = callerOf(vault);
    const refused = await caller.update("write", { path: "a.md", content: "neuf\n" });
    expect(refused.structured).toMatchObject({ error: { code: "conflict" } });
    expect(textOf(refused)).toContain("vault/a.md exists, 6 tokens; read it first");
    await caller.update("read", { paths: "a.md" });
    writeFileSync(path.join(vault.root, "a.md"), "changé ailleurs\n");
    expect(textOf(await caller.update("write", { path: "a.md", content: "neuf\n" }))).toContain(
      "read it again",
    );
    await caller.update("read", { paths: "a.md" });
    expect((await caller.update("write", { path: "a.md", content: "neuf\n" })).isError).toBe(false);
    expect((await caller.update("write", { path: "a.md", content: "plus neuf\n" })).isError).toBe(
      false,
    );
  });

  it("merges frontmatter: created is kept, tokens and updated stay the job's, other keys survive", async () => {
    const vault = temporaryVault({
      "a.md":
        "---\ncreated: 2020-01-01T00:00:00\nupdated: 2021-01-01T00:00:00\ntokens: 9\ntags: [toit] # à revoir\n---\n\nvieux\n",
    });
    const caller = callerOf(vault);
    await caller.update("read", { paths: "a.md" });
    await caller.update("write", {
      path: "a.md",
      content: "---\ntitle: Le toit\ncreated: 2026-01-01T00:00:00\ntokens: 12345\n---\n\nneuf\n",
    });
    expect(readFileSync(path.join(vault.root, "a.md"), "utf8")).toBe(
      "---\nupdated: 2021-01-01T00:00:00\ntitle: Le toit\ncreated: 2020-01-01T00:00:00\ntokens: 9\ntags: [toit] # à revoir\n---\n\nneuf\n",
    );
  });

  it("keeps the whole block of a file when the content has none", async () => {
    const vault = temporaryVault({
      "a.md": "---\ncreated: 2020-01-01T00:00:00\ntags: [x]\n---\n\nvieux\n",
    });
    const caller = callerOf(vault);
    await caller.update("read", { paths: "a.md" });
    await caller.update("write", { path: "a.md", content: "# Neuf\n" });
    expect(readFileSync(path.join(vault.root, "a.md"), "utf8")).toBe(
      "---\ncreated: 2020-01-01T00:00:00\ntags: [x]\n---\n\n# Neuf\n",
    );
  });

  it("in a new file drops the caller's tokens and updated", async () => {
    const vault = temporaryVault();
    await callerOf(vault).update("write", {
      path: "a.md",
      content: "---\ntokens: 5\nupdated: x\nauteur: moi\n---\n\nt\n",
    });
    expect(readFileSync(path.join(vault.root, "a.md"), "utf8")).toBe(
      "---\nauteur: moi\n---\n\nt\n",
    );
  });

  it("keeps the line endings and byte-order mark of the file it replaces", async () => {
    const vault = temporaryVault({ "a.md": "\ufeffun\r\ndeux\r\n" });
    const caller = callerOf(vault);
    await caller.update("read", { paths: "a.md" });
    await caller.update("write", { path: "a.md", content: "trois\nquatre\n" });
    expect(readFileSync(path.join(vault.root, "a.md"), "utf8")).toBe("\ufefftrois\r\nquatre\r\n");
  });

  it("writing what is already there changes nothing", async () => {
    const vault = temporaryVault({ "a.md": "pareil\n" });
    const caller = callerOf(vault);
    await caller.update("read", { paths: "a.md" });
    expect(
      (await caller.update("write", { path: "a.md", content: "pareil\n" })).structured,
    ).toMatchObject({ history: null });
  });

  it.each([
    ["empty content", { path: "a.md", content: "  \n" }, "invalid_argument"],
    ["an image name", { path: "a.PNG", content: "x" }, "invalid_argument"],
    ["another binary name", { path: "a.pdf", content: "x" }, "invalid_argument"],
    ["a folder path", { path: "projects/", content: "x" }, "not_a_file"],
    ["an existing folder", { path: "d", content: "x" }, "not_a_file"],
    ["the root", { path: "vault", content: "x" }, "not_a_file"],
    ["tree.md", { path: "vault/tree.md", content: "x" }, "protected"],
    ["a file as if it were a folder", { path: "d/a.md/b.md", content: "x" }, "not_a_folder"],
    ["a dotfile", { path: ".obsidian/x.md", content: "x" }, "outside_vault"],
    ["a way out", { path: "../x.md", content: "x" }, "outside_vault"],
    ["an absolute path", { path: "/tmp/x.md", content: "x" }, "outside_vault"],
    ["a name with a line break", { path: "a\nb.md", content: "x" }, "invalid_argument"],
    ["a NUL in the text", { path: "b.md", content: "x\0" }, "not_text"],
    ["half a character", { path: "b.md", content: "\ud800" }, "not_text"],
    ["broken frontmatter", { path: "b.md", content: "---\na: [\n---\n" }, "invalid_argument"],
    [
      "a name that is too long",
      { path: `${"x".repeat(300)}.md`, content: "x" },
      "invalid_argument",
    ],
  ])("refuses %s, and the vault stays as it was", async (_, args, code) => {
    const vault = temporaryVault({ "d/a.md": "a\n" });
    const before = (await Array.fromAsync(vault.walk(""))).map((file) => file.path);
    const result = await callerOf(vault).update("write", args);
    expect(result.structured).toMatchObject({ error: { code } });
    expect((await Array.fromAsync(vault.walk(""))).map((file) => file.path)).toEqual(before);
    expect(await vault.log({ path: null, limit: 5 })).toEqual([]);
  });
});
