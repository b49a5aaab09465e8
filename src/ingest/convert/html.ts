import { parseHTML } from "linkedom";
import TurndownService from "turndown";

import { ImageCollector, tidy } from "./converted.ts";
import { countWords, wordsText } from "./hidden-text.ts";
import type { HtmlDocument, HtmlElement } from "./html-types.ts";
import { tableMarkdown } from "./markdown-table.ts";
import { mathmlToLatex } from "./mathml.ts";
import { Placeholders } from "./placeholders.ts";
import { parseXml } from "./xml-tree.ts";

/** Parses a page, adding the tags that browsers add. Runs no script and fetches nothing. */
export function parsePage(html: string): HtmlDocument {
  if (/<body\b/iu.test(html)) return parse(/<html\b/iu.test(html) ? html : `<html>${html}</html>`);
  const head = /<head\b[^>]*>[\s\S]*?<\/head>/iu.exec(html)?.[0] ?? "";
  const rest = html.replace(head, "").replaceAll(/<!doctype[^>]*>|<\/?html\b[^>]*>/giu, "");
  return parse(`<!doctype html><html>${head}<body>${rest}</body></html>`);
}

/** Parses the content of a body. */
export function parseFragment(html: string): HtmlDocument {
  return parse(`<!doctype html><html><head></head><body>${html}</body></html>`);
}

function parse(html: string): HtmlDocument {
  const { document }: { document: HtmlDocument } = parseHTML(html);
  return document;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Escapes text for HTML, in attributes too. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/gu, (character) => ESCAPES[character] ?? character);
}

/** The visible body of a document as markdown, without scripts, forms and hidden parts. Adds its embedded pictures to `images`. */
export function documentMarkdown(
  document: HtmlDocument,
  images: ImageCollector,
  formulas = new Placeholders(),
): string {
  writeFormulas(document, formulas);
  clean(document, images);
  const { body } = document;
  return body.innerHTML === "" ? "" : formulas.fill(tidy(createConverter().turndown(body)));
}

const MAX_FORMULAS = 5000;

/** Formulas in LaTeX. What pages draw of them besides was removed with the text that they hide. */
function writeFormulas(document: HtmlDocument, formulas: Placeholders): void {
  const found = [...document.querySelectorAll("math")];
  if (found.length === 0) return;
  for (const math of found.slice(0, MAX_FORMULAS)) {
    const latex = mathmlToLatex(parseXml(math.outerHTML, "a formula"));
    const isBlock = math.getAttribute("display") === "block";
    math.replaceWith(formulas.formula(latex, isBlock));
  }
}

/** {@link documentMarkdown} for HTML that this program made. */
export function fragmentMarkdown(
  html: string,
  images = new ImageCollector(),
  placeholders = new Placeholders(),
): string {
  return documentMarkdown(parseFragment(html), images, placeholders);
}

/** How many words the drawings in a page hold, which are not taken in. */
export function drawnWords(document: HtmlDocument): number {
  const texts = [...document.querySelectorAll("svg text, svg foreignobject, svg foreignObject")];
  return texts.reduce((sum, text) => sum + countWords(text.textContent ?? ""), 0);
}

/** The notice for the person; none when no words were lost. */
export function drawingNotices(words: number): string[] {
  return words === 0 ? [] : [`Drawings in the text were left out (${wordsText(words)} in them).`];
}

const NOT_CONTENT =
  "script, style, noscript, template, iframe, object, embed, applet, link, meta, form > input, button, select, textarea, svg, canvas, [hidden]";
const SAFE_ADDRESS = /^(?:https?:|mailto:|tel:|attachment:|#|[^:]*$|[^:]*[/?#])/iu;

function clean(document: HtmlDocument, images: ImageCollector): void {
  for (const element of document.querySelectorAll(NOT_CONTENT)) element.remove();
  for (const link of document.querySelectorAll("a[href]")) {
    const address = (link.getAttribute("href") ?? "").trim();
    if (!SAFE_ADDRESS.test(address) || address.startsWith("#")) link.removeAttribute("href");
  }
  for (const image of document.querySelectorAll("img")) {
    const address = image.getAttribute("src") ?? "";
    const isData = address.startsWith("data:");
    const shown = isData ? images.addData(address) : address;
    if (shown === null || shown === "" || !SAFE_ADDRESS.test(shown)) leaveOut(image, document);
    else if (isData) image.setAttribute("src", shown);
  }
}

/** What a picture that is not kept shows, as its document describes it, stays. */
function leaveOut(image: HtmlElement, document: HtmlDocument): void {
  const words = (image.getAttribute("alt") ?? "").replaceAll(/\s+/gu, " ").trim();
  const instead = document.createElement("em");
  instead.textContent = `(picture: ${words})`;
  if (words === "") image.remove();
  else image.replaceWith(instead);
}

function createConverter(): TurndownService {
  const converter = new TurndownService({
    headingStyle: "atx",
    hr: "---",
    bulletListMarker: "-",
    codeBlockStyle: "fenced",
    emDelimiter: "*",
  });
  converter.addRule("struck", {
    filter: ["del", "s"],
    replacement: (content) => (content.trim() === "" ? "" : `~~${content.trim()}~~`),
  });
  converter.addRule("table", {
    filter: (node) => node.nodeName === "TABLE" && !isLayout(node),
    replacement: (_content, node) => `\n\n${tableOf(node, converter)}\n\n`,
  });
  converter.addRule("checkbox", {
    filter: (node) => node.nodeName === "INPUT" && node.getAttribute("type") === "checkbox",
    replacement: (_content, node) => (isChecked(node) ? "[x]" : "[ ]") + spaceAfter(node),
  });
  converter.addRule("marker", {
    filter: (node) => MARKER.test(markerOf(node)),
    replacement: (_content, node) => `\n\n<!-- ${markerOf(node)} -->\n\n`,
  });
  converter.addRule("list item", {
    filter: "li",
    replacement: (content, node) => listItem(content, node),
  });
  return converter;
}

function isChecked(node: HtmlElement): boolean {
  return node.getAttribute("checked") !== null;
}

/** A box and its text need one space between them. */
function spaceAfter(node: HtmlElement): string {
  return /^\s/u.test(node.nextSibling?.textContent ?? "") ? "" : " ";
}

const MARKER = /^(?:slide|page) \d+$/u;

function markerOf(node: HtmlElement): string {
  return node.nodeName === "HR" ? (node.getAttribute("data-marker") ?? "") : "";
}

/** In HTML that this program makes: becomes the line `<!-- slide 3 -->`, which readers see and pages do not show. */
export function markerHtml(what: "slide" | "page", number: number): string {
  return `<hr data-marker="${what} ${number}">`;
}

/** In HTML that this program makes: the start of a table of an office document, which is one with a single column too. */
export const OFFICE_TABLE = "<table data-table>";

/** The same for a sheet, which is one with a single cell too. */
export const SHEET_TABLE = '<table data-table="sheet">';

/** Indents by the width of the marker, so that every reader shows nested lists as nested. */
function listItem(content: string, node: HtmlElement): string {
  const list = node.parentNode;
  const isOrdered = list?.nodeName === "OL";
  const place = [...(list?.children ?? [])].indexOf(node);
  const start = Number(list?.getAttribute("start") ?? 1) || 1;
  const marker = isOrdered ? `${start + Math.max(0, place)}. ` : "- ";
  const text = content
    .trim()
    .replaceAll(/\n{2,}(?=\s*(?:[-*]|\d+\.) )/gu, "\n")
    .replaceAll("\n", `\n${" ".repeat(marker.length)}`);
  return `${marker}${text}${node.nextSibling === null ? "" : "\n"}`;
}

/**
 * A table for layout (with one column and no heading, or with tables inside it) is shown as its cells, one after the other. Mails nest dozens of them; as
 * tables, the innermost would be converted once for every table around it.
 */
function isLayout(table: HtmlElement): boolean {
  if (table.querySelector("table") !== null) return true;
  const rows = cellsOf(table);
  // A box around a text is a table of one cell in Word.
  const office = table.getAttribute("data-table");
  if (office === "sheet" || (office !== null && rows.length > 1)) return false;
  return table.querySelector("th") === null && rows.every((row) => row.length < 2);
}

/** Row by row. */
function cellsOf(table: HtmlElement): HtmlElement[][] {
  return [...table.querySelectorAll("tr")].map((row) =>
    [...row.children].filter(({ nodeName }) => nodeName === "TD" || nodeName === "TH"),
  );
}

function tableOf(table: HtmlElement, converter: TurndownService): string {
  const texts = cellsOf(table).map((row) => row.flatMap((cell) => spanned(cell, converter)));
  const caption = table.querySelector("caption")?.textContent?.trim() ?? "";
  const markdown = tableMarkdown(texts);
  return caption === "" ? markdown : `${caption}\n\n${markdown}`;
}

const WIDEST_SPAN = 50;

/** A cell over several columns leaves the others empty. */
function spanned(cell: HtmlElement, converter: TurndownService): string[] {
  const width = Math.min(WIDEST_SPAN, Math.max(1, Number(cell.getAttribute("colspan") ?? 1) || 1));
  const text = converter.turndown(cell).trim();
  return [text, ...Array.from({ length: width - 1 }, () => "")];
}
