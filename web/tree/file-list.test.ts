import { describe, expect, it } from "vitest";

import { latest, withChanges } from "./file-list.ts";

const file = (path: string, changed: string | null): Parameters<typeof latest>[0][number] => ({
  path,
  bytes: 1,
  changed,
});

const KNOWN = [
  file("vault/a.md", "2026-11-14T10:00:00"),
  file("vault/b.md", "2026-11-15T10:00:00"),
  file("vault/tree.md", "2026-11-16T10:00:00"),
  file("vault/broken", null),
];

describe("the list of files", () => {
  it("follows what changes, comes and goes", () => {
    const changes = {
      changed: ["vault/a.md", "vault/new.md"],
      created: ["vault/new.md"],
      gone: ["vault/b.md"],
    };
    expect(withChanges(KNOWN, changes, "now").map(({ path, changed }) => [path, changed])).toEqual([
      ["vault/a.md", "now"],
      ["vault/tree.md", "2026-11-16T10:00:00"],
      ["vault/broken", null],
      ["vault/new.md", "now"],
    ]);
  });

  it("tells which changed last, but for the listing that changes with every other file", () => {
    expect(latest(KNOWN, 5).map(({ path }) => path)).toEqual(["vault/b.md", "vault/a.md"]);
    expect(latest(KNOWN, 1)).toHaveLength(1);
  });
});
