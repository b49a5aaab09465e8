import { describe, expect, it } from "vitest";

import { editDistance, letterPairs, likeness, nearest } from "./likeness.ts";

const known = ["tree", "read", "write", "append", "delete"];

describe("the nearest known name", () => {
  it.each([
    ["raed", "read"],
    ["reda", "read"],
    ["wirte", "write"],
    ["apend", "append"],
    ["deletes", "delete"],
    ["tre", "tree"],
  ])("for %s is %s", (typed, meant) => {
    expect(nearest(typed, known)).toBe(meant);
  });

  it.each(["", "zz", "publish", "x"])("for %j is none", (typed) => {
    expect(nearest(typed, known)).toBeUndefined();
  });

  it("is none among none", () => {
    expect(nearest("read", [])).toBeUndefined();
  });
});

describe("the edit distance", () => {
  it.each([
    ["", "", 0],
    ["abc", "", 3],
    ["abc", "abc", 0],
    ["abc", "abd", 1],
    ["abc", "acb", 1],
    ["prestataire", "prestatiare", 1],
    ["kitten", "sitting", 3],
  ])("from %j to %j is %i", (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });

  it("is given up beyond the largest that matters", () => {
    expect(editDistance("kitten", "sitting", 1)).toBe(2);
    expect(editDistance("kitten", "sitting", 3)).toBe(3);
  });
});

it("compares texts by their pairs of letters, without case and accents", () => {
  const alike = (a: string, b: string): number => likeness(letterPairs(a), letterPairs(b));
  expect(alike("Été", "ete")).toBe(1);
  expect(alike("abc", "xyz")).toBe(0);
  expect(alike("projects/sail-loft", "project/sail-loft")).toBeGreaterThan(0.8);
});
