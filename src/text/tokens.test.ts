import { expect, it } from "vitest";

import {
  charactersFor,
  countTokens,
  formatBytes,
  formatTokens,
  tokensForLength,
} from "./tokens.ts";

it("estimates tokens, and how long a text of so many may be", () => {
  expect(countTokens("")).toBe(0);
  expect(countTokens("abcde")).toBe(2);
  for (const tokens of [0, 1, 300, 3000]) {
    expect(tokensForLength(charactersFor(tokens))).toBe(tokens);
    expect(tokensForLength(charactersFor(tokens) + 1)).toBe(tokens + 1);
  }
});

it.each([
  [380, "380"],
  [999, "999"],
  [1000, "1k"],
  [18_340, "18.3k"],
  [999_949, "999.9k"],
  [999_950, "1M"],
  [1_240_000, "1.2M"],
])("writes %i tokens as %s", (tokens, text) => {
  expect(formatTokens(tokens)).toBe(text);
});

it.each([
  [812, "812 B"],
  [214_300, "214 kB"],
  [999_500, "1 MB"],
  [1_400_000, "1.4 MB"],
  [2_000_000_000, "2 GB"],
])("writes %i bytes as %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
