import { expect, it } from "vitest";

import { Drafts } from "./drafts.ts";

function storage() {
  const kept = new Map<string, string>();
  return {
    kept,
    get length() {
      return kept.size;
    },
    key: (at: number) => [...kept.keys()][at] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

const DRAFT = { base: { version: "1", body: "a" }, body: "b" };

it("keeps a draft for its tab until it is saved", () => {
  const drafts = new Drafts(storage(), "one");
  expect(drafts.put("vault/a b.md", DRAFT)).toBe(true);
  expect(drafts.take("vault/a b.md", () => true)).toEqual(DRAFT);
  expect(drafts.take("vault/a.md", () => false)).toBeNull();
  drafts.remove("vault/a b.md");
  expect(drafts.take("vault/a b.md", () => false)).toBeNull();
});

it("takes over what a closed tab left, and leaves that of an open one", () => {
  const shared = storage();
  new Drafts(shared, "one").put("vault/a.md", DRAFT);
  const other = new Drafts(shared, "two");
  expect(other.take("vault/a.md", () => true)).toBeNull();
  expect(other.take("vault/a.md", () => false)).toEqual(DRAFT);
  expect(new Drafts(shared, "three").take("vault/a.md", (tab) => tab === "two")).toBeNull();
});

it("ignores what it cannot read, and says when there is no room", () => {
  const full = storage();
  full.kept.set("coffre-draft one vault/a.md", "{broken");
  full.kept.set("coffre-draft one vault/b.md", '{"body": 1, "base": null}');
  const drafts = new Drafts(
    {
      ...full,
      setItem: () => {
        throw new Error("QuotaExceededError");
      },
    },
    "one",
  );
  expect(drafts.take("vault/a.md", () => false)).toBeNull();
  expect(drafts.take("vault/b.md", () => false)).toBeNull();
  expect(drafts.put("vault/a.md", DRAFT)).toBe(false);
});
