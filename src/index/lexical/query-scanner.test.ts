import { expect, it } from "vitest";

import type { WordGroup } from "./word-forms.ts";
import { QueryScanner } from "./query-scanner.ts";
import { fold } from "../../text/words.ts";

function scannerFor(...words: readonly (readonly string[])[]): QueryScanner {
  const groups = words.map(([word = "", ...others]): WordGroup => ({
    word,
    forms: new Map([[word, 1], ...others.map((form) => [form, 0.5] as const)]),
    chunks: 1,
    weight: 1,
  }));
  return new QueryScanner(groups);
}

const always = (): number => 1;

it("finds whole words in all their forms, in order, and nothing inside of words", () => {
  const scanner = scannerFor(["pompe", "pompes"], ["cave"]);
  const text = fold("La cave, l'Pompe: des pompes; pompeux caves (pompe)");
  expect(scanner.scan(text)).toEqual([
    { at: 3, group: 1, share: 1 },
    { at: 11, group: 0, share: 1 },
    { at: 22, group: 0, share: 0.5 },
    { at: 45, group: 0, share: 1 },
  ]);
});

it("finds words of other scripts, and next to emoji", () => {
  const scanner = scannerFor(["насос"], ["𝒜𝒷"], ["ポンプ"], ["fin"]);
  expect(scanner.scan("насос 😀fin😀 𝒜𝒷 ポンプ").map(({ group }) => group)).toEqual([0, 3, 1, 2]);
  expect(scanner.scan("насосы xfin 𝒜𝒷𝒷 ポンププ")).toEqual([]);
});

it("measures kinship by groups of letters: all of itself, some of a relative, nothing of a stranger", () => {
  const scanner = scannerFor(["electrique"]);
  const share = (text: string): number => {
    scanner.scan(text);
    return scanner.gramShare(always);
  };
  expect(share("un moteur electrique")).toBe(1);
  expect(share("electrification")).toBeGreaterThan(0.3);
  expect(share("electrification")).toBeLessThan(1);
  expect(share("une chaudiere")).toBe(0);
});

it("takes queries of thousands of words, and of none", () => {
  const many = Array.from({ length: 5000 }, (_, at) => [`mot${at}abc`]);
  const scanner = scannerFor(...many);
  expect(scanner.scan("mot4999abc")).toHaveLength(1);
  expect(scanner.gramShare(always)).toBeLessThanOrEqual(1);
  const none = scannerFor();
  expect(none.scan("texte")).toEqual([]);
  expect(none.gramShare(always)).toBe(0);
});
