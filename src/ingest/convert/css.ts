import { holds } from "./css-media.ts";
import type { HtmlDocument, HtmlElement } from "./html-types.ts";

/*
 * The few parts of CSS that decide whether a text can be seen: declarations in `style` attributes and in the page's own style sheets.
 * Which one wins is decided as browsers do: by `!important`, then a `style` attribute, then the selector that says more, then the later one.
 */

interface Declared {
  readonly value: string;
  readonly isImportant: boolean;
  /** How much the selector says; the more wins. */
  readonly weight: number;
}

export type Declarations = ReadonlyMap<string, Declared>;

/** Of a `style` attribute. */
const IN_ATTRIBUTE = 1e9;

/** Properties that can hide a text, or bring it back. */
const RELEVANT =
  /^(?:display|visibility|opacity|font-size|font|color|background|background-color|background-image|position|left|right|top|bottom|text-indent|width|height|max-height|max-width|overflow|clip|clip-path|transform|translate|scale|margin-left|margin-top|filter|content-visibility|-webkit-text-fill-color)$/u;

/** Tests of one element against one selector: rules that would take more are not followed. */
const MAX_TESTS = 3_000_000;
const MAX_SELECTORS = 5000;
const MAX_SHEET = 500_000;
const MAX_SELECTOR_LENGTH = 300;

/** `color: red; display: none !important`: by property, in lower case. */
export function parseDeclarations(text: string, weight = IN_ATTRIBUTE): Declarations {
  const found = new Map<string, Declared>();
  for (const part of text.split(";")) {
    const colon = part.indexOf(":");
    if (colon < 0) continue;
    const property = part.slice(0, colon).trim().toLowerCase();
    if (!RELEVANT.test(property)) continue;
    const value = part
      .slice(colon + 1)
      .replace(/!\s*important/iu, "")
      .trim()
      .toLowerCase();
    const isImportant = /!\s*important/iu.test(part);
    declare(found, property, { value, isImportant, weight });
  }
  return found;
}

/** Both together: of each property, what wins. */
export function cascaded(before: Declarations, later: Declarations): Declarations {
  const found = new Map(before);
  for (const [property, declared] of later) declare(found, property, declared);
  return found;
}

function declare(found: Map<string, Declared>, property: string, later: Declared): void {
  const before = found.get(property);
  const isOverruled =
    before !== undefined &&
    (before.isImportant === later.isImportant ? before.weight > later.weight : before.isImportant);
  if (!isOverruled) found.set(property, later);
}

/** What the style sheets inside a page say of its elements. */
export function sheetDeclarations(document: HtmlDocument): Map<HtmlElement, Declarations> {
  const found = new Map<HtmlElement, Declarations>();
  const rules = [...document.querySelectorAll("style")].flatMap((sheet) =>
    rulesOf(sheet.textContent ?? ""),
  );
  if (rules.length === 0) return found;
  const { elements, ancestors, siblings } = sizeOf(document);
  let tests = MAX_TESTS;
  for (const { selector, declarations } of rules.slice(0, MAX_SELECTORS)) {
    // `.a .b` is tested against every element around an element too.
    tests -= /[\s>+~:]/u.test(selector) ? ancestors : elements;
    // `:nth-child` counts the elements before an element.
    if (/:(?:nth|first|last|only)-/u.test(selector)) tests -= siblings;
    if (tests < 0) continue;
    for (const element of matching(document, selector)) {
      const before = found.get(element);
      found.set(element, before === undefined ? declarations : cascaded(before, declarations));
    }
  }
  return found;
}

function sizeOf(document: HtmlDocument): {
  elements: number;
  ancestors: number;
  siblings: number;
} {
  const depths = new Map<HtmlElement, number>();
  const children = new Map<HtmlElement | null, number>();
  let ancestors = 0;
  let siblings = 0;
  for (const element of document.querySelectorAll("*")) {
    const { parentNode: parent } = element;
    const depth = (parent === null ? 0 : (depths.get(parent) ?? 0)) + 1;
    depths.set(element, depth);
    ancestors += depth;
    const before = children.get(parent) ?? 0;
    siblings += before;
    children.set(parent, before + 1);
  }
  return { elements: depths.size, ancestors, siblings };
}

function matching(document: HtmlDocument, selector: string): Iterable<HtmlElement> {
  try {
    return document.querySelectorAll(selector);
  } catch {
    // A selector that is not valid, or newer than the parser, matches nothing.
    return [];
  }
}

interface Rule {
  readonly selector: string;
  readonly declarations: Declarations;
}

/** States such as `:hover` and parts such as `::before` say nothing of the text as it stands; these say where an element is. */
const PLACES =
  /:(?:root|not|is|where|has|empty|(?:first|last|only)-(?:child|of-type)|nth-(?:last-)?(?:child|of-type))(?![\w-])/giu;

/** The selectors of a list of them, without those for states. */
function selectorsIn(list: string): string[] {
  return splitOutside(list).filter(
    (selector) =>
      selector !== "" &&
      selector.length <= MAX_SELECTOR_LENGTH &&
      // `.md\\:block` is a class like any other.
      !selector.replaceAll(/\\./gu, "").replaceAll(PLACES, "").includes(":"),
  );
}

/** `a, :is(b, c)`: by the commas that stand outside of brackets. */
function splitOutside(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= list.length; at += 1) {
    const sign = list[at] ?? ",";
    if (sign === "(" || sign === "[") depth += 1;
    else if (sign === ")" || sign === "]") depth -= 1;
    else if (sign === "," && (depth <= 0 || at === list.length)) {
      parts.push(list.slice(start, at).trim());
      start = at + 1;
    }
  }
  return parts;
}

/** How much a selector says: ids before classes before names. */
function weightOf(selector: string): number {
  const count = (pattern: RegExp): number => Math.min(99, selector.match(pattern)?.length ?? 0);
  const classes = count(/\.[\w-]|\[|:(?!not|is|where|has)/giu);
  return count(/#[\w-]/gu) * 10_000 + classes * 100 + count(/(?:^|[\s>+~(])[a-z]/giu);
}

/** The rules of a sheet that may hide something, with those for a usual screen; those for paper or narrow screens are not read. */
function rulesOf(css: string): Rule[] {
  const plain = css.slice(0, MAX_SHEET).replaceAll(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//gu, "");
  const rules: Rule[] = [];
  let at = 0;
  while (at < plain.length) {
    const open = plain.indexOf("{", at);
    if (open < 0) break;
    const selector = plain
      .slice(at, open)
      .replace(/^[\s};]+/u, "")
      .trim();
    if (selector.startsWith("@")) {
      // Its rules are read like those outside when it holds, and passed over otherwise.
      at = holds(selector) ? open + 1 : closingBrace(plain, open);
      continue;
    }
    const close = plain.indexOf("}", open);
    const end = close < 0 ? plain.length : close;
    const text = plain.slice(open + 1, end);
    for (const each of selectorsIn(selector)) {
      const declarations = parseDeclarations(text, weightOf(each));
      if (declarations.size > 0) rules.push({ selector: each, declarations });
    }
    at = end + 1;
  }
  return rules;
}

/** After the brace that closes the one at `open`. */
function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    else if (text[at] === "}") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}
