import { expect, it } from "vitest";

import { formatAgo, formatBytes, formatDay, formatTokens } from "./format.ts";

it.each([
  [0, "0"],
  [999, "999"],
  [1000, "1k"],
  [18_360, "18.4k"],
  [999_949, "999.9k"],
  [1_200_000, "1.2M"],
])("%i tokens show as %s", (tokens, text) => {
  expect(formatTokens(tokens, "en")).toBe(text);
});

it("writes numbers and days as they are written where it is read", () => {
  expect(formatTokens(18_340, "fr-FR")).toBe("18,3k");
  expect(formatDay(new Date("2026-11-18T12:00:00"), "en-GB")).toBe("18 Nov 2026");
});

it("shows bytes in the unit that suits them", () => {
  expect(formatBytes(12, "en")).toBe("12 byte");
  expect(formatBytes(12_340, "en")).toBe("12.3 kB");
  expect(formatBytes(4_000_000, "en")).toBe("4 MB");
});

it.each([
  ["2026-11-16T11:59:57", "now"],
  ["2026-11-16T11:59:30", "30 seconds ago"],
  ["2026-11-16T11:15:00", "45 minutes ago"],
  ["2026-11-16T09:00:00", "3 hours ago"],
  ["2026-11-15T09:00:00", "yesterday"],
  ["2026-11-01T09:00:00", "Nov 1"],
  ["2025-11-01T09:00:00", "Nov 1, 2025"],
])("what happened at %s was %s", (then, text) => {
  expect(formatAgo(new Date(then), new Date("2026-11-16T12:00:00"), "en")).toBe(text);
});
