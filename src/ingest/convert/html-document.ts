import { parseHTML } from "linkedom";

/** As much of the DOM as is used here. The compiler is not given the browser's types: this program runs in none. */
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

/** Parses a page, which may leave out the tags that browsers add by themselves. Nothing in it runs, nothing it names is fetched. */
export function parsePage(html: string): HtmlDocument {
  if (/<body\b/iu.test(html)) return parse(html);
  const head = /<head\b[^>]*>[\s\S]*?<\/head>/iu.exec(html)?.[0] ?? "";
  const rest = html.replace(head, "").replaceAll(/<!doctype[^>]*>|<\/?html\b[^>]*>/giu, "");
  return parse(`<!doctype html><html>${head}<body>${rest}</body></html>`);
}

/** Parses what stands inside a body. */
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

/** Text that stands for itself in HTML, in attributes too. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/gu, (character) => ESCAPES[character] ?? character);
}
