import { hasSpace } from "./segment.ts";
import type { Piece } from "./piece.ts";

/** The markdown of pieces in the order of reading. */
export function inlineMarkdown(pieces: readonly Piece[]): string {
  let text = "";
  let at = 0;
  while (at < pieces.length) {
    const { address } = pieces[at] ?? {};
    let end = at + 1;
    while (end < pieces.length && pieces[end]?.address === address) end += 1;
    const run = escaped(joined(pieces.slice(at, end)));
    const [before, first] = [pieces[at - 1], pieces[at]];
    if (before !== undefined && first !== undefined && hasSpace(before, first)) text += " ";
    text += address === undefined ? run : linked(run, address);
    at = end;
  }
  return withoutLeaders(text).replaceAll(/\s+/gu, " ").trim();
}

function joined(pieces: readonly Piece[]): string {
  let text = "";
  for (const [at, piece] of pieces.entries()) {
    const before = pieces[at - 1];
    if (before !== undefined && hasSpace(before, piece)) text += " ";
    text += piece.text;
  }
  return text;
}

function linked(text: string, address: string): string {
  const [, before = "", label = "", after = ""] = /^(\s*)(.*?)(\s*)$/su.exec(text) ?? [];
  if (label === "") return text;
  const target = address.replaceAll(/[\s()<>]/gu, (character) =>
    encodeURIComponent(character).replace("(", "%28").replace(")", "%29"),
  );
  return `${before}[${label}](${target})${after}`;
}

/** Escapes what markdown would take for its own marks. */
export function escaped(text: string): string {
  return text
    .replaceAll(/[\\`*]/gu, String.raw`\$&`)
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\_`)
    .replaceAll(/<(?=[a-z/!?])/giu, String.raw`\<`)
    .replaceAll(/\[(?=[^\]]*\]\()/gu, String.raw`\[`);
}

/** The dots that lead to a page number in a table of contents. */
const LEADERS = /(?:\s*[.·…_]){5,}\s*/gu;

function withoutLeaders(text: string): string {
  return text.replaceAll(LEADERS, " … ");
}

/** Escapes the beginning of a paragraph where markdown would see a heading, a quote or a list. */
export function asParagraph(text: string): string {
  return text
    .replace(/^(#{1,6}\s|>|[-+]\s|\||~~~|=+$|-+$)/u, String.raw`\$1`)
    .replace(/^(\d+)([.)]\s)/u, String.raw`$1\$2`);
}

/** How a document uses hyphens: to tell those that only its lines' ends put in. */
export interface Hyphens {
  /** Words that have one inside a line. */
  readonly compounds: ReadonlySet<string>;
  /** Words that stand inside a line. */
  readonly words: ReadonlySet<string>;
  /** Words are cut at the ends of lines. */
  readonly areWordsCut: boolean;
}

const CUT_END = /(\p{L}[\p{L}-]*)[-\u2010]$/u;
const CUT_START = /^[\p{Ll}\p{Lo}][\p{L}-]*/u;
/** Of all lines: more end with a hyphen only where words are cut. */
const MOST_COMPOUNDS = 0.04;
const LEAST_CUT = 0.15;

export function hyphensOf(lines: readonly string[]): Hyphens {
  const compounds = new Set<string>();
  const words = new Set<string>();
  for (const line of lines) {
    for (const [word] of line.toLowerCase().matchAll(/\p{L}+(?:-\p{L}+)*/gu))
      (word.includes("-") ? compounds : words).add(word);
  }
  let [ends, cut] = [0, 0];
  for (const [at, line] of lines.entries()) {
    const [, before] = CUT_END.exec(line) ?? [];
    const [after] = CUT_START.exec(lines[at + 1] ?? "") ?? [];
    if (before === undefined || after === undefined) continue;
    ends += 1;
    if (words.has((before + after).toLowerCase())) cut += 1;
  }
  const areWordsCut = cut > ends * LEAST_CUT || ends > lines.length * MOST_COMPOUNDS;
  return { compounds, words, areWordsCut };
}

function isCut(before: string, after: string, hyphens: Hyphens): boolean {
  const [one, other] = [before.toLowerCase(), after.toLowerCase()];
  if (hyphens.compounds.has(`${one}-${other}`) || one.length < 2) return false;
  return hyphens.words.has(one + other) || hyphens.areWordsCut;
}

const LINK_AT_END = /\[([^[\]]+)\]\(([^()\s]+)\)$/u;
const LINK_AT_START = /^\[([^[\]]+)\]\([^()\s]+\)/u;

/** Two lines of one paragraph as one: a word that the line's end cut is whole again. */
export function joinLines(one: string, other: string, hyphens: Hyphens): string {
  if (one === "" || other === "") return one + other;
  const [end, label = "", address = ""] = LINK_AT_END.exec(one) ?? [];
  const [start, more = ""] = LINK_AT_START.exec(other) ?? [];
  // A link that goes over two lines is one.
  if (end !== undefined && start?.endsWith(`](${address})`) === true) {
    const text = joinLines(label, more, hyphens);
    return `${one.slice(0, -end.length)}[${text}](${address})${other.slice(start.length)}`;
  }
  if (one.endsWith("\u00ad")) return one.slice(0, -1) + other;
  const [, before] = CUT_END.exec(one) ?? [];
  const [after] = CUT_START.exec(other) ?? [];
  if (before !== undefined && after !== undefined)
    return isCut(before, after, hyphens) ? one.slice(0, -1) + other : one + other;
  if (
    /[-\u2010/]$/u.test(one) &&
    /^[\p{L}\p{N}]/u.test(other) &&
    /[\p{L}\p{N}][-\u2010/]$/u.test(one)
  )
    return one + other;
  return JOINED.test(one.slice(-1)) && JOINED.test(other.slice(0, 1))
    ? one + other
    : `${one} ${other}`;
}

/** Scripts without spaces between words. */
const JOINED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー、。，．：；！？「」（）]/u;
