import { expect, it } from "vitest";

import { listOf, newValue, textOf, valueOf } from "./property-value.ts";

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

it.each([[["oak", "old, tree"]], [["a"]], [[]], [['"x", y', "back\\slash, it"]], [["[[a]]", "b"]]])(
  "the list %j is the same after it was shown as a line",
  (values) => {
    expect(listOf(textOf({ key: "tags", values, isList: true }))).toEqual(values);
  },
);

it.each([
  ["tags", "oak, elm", ["oak", "elm"]],
  ["aliases", "Quercus", ["Quercus"]],
  ["tags", "[oak]", ["oak"]],
  ["years", "1999, 2000", "1999, 2000"],
  ["years", "[1999, 2000]", [1999, 2000]],
])("a new property %s of %j is %j", (key, text, value) => {
  expect(newValue(key, text)).toEqual(value);
});
