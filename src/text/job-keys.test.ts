import { expect, it } from "vitest";

import { jobLine } from "./job-keys.ts";
import { localTime } from "./local-time.ts";

it("takes every time that the job writes for one of ours", () => {
  for (const date of [new Date(0), new Date(2026, 0, 1), new Date(2026, 11, 31, 23, 59, 59)])
    expect(jobLine(`updated: ${localTime(date)}`)).toEqual({
      key: "updated",
      value: localTime(date),
    });
});

it.each([
  ["created: 2025-07-14T18:30:00", { key: "created", value: "2025-07-14T18:30:00" }],
  ["  updated: 2025-07-14T18:30:00 # ours", { key: "updated", value: "2025-07-14T18:30:00" }],
  ['"tokens" : 12\r', { key: "tokens", value: "12" }],
  ["tokens:", { key: "tokens", value: "" }],
  ["updated: # to fill in", { key: "updated", value: "" }],
])("%j is in our form", (line, found) => {
  expect(jobLine(line)).toEqual(found);
});

it.each([
  'updated: "[[2021-03-05]]"',
  "tokens: my-own-value",
  "created: yesterday",
  "created: 2021-03-05",
  "created: '2025-07-14T18:30:00'",
  "created: 2025-07-14T18:30:00Z",
  "tokens: 1.5",
  "tokens: ~",
  "tokens: |",
  "updated_at: 2025-07-14T18:30:00",
  "tokens:12",
])("%j is the person's", (line) => {
  expect(jobLine(line)).toBeNull();
});
