/*
 * The part of the DOM that is used here: the compiler does not load the types of browsers.
 */

export interface HtmlNode {
  readonly nodeName: string;
  readonly nodeType: number;
  textContent: string | null;
  readonly parentNode: HtmlElement | null;
  readonly nextSibling: HtmlNode | null;
}

export interface HtmlElement extends HtmlNode {
  innerHTML: string;
  readonly outerHTML: string;
  readonly children: Iterable<HtmlElement>;
  readonly childNodes: Iterable<HtmlNode>;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  querySelector(selector: string): HtmlElement | null;
  querySelectorAll(selector: string): Iterable<HtmlElement>;
  remove(): void;
  replaceWith(...nodes: (HtmlNode | string)[]): void;
}

export interface HtmlDocument extends HtmlElement {
  readonly body: HtmlElement;
  createElement(name: string): HtmlElement;
  /** The page as HTML. */
  toString(): string;
}
