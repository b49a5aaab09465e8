import { createHash } from "node:crypto";

const LIGATURES: Readonly<Record<string, string>> = {
  œ: "oe",
  æ: "ae",
  ß: "ss",
  ø: "o",
  ł: "l",
  đ: "d",
};

/**
 * Words of a text as the name of a file: lower case, accents folded, words joined by `-`. Letters of other scripts are kept.
 * @param otherwise the name of a text that has no word
 * @param maxLength in characters; whole words that do not fit are left out
 */
export function slugOf(text: string, otherwise: string, maxLength = 60): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[œæßøłđ]/gu, (letter) => LIGATURES[letter] ?? letter)
    .normalize("NFD")
    // The marks of Latin letters only: in other scripts they make the word.
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, "$1")
    .normalize("NFC");
  const words = plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  let slug = "";
  for (const word of words) {
    const longer = slug === "" ? word.slice(0, maxLength) : `${slug}-${word}`;
    if (longer.length > maxLength) break;
    slug = longer;
  }
  return slug === "" ? otherwise : slug;
}

/** A file name that is readable and different for every key: `notes-3fa94b1c`. */
export function uniqueName(label: string, key: string): string {
  const name = label.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-");
  return `${name}-${createHash("sha256").update(key).digest("hex").slice(0, 8)}`;
}
