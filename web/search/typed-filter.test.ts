import { expect, it } from "vitest";

import { typedFilter, withFilter } from "./typed-filter.ts";

it.each([
  ["", null],
  ["s", null],
  ["sta", "sta"],
  ["pump sta", "sta"],
  ["pump -sta", "-sta"],
  ["tag:", "tag:"],
  ["pump tag:wo", "tag:wo"],
  ['pump project:"Istanbul by t', 'project:"Istanbul by t'],
  ['project:"Istanbul"', null],
  ["tag:work ", null],
  ["10:30", null],
])("of %j, %j may become a filter", (query, typed) => {
  expect(typedFilter(query)).toBe(typed);
});

it.each([
  ["pump sta", "status:", "pump status:"],
  ["pump tag:wo", "tag:work", "pump tag:work "],
  ["path:pro", "path:projects/", "path:projects/"],
  ['a project:"Ist', 'project:"Istanbul by train"', 'a project:"Istanbul by train" '],
])("%j with %j is %j", (query, filter, expected) => {
  expect(withFilter(query, filter)).toBe(expected);
});
