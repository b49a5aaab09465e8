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
  ['pump "due da', '"due da'],
  ['pump -"due date":2', '-"due date":2'],
  ['"due date":"next we', '"due date":"next we'],
  ['"d', null],
  ['"due date"', null],
  ['"an exact phrase" st', "st"],
  ["10:30", null],
])("of %j, %j may become a filter", (query, typed) => {
  expect(typedFilter(query)).toBe(typed);
});

it.each([
  ["pump sta", "status:", "pump status:"],
  ["pump tag:wo", "tag:work", "pump tag:work "],
  ["pump du", '"due date":', 'pump "due date":'],
  ['pump "due d', '"due date":', 'pump "due date":'],
  ['"due date":20', '"due date":2026-05-01', '"due date":2026-05-01 '],
  ["path:pro", "path:projects/", "path:projects/"],
  ['a project:"Ist', 'project:"Istanbul by train"', 'a project:"Istanbul by train" '],
])("%j with %j is %j", (query, filter, expected) => {
  expect(withFilter(query, filter)).toBe(expected);
});
