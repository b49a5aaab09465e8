import { expect, it } from "vitest";

import { Drafts } from "./drafts.ts";

/** @param room characters that fit into it */
function storage(room = Infinity) {
  const kept = new Map<string, string>();
  const used = (): number =>
    [...kept].reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  return {
    kept,
    get length() {
      return kept.size;
    },
    key: (at: number) => [...kept.keys()][at] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => {
      const before = kept.get(key);
      kept.set(key, value);
      if (used() <= room) return;
      if (before === undefined) kept.delete(key);
      else kept.set(key, before);
      throw new Error("QuotaExceededError");
    },
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

it("writes the present text only at a keystroke", () => {
  const shared = storage();
  const drafts = new Drafts(shared, "one");
  const base = { version: "v1", body: "a long text" };
  const sent = ["a long text, sent"];
  drafts.put("vault/a.md", { base, body: "a", sent });
  const written: string[] = [];
  const watched = new Drafts(
    {
      ...shared,
      get length() {
        return shared.length;
      },
      setItem: (key: string, value: string) => (written.push(value), shared.setItem(key, value)),
    },
    "one",
  );
  watched.put("vault/a.md", { base, body: "ab" });
  watched.put("vault/a.md", { base, body: "abc" });
  expect(written).toEqual(["1 v1\nab", "1 v1\nabc"]);
  drafts.put("vault/a.md", { base: { version: "v2", body: "newer" }, body: "abcd", sent });
  expect(drafts.take("vault/a.md", () => true)).toEqual({
    base: { version: "v2", body: "newer" },
    body: "abcd",
    sent,
  });
  drafts.remove("vault/a.md");
  expect([...shared.kept.keys()]).toEqual([]);
});

it("drops what was sent before it has no room for what is written, and says when there is none", () => {
  const shared = storage(1000);
  const drafts = new Drafts(shared, "one");
  const base = { version: "v1", body: "x".repeat(300) };
  expect(drafts.put("vault/a.md", { base, body: "y".repeat(200), sent: ["z".repeat(300)] })).toBe(
    true,
  );
  const long = { base, body: "y".repeat(500), sent: ["z".repeat(300)] };
  expect(drafts.put("vault/a.md", long)).toBe(true);
  expect(drafts.take("vault/a.md", () => true)).toEqual({ base, body: long.body });
  expect(drafts.put("vault/a.md", { base, body: "y".repeat(900) })).toBe(false);
  // The last that had room.
  expect(drafts.take("vault/a.md", () => true)).toEqual({ base, body: long.body });
  expect(
    drafts.put("vault/a.md", { base: { version: "v2", body: "x".repeat(900) }, body: "y" }),
  ).toBe(false);
  expect(drafts.take("vault/a.md", () => true)).toEqual({ base, body: long.body });
  // Another tab can take it over where there is no room for two.
  expect(new Drafts(shared, "two").take("vault/a.md", () => false)).toEqual({
    base,
    body: long.body,
  });
  expect(new Drafts(shared, "two").has("vault/a.md")).toBe(true);
  expect(new Drafts(shared, "one").has("vault/a.md")).toBe(false);
});

it("tells which drafts nobody writes on, and reads those of an older page", () => {
  const shared = storage();
  new Drafts(shared, "one").put("vault/a b.md", DRAFT);
  new Drafts(shared, "open").put("vault/c.md", DRAFT);
  shared.kept.set("coffre-draft old vault/d.md", JSON.stringify({ ...DRAFT, sent: ["s"] }));
  const drafts = new Drafts(shared, "own");
  drafts.put("vault/a b.md", DRAFT);
  drafts.put("vault/e.md", DRAFT);
  const isOpen = (tab: string): boolean => tab === "open";
  expect(drafts.left(isOpen).toSorted()).toEqual(["vault/a b.md", "vault/d.md", "vault/e.md"]);
  expect(drafts.take("vault/d.md", isOpen)).toEqual({ ...DRAFT, sent: ["s"] });
  expect(drafts.take("vault/d.md", isOpen)).toEqual({ ...DRAFT, sent: ["s"] });
});
