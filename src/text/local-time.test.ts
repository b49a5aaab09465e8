import { expect, it } from "vitest";

import { dayOf, DAY_LENGTH, localDay, localTime, readTime, showMinute } from "./local-time.ts";

const TIME = new Date(2026, 2, 9, 8, 5, 3);

it("writes a time of the local zone, and takes it apart", () => {
  expect(localTime(TIME)).toBe("2026-03-09T08:05:03");
  expect(localDay(TIME)).toBe("2026-03-09");
  expect(dayOf(localTime(TIME))).toBe(localDay(TIME));
  expect(localDay(TIME)).toHaveLength(DAY_LENGTH);
  expect(showMinute(localTime(TIME))).toBe("2026-03-09 08:05");
});

it.each([
  ["2026-03-09", "2026-03-09T00:00:00"],
  ["2026-03-09 08:05", "2026-03-09T08:05:00"],
  ["2026-03-09T08:05:03.5", "2026-03-09T08:05:03"],
  ["2026-13-09", null],
  ["yesterday", null],
])("reads %j as %j", (text, time) => {
  expect(readTime(text)).toBe(time);
});

it("reads a time of another zone as the local one", () => {
  expect(readTime("2026-03-09T08:05:03Z")).toBe(localTime(new Date("2026-03-09T08:05:03Z")));
});
