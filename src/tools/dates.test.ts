import { expect, it } from "vitest";

import { parseDay } from "./dates.ts";

it.each([
  ["2026-03-09", "2026-03-09"],
  ["today", "2026-05-31"],
  ["yesterday", "2026-05-30"],
  ["7 days ago", "2026-05-24"],
  ["1 day ago", "2026-05-30"],
  ["2 weeks ago", "2026-05-17"],
  ["3 months ago", "2026-02-28"],
  ["1 year ago", "2025-05-31"],
  [" 7 Days Ago ", "2026-05-24"],
])("%s is %s on the last of May", (text, day) => {
  expect(parseDay(text, "date_from", new Date(2026, 4, 31, 23, 59))).toBe(day);
});
