import { expect, it } from "vitest";

import { holdsFrontmatter, isMarkedPrivate } from "./private-mark.ts";

it.each([
  "---\nprivate: true\n---\nText\n",
  "\uFEFF---\r\ntitle: A\r\nprivate: true\r\n---\r\nText\r\n",
  "---\nPrivate: yes # since Monday\n---\n",
  '---\n"private": "true"\n---\n',
  "---\nprivate:\n  true\n---\n",
  "---\nprivate: [family]\n---\n",
  "---\nprivate: true\n",
  "+++\nprivate = true\n+++\n",
  '{\n  "private": true,\n  "a": 1\n}\n',
])("%j is private", (text) => {
  expect(isMarkedPrivate(text)).toBe(true);
});

it.each([
  "",
  "private: true\n",
  "Text\n\n---\nprivate: true\n---\n",
  "---\ntitle: A\n---\nprivate: true\n",
  "---\nprivate: false\n---\n",
  "---\nprivate: no\n---\n",
  "---\nprivate:\ntitle: A\n---\n",
  "---\nprivateer: true\n---\n",
  "---\ntitle: private: true\n---\n",
])("%j is not", (text) => {
  expect(isMarkedPrivate(text)).toBe(false);
});

it("knows when more of a file must be read", () => {
  expect(holdsFrontmatter("---\ntitle: A\n", false)).toBe(false);
  expect(holdsFrontmatter("---\ntitle: A\n", true)).toBe(true);
  expect(holdsFrontmatter("---\ntitle: A\n---\nT", false)).toBe(true);
  expect(holdsFrontmatter("# Title\n", false)).toBe(true);
});
