import { describe, expect, it } from "vitest";

import { slugOf, uniqueName } from "./slug.ts";

describe("the slug of a text", () => {
  it.each([
    ["Réunion d’Été (v2)", "reunion-d-ete-v2"],
    ["L'ŒUF ÆTHER Straße", "l-oeuf-aether-strasse"],
    ["  --  ", "file"],
    ["日本語 メモ", "日本語-メモ"],
    ["हिन्दी", "हिन्दी"],
    ["a".repeat(100), "a".repeat(60)],
    ["mot ".repeat(30), "mot-mot-mot-mot-mot-mot-mot-mot-mot-mot-mot-mot-mot-mot-mot"],
    ["../../etc/passwd", "etc-passwd"],
    ["Счёт за крышу", "счёт-за-крышу"],
  ])("is plain and short: %s", (text, slug) => {
    expect(slugOf(text, "file")).toBe(slug);
  });

  it("is as long as it may be, in whole words", () => {
    expect(slugOf("roof quote from Hale", "note", 15)).toBe("roof-quote-from");
    expect(slugOf("roof quote from Hale", "note", 14)).toBe("roof-quote");
    expect(slugOf("!?", "note", 14)).toBe("note");
  });
});

it("names a file readably, and differently for every key", () => {
  expect(uniqueName("my notes", "/home/a/my notes")).toMatch(/^my-notes-[0-9a-f]{8}$/u);
  expect(uniqueName("notes", "/home/a")).not.toBe(uniqueName("notes", "/home/b"));
});
