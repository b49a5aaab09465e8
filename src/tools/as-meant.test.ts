import { describe, expect, it } from "vitest";
import { z } from "zod";

import { callerOf, temporaryVault, textOf } from "../testing/temporary-vault.ts";
import { asMeant } from "./as-meant.ts";

const FILES = { "a.md": "# Cave\n\nLa pompe tient.\n", "b/c.md": "La pompe du voisin.\n" };

describe("arguments as strict clients and models send them", () => {
  it.each([
    [
      "null for all that may be left out",
      { mode: null, scopes: null, limit: null, date_from: null },
    ],
    ["an empty list for none", { scopes: [] }],
    ["a number as text", { limit: "5" }],
    ["a list as text", { scopes: '["vault/b/**", "vault/a.md"]' }],
    ["one text for a list", { scopes: "vault/**" }],
  ])("%s", async (_, more) => {
    const { search } = callerOf(temporaryVault(FILES));
    const plain = await search("search", { queries: ["pompe"] });
    const result = await search("search", { queries: "pompe", ...more });
    expect(result.isError).toBe(false);
    expect(result.structured).toHaveLength(2);
    if (Object.values(more)[0] === null) expect(textOf(result)).toBe(textOf(plain));
  });

  it("null for the options of read and tree, and lists of paths as text", async () => {
    const { search } = callerOf(temporaryVault(FILES));
    const nulls = { paths: '["a.md", "b/c.md"]', head: null, tail: null, folded: null };
    expect(textOf(await search("read", nulls))).toContain("vault/b/c.md");
    expect((await search("read", { paths: "a.md", folded: "true" })).isError).toBe(false);
    expect((await search("tree", { path: null, depth: "1" })).isError).toBe(false);
    expect((await search("concat", { files: { path: "a.md", lines: null } })).isError).toBe(false);
    expect((await search("concat", { files: '[{"path": "a.md"}]' })).isError).toBe(false);
  });

  it("a file whose name begins with a bracket is that file", async () => {
    const { search } = callerOf(temporaryVault({ "[brouillon].md": "x\n" }));
    expect(textOf(await search("read", { paths: "[brouillon].md" }))).toContain("1  | x");
  });

  it("names the real problem of anything else", async () => {
    const { search } = callerOf(temporaryVault(FILES));
    const many = Array.from({ length: 11 }, () => "x");
    expect(textOf(await search("search", { queries: many }))).toContain("queries:");
    expect(textOf(await search("search", { queries: "x", limit: "many" }))).toContain("limit:");
    expect(textOf(await search("read", { paths: null }))).toContain("paths:");
    expect(textOf(await search("search", { queries: {} }))).toContain("queries:");
  });
});

it("leaves keys that a schema does not know, and values of other types", () => {
  const schema = z.strictObject({ list: z.array(z.string()).nullish(), count: z.int().default(3) });
  expect(asMeant(schema, { __proto__x: 1, list: 5, count: "3px" })).toEqual({
    __proto__x: 1,
    list: 5,
    count: "3px",
  });
  expect(asMeant(schema, null)).toBeNull();
  expect(asMeant(schema, '{"list": "a"}')).toEqual({ list: ["a"] });
});
