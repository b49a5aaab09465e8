import { expect, it } from "vitest";

import { hasEndlessBlock } from "./longest-block.ts";

const many = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");

it.each([
  ["a list", many(6000, (at) => `- line ${at}`)],
  ["a numbered list", many(6000, (at) => `${at}. line`)],
  ["a list with blank lines between its items", many(3000, (at) => `* line ${at}\n\n  more`)],
  ["a paragraph of many lines", many(6000, (at) => `line ${at}`)],
  ["a quote", many(6000, (at) => `> line ${at}`)],
  ["a single line", "again and ".repeat(25_000)],
])("%s without end is found", (_, block) => {
  expect(hasEndlessBlock(`# Title\n\nFirst.\n\n${block}\n`)).toBe(true);
  expect(hasEndlessBlock(block.slice(0, 20_000))).toBe(false);
});

it.each([
  ["sections", many(6000, (at) => `## Section ${at}\n- one\n- two\n`)],
  ["paragraphs", many(6000, (at) => `Paragraph ${at}.\n`)],
  ["lists with a sentence before each", many(3000, (at) => `Of ${at}:\n\n- one\n- two\n`)],
])("many %s are none", (_, text) => {
  expect(hasEndlessBlock(text)).toBe(false);
});
