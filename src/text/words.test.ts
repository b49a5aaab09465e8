import fc from "fast-check";
import { expect, it } from "vitest";

import { fold, wordsOf } from "./words.ts";

it("folds case and accents, of every script", () => {
  expect(fold("Été à l'ŒUVRE")).toBe("ete a l'œuvre");
  expect(fold("Ёлка Ά")).toBe("елка α");
});

it("keeps the marks that make another letter: of voiced kana, and of Cyrillic", () => {
  const letters = Array.from("ガカバパハぎきポホブйиїіўуѓгќк");
  for (const letter of letters) {
    expect(fold(letter)).toBe(letter);
    expect(fold(letter.normalize("NFD"))).toBe(letter);
  }
  expect(fold("ЙЇЎ")).toBe("йїў");
  // A mark that makes no letter there is is one of its own.
  expect(fold("あ゙ い̂ мой дом".normalize("NFD"))).toBe("あ い мой дом");
  expect(fold("мо\u0301й")).toBe("мой");
});

it("folds the short way as the long way does", () => {
  // A Cyrillic letter makes it take the long way.
  const longWay = (text: string): string => fold(`ж${text}`).slice(1);
  const plain = (letter: string): string =>
    /^[\u3041-\u30ffйїўѓќ]$/u.test(letter)
      ? letter
      : letter.normalize("NFD").replaceAll(/\p{M}/gu, "");
  const unfolded = (text: string): string =>
    Array.from(text.normalize("NFD").toLowerCase().normalize("NFC"), plain).join("").toLowerCase();
  const SHAPES = /[µſςϐϑϕϖϰϱϵ]/u;
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      fc.pre(!SHAPES.test(unfolded(text)));
      expect(fold(text)).toBe(unfolded(text));
    }),
  );
  for (let code = 0x20; code <= 0x24f; code += 1) {
    const letter = String.fromCharCode(code);
    expect(fold(letter)).toBe(longWay(letter));
    if (!SHAPES.test(letter)) expect(fold(letter)).toBe(unfolded(letter));
  }
});

it("cuts a text into words", () => {
  expect(wordsOf("L'API, en-cours : 2026-07-14 !")).toEqual([
    "l",
    "api",
    "en",
    "cours",
    "2026",
    "07",
    "14",
  ]);
  expect(wordsOf("  ?!  ")).toEqual([]);
});
