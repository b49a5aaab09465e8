import { symlinkSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { MemoryIndex } from "../index/create-index.ts";
import { temporaryVault } from "../testing/temporary-vault.ts";
import { snapshotOf } from "../testing/tree-snapshot.ts";
import { ExpectedError } from "../errors.ts";
import type { ChangeGuard } from "../vault/history/history-types.ts";
import { callTool } from "./call.ts";
import { toolsOf } from "./registry.ts";
import { createSession } from "./session.ts";

const ARGUMENTS: Readonly<Record<string, readonly object[]>> = {
  write: [
    { path: "a.md", content: "x" },
    { path: "new/deep.md", content: "x" },
  ],
  edit: [{ path: "a.md", old_content: "old", new_content: "x" }],
  append: [
    { path: "a.md", content: "x", position: "top" },
    { path: "large.md", content: "x", position: "bottom" },
    { path: "new/deep.md", content: "x", position: "bottom" },
    { path: "link.md", content: "x", position: "bottom" },
  ],
  move: [
    { from: "a.md", to: "b.md" },
    { from: "folder", to: "elsewhere/" },
  ],
  delete: [{ path: "a.md" }, { path: "folder/" }],
};

const files = {
  "a.md": "old\n",
  "folder/b.md": "b\n",
  "large.md": "line\n".repeat(300_000),
};

it("asks the guard before every change of every tool that changes something, and a refusal leaves the vault as it was", async () => {
  const vault = temporaryVault(files);
  symlinkSync("a.md", path.join(vault.root, "link.md"));
  const before = snapshotOf(vault.root);
  const asked: string[] = [];
  const guard: ChangeGuard = (deed, place) => {
    asked.push(`${deed} ${place}`);
    throw new ExpectedError("protected", "not for this caller");
  };
  const session = createSession("test");
  const context = { vault, index: new MemoryIndex(), session, now: () => new Date(), batch: null };
  await callTool("read", { paths: "a.md" }, { ...context, profile: "update" });
  for (const tool of toolsOf("update").filter(({ effect }) => effect === "write")) {
    for (const args of ARGUMENTS[tool.name] ?? [{}]) {
      const result = await callTool(tool.name, args, { ...context, profile: "update", guard });
      expect(result.structured, tool.name).toMatchObject({ error: { code: "protected" } });
    }
  }
  expect(asked).toEqual([
    "alter a.md",
    "add new/deep.md",
    "alter a.md",
    "alter a.md",
    "alter large.md",
    "add new/deep.md",
    "alter a.md",
    "take a.md",
    "take folder",
    "take a.md",
    "take folder",
  ]);
  expect(snapshotOf(vault.root)).toEqual(before);
});

it("asks about both ends of a move", async () => {
  const vault = temporaryVault(files);
  const asked: string[] = [];
  const guard: ChangeGuard = (deed, place) => void asked.push(`${deed} ${place}`);
  const session = createSession("test");
  const context = { vault, index: new MemoryIndex(), session, now: () => new Date(), batch: null };
  await callTool("move", { from: "a.md", to: "folder/" }, { ...context, profile: "update", guard });
  expect(asked).toEqual(["take a.md", "add folder/a.md"]);
});
