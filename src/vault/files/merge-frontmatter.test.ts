import { describe, expect, it } from "vitest";

import { mergeFrontmatter } from "./frontmatter.ts";

const existing =
  "---\ncreated: 2020-01-01T00:00:00\nupdated: 2021-01-01T00:00:00\ntokens: 30\ntitre: Vieux\ntags: [a]\n---\n\nvieux texte\n";

describe("merging a caller's text with the file it replaces", () => {
  it("keeps the whole block of the file when the caller gives none", () => {
    expect(mergeFrontmatter("nouveau\n", existing)).toBe(
      existing.replace("vieux texte", "nouveau"),
    );
  });

  it("puts one empty line between the kept block and the text, not two", () => {
    expect(mergeFrontmatter("\nnouveau\n", existing)).toBe(
      existing.replace("vieux texte", "nouveau"),
    );
  });

  it("takes the caller's keys, keeps those it left out, and ours as they were", () => {
    const merged = mergeFrontmatter(
      "---\ntitre: Neuf\ncreated: 1999-01-01\ntokens: 1\nupdated: 1999-01-01\nétat: ouvert\n---\nnouveau\n",
      existing,
    );
    expect(merged).toBe(
      "---\ntitre: Neuf\ncreated: 2020-01-01T00:00:00\ntokens: 30\nupdated: 2021-01-01T00:00:00\nétat: ouvert\ntags: [a]\n---\nnouveau\n",
    );
  });

  it("drops the caller's updated and tokens when the file has none, and keeps its created", () => {
    const given = "---\ncreated: 2019-05-05\nupdated: x\ntokens: 1\ntitre: T\n---\nn\n";
    expect(mergeFrontmatter(given, null)).toBe("---\ncreated: 2019-05-05\ntitre: T\n---\nn\n");
    expect(mergeFrontmatter(given, "sans bloc\n")).toBe(
      "---\ncreated: 2019-05-05\ntitre: T\n---\nn\n",
    );
  });

  it("keeps the caller's own comments, spacing and order", () => {
    const given = "---\n# en tête\nb:   2 # note\n\n# milieu\na: 1\n# pied\n---\ntexte\n";
    expect(mergeFrontmatter(given, null)).toBe(given);
  });

  it("keeps the caller's comments even after a line of ours that it leaves out", () => {
    const given = "---\ntokens: 5\n# à garder\na: 1\n---\ntexte\n";
    expect(mergeFrontmatter(given, null)).toContain("# à garder\na: 1\n");
  });

  it("keeps the mark of the file, and takes none from the caller", () => {
    expect(mergeFrontmatter("neuf\n", "\ufeffvieux\n")).toBe("\ufeffneuf\n");
    expect(mergeFrontmatter("\ufeffneuf\n", "vieux\n")).toBe("neuf\n");
    expect(mergeFrontmatter("\ufeff---\na: 1\n---\nneuf\n", null)).toBe("---\na: 1\n---\nneuf\n");
  });

  it("matches a key however it is quoted", () => {
    const merged = mergeFrontmatter("---\n\"titre\": Neuf\n'tokens': 1\n---\nx\n", existing);
    expect(merged).toBe(
      '---\ncreated: 2020-01-01T00:00:00\nupdated: 2021-01-01T00:00:00\n"titre": Neuf\ntokens: 30\ntags: [a]\n---\nx\n',
    );
  });

  it.each([
    ["not YAML", "a: [1\n"],
    ["a list", "- a\n"],
    ["in braces", "{a: 1}\n"],
    ["with a key twice", "a: 1\na: 2\n"],
  ])("refuses a caller's block that is %s, and says why", (_, yaml) => {
    const merged = mergeFrontmatter(`---\n${yaml}---\nx\n`, existing);
    expect(merged).toEqual({ problem: expect.stringMatching(/\w{3}/u) });
  });

  it("replaces a block of the file that nobody can read, when the caller gives a good one", () => {
    expect(mergeFrontmatter("---\na: 1\n---\nx\n", "---\nb: [\n---\nvieux\n")).toBe(
      "---\na: 1\n---\nx\n",
    );
  });

  it("refuses rather than break a block whose keys stand elsewhere than the caller's", () => {
    const merged = mergeFrontmatter(
      "---\na: 1\n---\nx\n",
      "---\n  b: 2\n  tokens: 5\n---\nvieux\n",
    );
    expect(typeof merged === "string" ? merged : merged.problem).toMatch(/b: 2|fit/u);
  });

  it("refuses, or keeps, a reference whose anchor the caller replaced, never leaves it hanging", () => {
    const old = "---\nbase: &b {x: 1}\nautre: *b\n---\nvieux\n";
    const merged = mergeFrontmatter("---\nbase: 2\n---\nx\n", old);
    expect(typeof merged === "string" && merged.includes("*b") && !merged.includes("&b")).toBe(
      false,
    );
  });

  it("takes a text that begins with a rule for text", () => {
    expect(mergeFrontmatter("---\n\npas un bloc\n", null)).toBe("---\n\npas un bloc\n");
  });

  it("takes the caller's value for a key of ours that is the person's own", () => {
    const own = '---\nupdated: "[[2021-03-05]]"\ntokens: mine\n---\nvieux\n';
    expect(mergeFrontmatter('---\nupdated: "[[2022-01-01]]"\n---\nneuf\n', own)).toBe(
      '---\ntokens: mine\nupdated: "[[2022-01-01]]"\n---\nneuf\n',
    );
  });
});
