import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { callerOf, temporaryVault, textOf } from "../testing/temporary-vault.ts";

function setup() {
  const vault = temporaryVault({
    "a.md": "a\n",
    "d/b.md": "b\n",
    "d/e/c.md": "c\n",
    "overview.md": "o\n",
    "projects/tasks.md": "t\n",
  });
  const caller = callerOf(vault);
  return {
    vault,
    move: async (from: string, to: string) => caller.update("move", { from, to }),
    files: async () => (await Array.fromAsync(vault.walk(""))).map((file) => file.path).toSorted(),
  };
}

describe("move", () => {
  it("moves a file, making the folders it needs", async () => {
    const { vault, move } = setup();
    const result = await move("vault/a.md", "vault/x/y/z.md");
    expect(readFileSync(path.join(vault.root, "x/y/z.md"), "utf8")).toBe("a\n");
    expect(existsSync(path.join(vault.root, "a.md"))).toBe(false);
    expect(textOf(result)).toMatch(/^Moved vault\/a\.md to vault\/x\/y\/z\.md\. History: \w+\.$/u);
  });

  it("keeps the name when the goal ends in a slash or is a folder", async () => {
    const { move, files } = setup();
    await move("a.md", "neuf/");
    await move("neuf/a.md", "vault/d");
    expect(await files()).toContain("d/a.md");
    await move("d/a.md", "vault/");
    expect(await files()).toContain("a.md");
  });

  it("moves a folder with all under it, and undo brings it back", async () => {
    const { vault, move, files } = setup();
    const before = await files();
    const result = await move("d", "archives/2026/d2");
    expect(await files()).toContain("archives/2026/d2/e/c.md");
    await vault.undo(String(Object(result.structured).history), { actor: "test", force: false });
    expect(await files()).toEqual(before);
    expect(existsSync(path.join(vault.root, "archives"))).toBe(false);
  });

  it("the same path, in either Unicode form, succeeds and does nothing", async () => {
    const vault = temporaryVault({ "e\u0301te\u0301.md": "x\n" });
    const result = await callerOf(vault).update("move", {
      from: "été.md",
      to: "e\u0301te\u0301.md",
    });
    expect(result.isError).toBe(false);
    expect(await vault.log({ path: null, limit: 1 })).toEqual([]);
  });

  it("moves a link itself, not what it leads to", async () => {
    const { vault, move } = setup();
    symlinkSync("d/b.md", path.join(vault.root, "lien.md"));
    await move("lien.md", "lien2.md");
    expect(existsSync(path.join(vault.root, "d/b.md"))).toBe(true);
    expect(readFileSync(path.join(vault.root, "lien2.md"), "utf8")).toBe("b\n");
  });

  it.each([
    ["onto a file", "a.md", "d/b.md", "already_exists"],
    ["into a folder that has the name", "projects/tasks.md", "tasks-dir", "already_exists"],
    ["a folder into itself", "d", "d/e/f", "invalid_argument"],
    ["the root", "vault", "x", "protected"],
    ["a structural file", "overview.md", "x.md", "protected"],
    ["onto tree.md", "a.md", "tree.md", "protected"],
    ["what is missing", "non.md", "x.md", "not_found"],
    ["a file named as a folder", "a.md/", "x.md", "not_a_folder"],
    ["under a file", "d/b.md", "a.md/x.md", "not_a_folder"],
    ["out of the vault", "a.md", "../x.md", "outside_vault"],
    ["to a hidden name", "a.md", ".x.md", "outside_vault"],
    ["to a name with a line break", "a.md", "x\ny.md", "invalid_argument"],
  ])("refuses %s, and nothing moves", async (_, from, to, code) => {
    const { vault, move, files } = setup();
    mkdirSync(path.join(vault.root, "tasks-dir/tasks.md"), { recursive: true });
    const before = await files();
    const result = await move(from, to);
    expect(result.structured).toMatchObject({ error: { code } });
    expect(await files()).toEqual(before);
    expect(await vault.log({ path: null, limit: 1 })).toEqual([]);
  });
});
