import { describe, expect, it } from "vitest";

import { sectionOf } from "./sections.ts";

const NOTE =
  "# Top\n\nintro\n\n## One\n\nfirst ^a\n\n```\n## Two\n```\n\n### Deeper\n\nmore\n\n## Two\n\n- x\n- y ^b\n- z\n\nA long\nparagraph.\n\n^c\n";

describe("a part of a note", () => {
  it("is a heading with all below it, up to the next of its rank", () => {
    expect(sectionOf(NOTE, "One")?.text).toMatch(/^## One\n[^]*### Deeper\n\nmore\n$/u);
    expect(sectionOf(NOTE, "Top#Two")).toMatchObject({ line: 16 });
    expect(sectionOf(NOTE, "deeper")?.text).toBe("### Deeper\n\nmore\n");
  });

  it("is a block, an item of a list, or the block above an id", () => {
    expect(sectionOf(NOTE, "^a")?.text).toBe("first ^a");
    expect(sectionOf(NOTE, "^b")?.text).toBe("- y ^b");
    expect(sectionOf(NOTE, "Two#^b")?.text).toBe("- y ^b");
    expect(sectionOf(NOTE, "^c")?.text).toContain("A long\nparagraph.");
  });

  it("is all of it without a mark, and nothing when there is no such part", () => {
    expect(sectionOf(NOTE, null)?.text).toBe(NOTE);
    expect(sectionOf(NOTE, "Three")).toBeNull();
    expect(sectionOf(NOTE, "^z")).toBeNull();
  });
});
