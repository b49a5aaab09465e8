import { describe, expect, it } from "vitest";

import { recall, wordsOf } from "./word-recall.ts";

describe("the words of a text", () => {
  it("are its runs of letters and digits, ligatures taken apart", () => {
    expect(wordsOf("L’œuvre ﬁnale, n° 12 !")).toEqual(["l", "œuvre", "finale", "n", "12"]);
  });

  it("are counted as there as often as they are", () => {
    expect(recall("un deux deux", "deux un")).toBeCloseTo(2 / 3);
    expect(recall("", "x")).toBe(1);
    expect(recall("a b", "")).toBe(0);
  });

  it("count as there when a line's end had cut them", () => {
    expect(recall("dévelop pement", "le développement")).toBe(1);
  });
});
