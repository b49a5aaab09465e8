import type { HtmlDocument, HtmlElement } from "./html-types.ts";

/*
 * The few parts of CSS that decide whether a text can be seen: declarations in `style` attributes and in the page's own style sheets.
 * Specificity is not followed: a later rule wins, and a `style` attribute wins over all rules.
 */

export type Declarations = ReadonlyMap<string, string>;

/** Properties that can hide a text, or bring it back. */
const RELEVANT =
  /^(?:display|visibility|opacity|font-size|font|color|background|background-color|background-image|position|left|right|top|bottom|text-indent|width|height|max-height|max-width|overflow|clip|clip-path|transform|margin-left|margin-top|filter|content-visibility|-webkit-text-fill-color)$/u;

/** Tests of one element against one selector: rules that would take more are not followed. */
const MAX_TESTS = 3_000_000;
const MAX_SELECTORS = 500;
const MAX_SHEET = 500_000;
const MAX_SELECTOR_LENGTH = 300;

/** `color: red; display: none !important`: by property, in lower case. */
export function parseDeclarations(text: string): Map<string, string> {
  const found = new Map<string, string>();
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
    found.set(property, value);
  }
  return found;
}

/** What the style sheets inside a page say of its elements. */
export function sheetDeclarations(document: HtmlDocument): Map<HtmlElement, Map<string, string>> {
  const found = new Map<HtmlElement, Map<string, string>>();
  const rules = [...document.querySelectorAll("style")].flatMap((sheet) =>
    rulesOf(sheet.textContent ?? ""),
  );
  if (rules.length === 0) return found;
  const { elements, ancestors } = sizeOf(document);
  let tests = MAX_TESTS;
  for (const { selector, declarations } of rules.slice(0, MAX_SELECTORS)) {
    // `.a .b` is tested against every element around an element too.
    tests -= /[\s>+~]/u.test(selector) ? ancestors : elements;
    if (tests < 0) continue;
    for (const element of matching(document, selector)) {
      const before = found.get(element) ?? new Map<string, string>();
      for (const [property, value] of declarations) before.set(property, value);
      found.set(element, before);
    }
  }
  return found;
}

function sizeOf(document: HtmlDocument): { elements: number; ancestors: number } {
  const depths = new Map<HtmlElement, number>();
  let ancestors = 0;
  for (const element of document.querySelectorAll("*")) {
    const { parentNode: parent } = element;
    const depth = (parent === null ? 0 : (depths.get(parent) ?? 0)) + 1;
    depths.set(element, depth);
    ancestors += depth;
  }
  return { elements: depths.size, ancestors };
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

/** The rules of a sheet that may hide something, those for all screens included; those for paper or narrow screens are not. */
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
      // Its rules are read like those outside when it holds for every screen, and passed over otherwise.
      const isForAll = /^@(?:media\s+(?:all|screen)|layer\b[^,]*|supports\b.*)$/iu.test(selector);
      at = isForAll ? open + 1 : closingBrace(plain, open);
      continue;
    }
    const close = plain.indexOf("}", open);
    const end = close < 0 ? plain.length : close;
    const declarations = parseDeclarations(plain.slice(open + 1, end));
    const isUsable =
      declarations.size > 0 &&
      selector.length <= MAX_SELECTOR_LENGTH &&
      // States such as `:hover` and `::before` say nothing of the text as it stands.
      !selector.includes(":");
    if (isUsable) rules.push({ selector, declarations });
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

/** Red, green and blue from 0 to 255. */
export type Color = readonly [number, number, number];

const NAMED: Readonly<Record<string, Color>> = {
  white: [255, 255, 255],
  black: [0, 0, 0],
  snow: [255, 250, 250],
  ivory: [255, 255, 240],
  ghostwhite: [248, 248, 255],
  whitesmoke: [245, 245, 245],
};

/** A colour; `transparent` for one that shows what is behind it, null for one that is not known here. */
export function parseColor(text: string): Color | "transparent" | null {
  const value = text.trim().toLowerCase();
  if (value === "transparent") return value;
  const named = NAMED[value];
  if (named !== undefined) return named;
  const hex = /^#?([0-9a-f]{3,8})$/u.exec(value)?.[1];
  if (hex !== undefined) {
    const isShort = hex.length < 6;
    const part = (at: number): number =>
      isShort
        ? Number.parseInt((hex[at] ?? "0").repeat(2), 16)
        : Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16);
    if ((hex.length === 4 || hex.length === 8) && part(3) === 0) return "transparent";
    return [part(0), part(1), part(2)];
  }
  const parts = /^rgba?\(([^)]*)\)$/u
    .exec(value)?.[1]
    ?.split(/[\s,/]+/u)
    .filter(Boolean);
  if (parts === undefined || parts.length < 3) return null;
  const numbers = parts.map((part) =>
    part.endsWith("%") ? Number.parseFloat(part) * 2.55 : Number.parseFloat(part),
  );
  if (numbers.some((number) => Number.isNaN(number))) return null;
  const [red = 0, green = 0, blue = 0, alpha = 1] = numbers;
  return alpha === 0 ? "transparent" : [red, green, blue];
}

/** Closer colours cannot be told apart by the eye. */
const LEAST_DIFFERENCE = 12;

export function looksSame(one: Color, other: Color): boolean {
  return one.every((value, at) => Math.abs(value - (other[at] ?? 0)) < LEAST_DIFFERENCE);
}
