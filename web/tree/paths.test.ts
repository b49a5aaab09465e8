import { expect, it } from "vitest";

import { folderOf, foldersAbove, nameOf } from "./paths.ts";

it.each([
  [
    "vault/projects/a/state.md",
    "state.md",
    "vault/projects/a/",
    ["vault/", "vault/projects/", "vault/projects/a/"],
  ],
  ["vault/projects/", "projects", "vault/", ["vault/"]],
  ["vault/a.md", "a.md", "vault/", ["vault/"]],
  ["vault/", "vault", "vault/", []],
])("%s is %s, in %s, below %j", (path, name, folder, above) => {
  expect(nameOf(path)).toBe(name);
  expect(folderOf(path)).toBe(folder);
  expect(foldersAbove(path)).toEqual(above);
});
