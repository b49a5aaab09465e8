import { expect, it } from "vitest";

import { valueOf } from "./property-value.ts";

it.each([
  ["done", "done"],
  ["  12.5 ", 12.5],
  ["007", "007"],
  ["true", true],
  ["[a, 'b c', ]", ["a", "b c"]],
  ["[[a link]]", "[[a link]]"],
  ["2026-05-06", "2026-05-06"],
  ["a: b # c", "a: b # c"],
  ["", ""],
])("%j is %j", (text, value) => {
  expect(valueOf(text)).toEqual(value);
});
