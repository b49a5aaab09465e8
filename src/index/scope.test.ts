import fc from "fast-check";
import { expect, it } from "vitest";

import { places, put } from "../testing/suites/search-index-suite.ts";
import { MemoryIndex } from "./create-index.ts";
import { isInScope, parseScope } from "./scope.ts";

const FILES = ["a.md", "a/b.md", "a/b/c.md", "a-b/c.md", "a0/c.md", "b/a/é (1).md", "é/b.md"];

it.each([
  ["vault", FILES],
  ["**", FILES],
  ["a", ["a/b.md", "a/b/c.md"]],
  ["vault/a/", ["a/b.md", "a/b/c.md"]],
  ["a/*", ["a/b.md", "a/b/c.md"]],
  ["a/**", ["a/b.md", "a/b/c.md"]],
  ["a.md", ["a.md"]],
  ["a/*.md", ["a/b.md"]],
  ["**/c.md", ["a/b/c.md", "a-b/c.md", "a0/c.md"]],
  ["a/b.md|b/a", ["a/b.md", "b/a/é (1).md"]],
  ["{a,b}/*", ["a/b.md", "a/b/c.md", "b/a/é (1).md"]],
  ["a{,0}/c.md", ["a0/c.md"]],
  ["a?(0)/*", ["a/b.md", "a/b/c.md", "a0/c.md"]],
  ["@(a|é)/b.md", ["a/b.md", "é/b.md"]],
  ["e\u0301", ["é/b.md"]],
  ["A", []],
])("%s covers %j", (scope, covered) => {
  expect(FILES.filter((file) => isInScope([parseScope(scope)], file))).toEqual(covered);
});

it("means the same to an index as to a comparison of paths", async () => {
  const index = new MemoryIndex();
  for (const file of FILES) await put(index, file, "pompe\n");
  const names = fc.constantFrom(
    "a",
    "b",
    "a-b",
    "a0",
    "é",
    "*",
    "**",
    "?.md",
    "{a,b}",
    "a*",
    "a?(0)",
    "+(a|b)",
    "c.md",
  );
  const scopes = fc.array(fc.array(names, { minLength: 1, maxLength: 3 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(scopes, async (given) => {
      const scope = given.map((each) => parseScope(each.join("/")));
      const found = await places(index, "pompe", { scope });
      const wanted = FILES.filter((file) => isInScope(scope, file));
      expect(found.toSorted()).toEqual(wanted.map((file) => `${file}:1-1`).toSorted());
    }),
  );
  await index.close();
});
