import { describe, expect, it } from "vitest";

import { sharedText } from "./shared.ts";

function form(fields: Readonly<Record<string, string>>): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.set(name, value);
  return made;
}

describe("what another app shared, as a note", () => {
  it.each([
    [{}, ""],
    [{ text: "  Polmear comes on Friday.\n" }, "Polmear comes on Friday."],
    [{ url: "https://kilns.example/a" }, "https://kilns.example/a"],
    [
      { title: "Kilns", text: "A long read", url: "https://kilns.example/a" },
      "Kilns\n\nA long read\n\nhttps://kilns.example/a",
    ],
    [
      { title: "Kilns", text: "https://kilns.example/a", url: "https://kilns.example/a" },
      "Kilns\n\nhttps://kilns.example/a",
    ],
    [{ title: "Kilns", text: "Kilns: a long read" }, "Kilns: a long read"],
    [{ title: "Kilns", text: "" }, "Kilns"],
  ])("%j becomes %j", (fields, text) => {
    expect(sharedText(form(fields))).toBe(text);
  });
});
