import { slugOf } from "../text/slug.ts";

/** Characters of the shortest text that is forgotten: a shorter one stands in too much. */
export const SHORTEST = 4;

/** A name without any of these texts, or their slugs, in it. */
export function cleanName(name: string, texts: readonly string[]): string {
  const slugs = texts.map((text) => slugOf(text, "")).filter((slug) => slug.length >= SHORTEST);
  const clean = [...texts, ...slugs].reduce((rest, text) => rest.replaceAll(text, ""), name);
  return /^\.?[a-z]*$/u.test(clean) && clean !== name ? `forgotten${clean}` : clean;
}

/** The bytes without any of these texts in them. */
export function without(bytes: Buffer, texts: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [];
  let rest = bytes;
  for (;;) {
    const found = texts
      .map((text) => ({ at: rest.indexOf(text), length: text.length }))
      .filter(({ at }) => at >= 0)
      .toSorted((a, b) => a.at - b.at || b.length - a.length)[0];
    if (found === undefined) return Buffer.concat([...parts, rest]);
    parts.push(rest.subarray(0, found.at));
    rest = rest.subarray(found.at + found.length);
  }
}
