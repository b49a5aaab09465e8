import { localDay } from "../../text/local-time.ts";

const LONGEST_SLUG = 60;
const LIGATURES: Readonly<Record<string, string>> = {
  œ: "oe",
  æ: "ae",
  ß: "ss",
  ø: "o",
  ł: "l",
  đ: "d",
};

/** A name for files: lower case, accents folded, words joined by `-`. Letters of other scripts stay. */
export function slugOf(text: string): string {
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
    const longer = slug === "" ? word.slice(0, LONGEST_SLUG) : `${slug}-${word}`;
    if (longer.length > LONGEST_SLUG) break;
    slug = longer;
  }
  return slug === "" ? "file" : slug;
}

/** The base of a note's name: the day it came, and what it is called. A name that begins with a day keeps its own. */
export function datedName(title: string, now: Date): string {
  const slug = slugOf(title);
  return /^\d{4}-\d\d-\d\d(?:-|$)/u.test(slug) ? slug : `${localDay(now)}-${slug}`;
}

/** `Devis été.pdf` without the folders some programs put before it, and without its extension. */
export function stemOf(name: string): string {
  const base = baseOf(name);
  const dot = base.lastIndexOf(".");
  return dot > 0 ? base.slice(0, dot) : base;
}

export function baseOf(name: string): string {
  return name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
}
