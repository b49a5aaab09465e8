import { describe, expect, it } from "vitest";

import type { TreeEntry } from "../../src/server/api/contract.ts";
import { keyAction, visibleRows, type TreeState } from "./tree-rows.ts";

const entry = (path: string): TreeEntry => ({
  path,
  kind: path.endsWith("/") ? "folder" : "file",
  tokens: 1,
  changed: null,
});

const STATE: TreeState = {
  folders: new Map([
    ["vault/", [entry("vault/a/"), entry("vault/b/"), entry("vault/c.md")]],
    ["vault/a/", [entry("vault/a/x.md"), entry("vault/a/y.md")]],
    ["vault/b/", [entry("vault/b/z.md")]],
  ]),
  expanded: new Set(["vault/a/", "vault/never-loaded/"]),
};
const ROWS = visibleRows(STATE);

describe("the tree", () => {
  it("shows what is unfolded, folder by folder", () => {
    expect(ROWS.map((row) => [row.entry.path, row.level, row.position, row.siblings])).toEqual([
      ["vault/a/", 1, 1, 3],
      ["vault/a/x.md", 2, 1, 2],
      ["vault/a/y.md", 2, 2, 2],
      ["vault/b/", 1, 2, 3],
      ["vault/c.md", 1, 3, 3],
    ]);
  });

  it("shows nothing before anything is known", () => {
    expect(visibleRows({ folders: new Map(), expanded: new Set() })).toEqual([]);
  });

  it.each([
    ["ArrowDown", 0, { go: 1 }],
    ["ArrowDown", 4, { go: 4 }],
    ["ArrowUp", 0, { go: 0 }],
    ["End", 1, { go: 4 }],
    ["Home", 3, { go: 0 }],
    ["ArrowRight", 3, { toggle: "vault/b/" }],
    ["ArrowRight", 0, { go: 1 }],
    ["ArrowRight", 1, null],
    ["ArrowLeft", 0, { toggle: "vault/a/" }],
    ["ArrowLeft", 2, { go: 0 }],
    ["ArrowLeft", 4, null],
    ["x", 0, null],
    ["ArrowDown", -1, { go: 0 }],
  ])("%s on line %i does %j", (key, at, action) => {
    expect(keyAction(key, ROWS, at)).toEqual(action);
  });
});
