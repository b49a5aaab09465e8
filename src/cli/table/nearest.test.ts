import { describe, expect, it } from "vitest";

import { nearest } from "./nearest.ts";

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
