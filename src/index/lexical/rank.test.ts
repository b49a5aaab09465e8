import { describe, expect, it } from "vitest";

import { OTHER_FORM } from "../ranking-weights.ts";
import { parseQuery } from "../query.ts";
import { Ranker, type Candidate, type Ranked } from "./rank.ts";
import { normalise } from "./terms.ts";

interface Given {
  readonly path?: string;
  readonly headings?: string;
  readonly text: string;
}

function candidate({ path = "a", headings = "", text }: Given): Candidate {
  const name = normalise(path.replace(/\.md$/u, ""));
  return {
    file: { path: name, names: name, tags: "", length: text.length },
    heading: normalise(headings),
    aside: "",
    words: normalise(text),
    text,
  };
}

/** Ranks chunks for a query, all of whose words weigh the same. */
function rankAll(
  query: string,
  chunks: readonly Given[],
  forms: readonly string[] = [],
): (Ranked | null)[] {
  const parsed = parseQuery(query);
  const groups = parsed.words.map((word) => ({
    word,
    forms: new Map([[word, 1], ...forms.map((form) => [form, OTHER_FORM] as const)]),
    chunks: 1,
    weight: 1,
  }));
  return new Ranker(parsed, groups, { chunk: 100, file: 100 }).rank(chunks.map(candidate));
}

function rank(query: string, chunk: Given, forms: readonly string[] = []): Ranked {
  const [ranked] = rankAll(query, [chunk], forms);
  return ranked ?? { score: 0, best: { start: -1, end: -1 } };
}

describe("the score of a chunk", () => {
  it("is above one half with all words of the query, and below with some", () => {
    const all = rank("pompe cave", { text: `la pompe ${"mot ".repeat(60)} la cave` });
    const some = rank("pompe cave", { text: "pompe pompe pompe pompe" });
    expect(all.score).toBeGreaterThan(0.5);
    expect(some.score).toBeLessThan(0.5);
    expect(rank("pompe cave", { text: "le toit" }).score).toBe(0);
  });

  it("is higher for the word as typed than for another form", () => {
    const typed = rank("prestataire", { text: "le prestataire" }, ["prestataires"]);
    const other = rank("prestataire", { text: "le prestataires" }, ["prestataires"]);
    expect(typed.score).toBeGreaterThan(other.score);
    expect(other.score).toBeGreaterThan(0.5);
  });

  it("is higher with a word in the headings or the path too", () => {
    const text = "la pompe tient";
    const plain = rank("pompe", { text });
    expect(rank("pompe", { text, headings: "La pompe" }).score).toBeGreaterThan(plain.score);
    expect(rank("pompe", { text, path: "pompe.md" }).score).toBeGreaterThan(plain.score);
    expect(rank("pompe", { text: "rien", headings: "La pompe" }).score).toBeGreaterThan(0.5);
  });

  it("is higher for words near each other, and for the query exactly as typed", () => {
    const near = rank("pompe cave", { text: "une pompe de cave et du bois" });
    const far = rank("pompe cave", {
      text: "une pompe, un toit, du sable, des clous, et une cave",
    });
    expect(near.score).toBeGreaterThan(far.score);
    const literal = rank("status: en-cours", { text: "status: en-cours" });
    const words = rank("status: en-cours", { text: "en status cours" });
    expect(literal.score).toBeGreaterThan(words.score);
  });

  it("is higher for a short chunk than for a long one, and never above 1", () => {
    const short = rank("pompe", { text: "la pompe" });
    const long = rank("pompe", { text: `la pompe ${"mot ".repeat(200)}` });
    expect(short.score).toBeGreaterThan(long.score);
    const most = {
      headings: "pompe de cave",
      path: "pompe de cave",
      text: "pompe de cave ".repeat(99),
    };
    expect(rank("pompe de cave", most).score).toBeLessThanOrEqual(1);
  });

  it("is none for a chunk with an excluded word, or without the phrase asked for", () => {
    expect(rank("pompe -puits", { text: "pompe de puits" }).score).toBe(0);
    expect(rank('"pompe de cave"', { text: "la cave et la pompe" }).score).toBe(0);
    expect(rank('"pompe de cave"', { text: "la pompe de cave" }).score).toBeGreaterThan(0.5);
  });
});

describe("a file", () => {
  it("counts for each of its chunks", () => {
    const alone = rankAll("pompe cave", [{ path: "a.md", text: "la pompe" }]);
    const together = rankAll("pompe cave", [
      { path: "a.md", text: "la pompe" },
      { path: "a.md", text: "la cave" },
    ]);
    expect(together[0]?.score).toBeGreaterThan(alone[0]?.score ?? 1);
  });

  it("with the very name that was asked for comes before one that says more of it", () => {
    const [named, said] = rankAll("publish sites", [
      { path: "Publish sites.md", text: "publish sites" },
      { path: "other.md", text: "publish sites, publish sites: publish all sites" },
    ]);
    expect(named?.score).toBeGreaterThan(said?.score ?? 1);
  });
});

describe("the best lines of a chunk", () => {
  const text = "# Titre\n\nla pompe\nrien\nla pompe de la cave\nla cave et la pompe\nrien";

  it("are the one with most of the query, and neighbours with nearly as much", () => {
    expect(rank("pompe cave", { text }).best).toEqual({ start: 4, end: 5 });
  });

  it("are the first line when the query stands in the title only", () => {
    expect(rank("toiture", { text, headings: "Toiture" }).best).toEqual({ start: 0, end: 0 });
  });

  it("prefer a line with two words to one that repeats a word", () => {
    const repeated = "pompe pompe pompe\nrien\npompe cave";
    expect(rank("pompe cave", { text: repeated }).best).toEqual({ start: 2, end: 2 });
  });

  it("prefer a line about the query to a much longer one that only repeats a word, not to one that has more", () => {
    const filler = "mot ".repeat(20);
    const repeats = `la cave et la pompe\nrien\nla pompe de la cave ${filler}et la pompe`;
    expect(rank("pompe cave", { text: repeats }).best).toEqual({ start: 0, end: 0 });
    const hasMore = `la pompe\nrien\nla pompe de la cave ${filler}`;
    expect(rank("pompe cave", { text: hasMore }).best).toEqual({ start: 2, end: 2 });
  });
});
