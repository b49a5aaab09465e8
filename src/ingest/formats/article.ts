import { Readability } from "@mozilla/readability";

import { parsePage } from "../convert/html.ts";
import type { HtmlDocument, HtmlElement, HtmlNode } from "../convert/html-types.ts";

/** The article of a web page, as HTML. */
export interface Article {
  readonly title: string;
  readonly content: string;
  readonly byline: string | null;
}

/** An article with less of the text outside the menus than this is not one: the whole page is taken. */
const MIN_SHARE = 0.5;
/** On a page without menus, an article with more of its text than this is the whole page, and would only lose its first heading. */
const MAX_SHARE = 0.95;
/** An article that leaves out more of the page's running text is a part of it: a chapter, one answer of many. */
const MIN_PROSE = 0.7;
/** An article with more than this of the element around it is that element: what it lacks are sections with many links. */
const NEARLY_ALL = 0.85;
const MENUS = "nav, footer, aside, form";
const AROUND_THE_TEXT = `header, ${MENUS}`;
const BLOCKS = "p, li, dd, pre";
const MIN_LINKS = 3;

/**
 * The article of a page without its menus and margins; null when it has none, or is nothing else. `page` holds the same as `html`, and
 * loses its scripts and styles.
 */
export function findArticle(page: HtmlDocument, html: string): Article | null {
  // Readability takes its document apart: it gets one of its own.
  const found = new Readability<string>(parsePage(html)).parse();
  if (found === null) return null;
  for (const element of page.querySelectorAll("script, style, noscript, template"))
    element.remove();
  const around = outermost([...page.querySelectorAll(AROUND_THE_TEXT)]);
  const hasMenus = [...page.querySelectorAll(MENUS)].some((each) => lengthOf(each) > 0);
  const main = lengthWithout(page.body, around);
  const length = squeezed(found.textContent).length;
  if (length < main * MIN_SHARE || (!hasMenus && length > main * MAX_SHARE)) return null;
  const article = found.textContent ?? "";
  const margins = new Set(around);
  const prose = [...page.querySelectorAll(BLOCKS)].filter(
    (block) => isProse(block) && !isInAny(block, margins),
  );
  const kept = withoutSpaces(article);
  const there = prose.filter((block) => kept.includes(withoutSpaces(block.textContent)));
  if (prose.length > 0 && lengths(there) / lengths(prose) < MIN_PROSE) return null;
  const whole = wholeElement(there, kept, length);
  if (whole !== null && !whole.isLessThanPage) return null;
  const byline = found.byline?.trim() ?? "";
  const isSaid = whole !== null && withoutSpaces(whole.text).includes(withoutSpaces(byline));
  return {
    title: found.title ?? "",
    content: whole?.html ?? found.content ?? "",
    byline: isSaid || byline === "" ? null : byline,
  };
}

/**
 * Readability leaves out what has many links, and every aside: a section on where to write to, a warning. When its article is nearly all
 * of the element that holds it, that element is taken, without its menus. Null when it is not.
 */
function wholeElement(
  there: readonly HtmlElement[],
  kept: string,
  length: number,
): { html: string; text: string; isLessThanPage: boolean } | null {
  const element = commonAncestor(there);
  if (element === null) return null;
  const beside = new Set(there.map(({ parentNode }) => parentNode));
  const menus = [...element.querySelectorAll(MENUS)].filter((each) => !isPartOfText(each, beside));
  const outside = outermost([...menus, ...linkLists(element, kept)]);
  if (length < lengthWithout(element, outside) * NEARLY_ALL) return null;
  for (const each of outside) each.remove();
  return {
    html: element.innerHTML,
    text: element.textContent ?? "",
    isLessThanPage: element.nodeName !== "BODY" || outside.length > 0,
  };
}

/** A remark or a footnote that stands among the paragraphs, or who said what is quoted. */
function isPartOfText(menu: HtmlElement, beside: ReadonlySet<HtmlElement | null>): boolean {
  if (menu.nodeName === "FOOTER") return menu.parentNode?.nodeName === "BLOCKQUOTE";
  if (menu.nodeName !== "ASIDE" || !beside.has(menu.parentNode)) return false;
  return lengths([...menu.querySelectorAll("a")]) < lengthOf(menu) * 0.3;
}

const LINK_LISTS = new Set(["UL", "OL", "DL", "DIV", "P", "TABLE", "SECTION", "HEADER"]);
const ELEMENT = 1;

interface Measure {
  readonly length: number;
  readonly linked: number;
  readonly links: number;
}

/** Blocks that are mostly links to other pages, and that the article does not have. */
function linkLists(element: HtmlElement, kept: string): HtmlElement[] {
  const measures = new Map<HtmlElement, Measure>();
  measure(element, measures);
  const found: HtmlElement[] = [];
  const visit = (block: HtmlElement): void => {
    const { length = 0, linked = 0, links = 0 } = measures.get(block) ?? {};
    if (links < MIN_LINKS) return;
    const isList = LINK_LISTS.has(block.nodeName) && linked > length * 0.6;
    if (isList && !kept.includes(withoutSpaces(block.textContent))) found.push(block);
    else for (const child of block.children) visit(child);
  };
  for (const child of element.children) visit(child);
  return found;
}

/** Text of an element and of its links to other pages, in one pass: elements may be a thousand deep. */
function measure(element: HtmlElement, measures: Map<HtmlElement, Measure>): Measure {
  let [length, linked, links] = [0, 0, 0];
  for (const child of element.childNodes) {
    if (!isElement(child)) {
      length += squeezed(child.textContent).length;
      continue;
    }
    const inner = measure(child, measures);
    length += inner.length;
    linked += inner.linked;
    links += inner.links;
  }
  const address = element.nodeName === "A" ? (element.getAttribute("href") ?? "#") : "#";
  const all = address.startsWith("#")
    ? { length, linked, links }
    : { length, linked: length, links: 1 };
  measures.set(element, all);
  return all;
}

function isElement(node: HtmlNode): node is HtmlElement {
  return node.nodeType === ELEMENT;
}

/** The innermost element that holds all of these; null for none. */
function commonAncestor(elements: readonly HtmlElement[]): HtmlElement | null {
  const [first, ...rest] = elements;
  let found = first?.parentNode ?? null;
  for (const element of rest)
    while (found !== null && !isInside(element, found)) found = found.parentNode;
  return found;
}

function isInside(element: HtmlElement, outer: HtmlElement): boolean {
  let each: HtmlElement | null = element;
  while (each !== null && each !== outer) each = each.parentNode;
  return each !== null;
}

function outermost(elements: readonly HtmlElement[]): HtmlElement[] {
  const all = new Set(elements);
  return [...all].filter(({ parentNode }) => parentNode === null || !isInAny(parentNode, all));
}

function isInAny(element: HtmlElement, outer: ReadonlySet<HtmlElement>): boolean {
  let each: HtmlElement | null = element;
  while (each !== null && !outer.has(each)) each = each.parentNode;
  return each !== null;
}

/** Long enough to be a sentence, and no list of links. */
function isProse(element: HtmlElement): boolean {
  const length = lengthOf(element);
  return length >= 80 && lengths([...element.querySelectorAll("a")]) < length * 0.3;
}

function lengthWithout(element: HtmlElement, parts: readonly HtmlElement[]): number {
  return lengthOf(element) - lengths(parts);
}

function lengths(elements: readonly HtmlElement[]): number {
  return elements.reduce((sum, each) => sum + lengthOf(each), 0);
}

function lengthOf(element: HtmlElement): number {
  return squeezed(element.textContent).length;
}

function squeezed(text: string | null | undefined): string {
  return (text ?? "").replaceAll(/\s+/gu, " ").trim();
}

function withoutSpaces(text: string | null): string {
  return (text ?? "").replaceAll(/\s+/gu, "");
}
