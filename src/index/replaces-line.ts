import { wordsOf } from "../text/words.ts";
import { frontmatterLines, headingsOf, type Heading } from "../vault/files/headings.ts";
import { splitLines, type LineRange } from "../vault/files/lines.ts";
import { isMarked } from "../vault/files/untrusted-mark.ts";
import type { VaultPath } from "../vault/paths.ts";

/** A line with which an entry says that it makes an older statement untrue: `Replaces: [[path#heading]] (old value)`. */
export interface ReplacesLine extends ReplacedPlace {
  /** 1-based line of the file. */
  readonly line: number;
  /** The file it names, as written; empty for the same file. */
  readonly target: string;
}

/** What such a line names in its target. */
export interface ReplacedPlace {
  /** The heading it stands under, and those above it as far as they are needed to tell it from others; none for the whole file. */
  readonly headings: readonly string[];
  readonly value: string | null;
}

const WORDS = { en: "Replaces:", fr: "Remplace :" };
// Headings may hold brackets, so the link ends at the last `]]` that an old value or the end of the line follows.
const LINE =
  /^\s*(?:[-*+>]\s+)?(?:\*\*|__)?(?:Replaces|Remplace)\s*:(?:\*\*|__)?\s*\[\[(.+?)\]\]\s*(?:\((.*)\))?\s*\.?\s*$/iu;
const FENCE = /^ {0,3}(`{3,}|~{3,})/u;
/** Raw material is what others wrote: a line in a mail makes nothing in the vault untrue. */
const RAW_MATERIAL = /^drop\/|(?:^|\/)(?:bucket|inbox)\//u;

/** Whether an entry in this file may replace a statement: not in raw material. */
export function mayReplace(path: VaultPath): boolean {
  return !RAW_MATERIAL.test(path);
}

/** The lines of a markdown text that replace something, in order; none in its frontmatter, in code, in raw material and in a note that others wrote. */
export function replacesIn(path: VaultPath, text: string): ReplacesLine[] {
  if (!/(?:replaces|remplace)\s*:/iu.test(text) || !mayReplace(path) || isMarked(text)) return [];
  const lines = splitLines(text);
  const found: ReplacesLine[] = [];
  let fence: string | null = null;
  for (let at = frontmatterLines(lines); at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) === true) fence = null;
      continue;
    }
    fence = mark ?? null;
    const match = fence === null ? LINE.exec(line) : null;
    if (match === null) continue;
    const [target = "", ...headings] = (match[1]?.split("|")[0] ?? "").split("#");
    const value = match[2]?.trim() ?? "";
    found.push({
      line: at + 1,
      target: target.trim(),
      headings: headings.map((heading) => heading.trim()).filter((heading) => heading !== ""),
      value: value === "" ? null : value,
    });
  }
  return found;
}

/** Signs that end a wikilink early, or that editors leave out of links to headings. */
const NOT_IN_LINKS = /[[\]|#^]+/gu;

export function replacesText(
  { target, headings, value }: Omit<ReplacesLine, "line">,
  language: "en" | "fr",
): string {
  const place = headings.map((heading) => `#${heading.replaceAll(NOT_IN_LINKS, " ")}`).join("");
  const link = `[[${target}${place.replaceAll(/\s+/gu, " ").replaceAll(/ ?# ?/gu, "#").trim()}]]`;
  return [WORDS[language], link, ...(value === null ? [] : [`(${value})`])].join(" ");
}

/** A heading, with the lines of its own text: up to the next heading. */
export interface Section {
  /** Its heading and those above it, outermost first; none for what stands before any heading. */
  readonly headings: readonly string[];
  readonly lines: LineRange;
  /** The same with what stands under deeper headings. */
  readonly whole: LineRange;
}

/** The sections of a text, in order, the first of them without a heading; its frontmatter belongs to none. */
export function sectionsOf(lines: readonly string[]): Section[] {
  const skip = frontmatterLines(lines);
  const headings = headingsOf(lines, skip);
  const endBefore = (next: Heading | undefined): number => (next?.line ?? lines.length + 1) - 1;
  const opening = { start: skip + 1, end: endBefore(headings[0]) };
  const sections: Section[] = [{ headings: [], lines: opening, whole: opening }];
  let above: Heading[] = [];
  for (const [at, heading] of headings.entries()) {
    const { line: start, level } = heading;
    above = [...above.filter((each) => each.level < level), heading];
    const next = headings.slice(at + 1).find((each) => each.level <= level);
    sections.push({
      headings: above.map(({ text }) => text),
      lines: { start, end: endBefore(headings[at + 1]) },
      whole: { start, end: endBefore(next) },
    });
  }
  return sections.filter((section) => section.lines.end >= section.lines.start);
}

/**
 * The lines of a text that a place names: those with the old value in the section that it names, or the whole section when none has it.
 * Of several sections that are called alike, the one with the old value, else the first. Empty when there is no such section.
 */
export function replacedLines(lines: readonly string[], place: ReplacedPlace): LineRange[] {
  const named = namedRanges(lines, place.headings);
  if (place.value !== null) {
    const value = spaced(place.value);
    const withValue = named.flatMap(({ start, end }) => {
      const found: LineRange[] = [];
      for (let line = start; line <= end; line += 1) {
        const text = lines[line - 1] ?? "";
        if (spaced(text).includes(value) && !LINE.test(text))
          found.push({ start: line, end: line });
      }
      return found;
    });
    if (value.trim() !== "" && withValue.length > 0) return withValue;
  }
  return named.slice(0, 1);
}

function namedRanges(lines: readonly string[], wanted: readonly string[]): LineRange[] {
  const start = frontmatterLines(lines) + 1;
  if (wanted.length === 0) return start > lines.length ? [] : [{ start, end: lines.length }];
  return sectionsOf(lines)
    .filter((section) => isNamed(section.headings, wanted))
    .map((section) => (hasText(lines, section.lines) ? section.lines : section.whole));
}

/** Whether the last of the headings is the wanted one, and the others above it are among the rest, in order. */
function isNamed(headings: readonly string[], wanted: readonly string[]): boolean {
  const [last, ...above] = wanted.toReversed().map(spaced);
  const [own, ...parents] = headings.toReversed().map(spaced);
  if (own === undefined || own !== last) return false;
  let from = 0;
  return above.every((heading) => {
    const at = parents.indexOf(heading, from);
    from = at + 1;
    return at >= 0;
  });
}

function hasText(lines: readonly string[], { start, end }: LineRange): boolean {
  return lines.slice(start, end).some((line) => line.trim() !== "");
}

/** Folded words between spaces: signs, case and accents do not matter. */
function spaced(text: string): string {
  return ` ${wordsOf(text).join(" ")} `;
}

export function overlaps(a: LineRange, b: LineRange): boolean {
  return a.start <= b.end && b.start <= a.end;
}
