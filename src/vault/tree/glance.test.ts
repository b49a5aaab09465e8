import { chmodSync, symlinkSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { temporaryVault } from "../../testing/temporary-vault.ts";
import { Disk } from "../disk.ts";
import { glance } from "./glance.ts";
import { nodesUnder } from "./nodes-under.ts";
import type { TreeNode } from "./folder-totals.ts";

const FILES = { "a.md": "12345678", "d/b.md": "1234", "d/e/c.md": "1234", "f/g.png": "x" };

function pathsUnder(node: TreeNode): string[] {
  return [...nodesUnder(node)].map((each) => each.path).filter((each) => each !== "");
}

it("shows names, sizes and times without reading a file, and what they sum up to", () => {
  const { root } = temporaryVault({ ...FILES, ".hidden.md": "x", "node_modules/p.md": "x" });
  // Reading it would fail for anybody but root.
  chmodSync(path.join(root, "a.md"), 0);
  symlinkSync("a.md", path.join(root, "link.md"));
  const disk = new Disk(root);
  const seen = glance(disk, disk.get(""));
  expect(pathsUnder(seen).toSorted()).toEqual(
    ["a.md", "d", "d/b.md", "d/e", "d/e/c.md", "f", "f/g.png", "link.md"].toSorted(),
  );
  expect(seen).toMatchObject({ files: 5, tokens: 2 + 1 + 1 + 2 });
  chmodSync(path.join(root, "a.md"), 0o644);
});

it("shows the upper levels first when there is too much", () => {
  const { root } = temporaryVault(FILES);
  const disk = new Disk(root);
  expect(pathsUnder(glance(disk, disk.get(""), 3)).toSorted()).toEqual(["a.md", "d", "f"]);
  expect(pathsUnder(glance(disk, disk.get("d"), 9)).toSorted()).toEqual([
    "d/b.md",
    "d/e",
    "d/e/c.md",
  ]);
});

it("is given only to those who ask for it, and until the vault is measured", async () => {
  const vault = temporaryVault({ "a.md": "12345678\n", "b.md": "é".repeat(8) });
  const tokens = async (how?: "glance"): Promise<number> => {
    const node = await vault.shape("", how);
    return node.kind === "folder" ? node.tokens : 0;
  };
  expect(await tokens("glance")).toBe(3 + 2);
  vault.totals.isAwaited = true;
  // Estimated from bytes.
  expect(await tokens("glance")).toBe(3 + 4);
  expect(await tokens()).toBe(3 + 2);
  vault.totals.scan();
  expect(await tokens("glance")).toBe(3 + 2);
});
