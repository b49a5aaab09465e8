import { parseHTML } from "linkedom";
import TurndownService from "turndown";

import { ImageCollector, tidy } from "./converted.ts";
import { tableMarkdown } from "./markdown-table.ts";

/** The part of the DOM that is used here: the compiler does not load the types of browsers. */
export interface HtmlNode {
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly parentNode: HtmlElement | null;
  readonly nextSibling: HtmlNode | null;
}

export interface HtmlElement extends HtmlNode {
  innerHTML: string;
  readonly children: Iterable<HtmlElement>;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  querySelector(selector: string): HtmlElement | null;
  querySelectorAll(selector: string): Iterable<HtmlElement>;
  remove(): void;
}

export interface HtmlDocument extends HtmlElement {
  readonly body: HtmlElement;
}

/** Parses a page, adding the tags that browsers add. Runs no script and fetches nothing. */
export function parsePage(html: string): HtmlDocument {
  if (/<body\b/iu.test(html)) return parse(html);
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
export function documentMarkdown(document: HtmlDocument, images: ImageCollector): string {
  clean(document, images);
  const markdown = createConverter().turndown(
    document.body.innerHTML === "" ? "" : nodeOf(document),
  );
  return tidy(markdown);
}

/** {@link documentMarkdown} for HTML that this program made. */
export function fragmentMarkdown(html: string, images = new ImageCollector()): string {
  return documentMarkdown(parseFragment(html), images);
}

/** Turndown takes any DOM; its types want the browser's. */
function nodeOf(document: HtmlDocument): TurndownService.Node {
  const node: TurndownService.Node = document.body;
  return node;
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
    if (!address.startsWith("data:")) {
      if (!SAFE_ADDRESS.test(address)) image.remove();
      continue;
    }
    const kept = images.addData(address);
    if (kept === null) image.remove();
    else image.setAttribute("src", kept);
  }
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

const MARKER = /^(?:slide|page) \d+$/u;

function markerOf(node: HtmlElement): string {
  return node.nodeName === "HR" ? (node.getAttribute("data-marker") ?? "") : "";
}

/** In HTML that this program makes: becomes the line `<!-- slide 3 -->`, which readers see and pages do not show. */
export function markerHtml(what: "slide" | "page", number: number): string {
  return `<hr data-marker="${what} ${number}">`;
}

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
 * A table for layout (with one column, or with tables inside it) is shown as its cells, one after the other. Mails nest dozens of them; as
 * tables, the innermost would be converted once for every table around it.
 */
function isLayout(table: HtmlElement): boolean {
  return table.querySelector("table") !== null || cellsOf(table).every((row) => row.length < 2);
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
