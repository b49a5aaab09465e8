import { Readability } from "@mozilla/readability";

import type { Converted } from "../convert/converted.ts";
import { decodeText, type Encoding } from "../convert/decode-text.ts";
import { parsePage, parseFragment, type HtmlDocument } from "../convert/html-document.ts";
import { ImageCollector } from "../convert/image-collector.ts";
import { documentMarkdown } from "../convert/html-to-markdown.ts";

/** Of the text of a page outside its menus, an article must have so much; else the page is no article, and is taken whole. */
const LEAST_SHARE = 0.5;
/** Where nothing stands around it, an article that is nearly all of its page gains nothing, and loses its first heading. */
const MOST_SHARE = 0.95;
const NEVER_SHOWN = "script, style, noscript, template";
const AROUND_THE_TEXT = "nav, header, footer, aside, form";

/** A web page: its article when it has one, else all of it. */
export function convertHtml(bytes: Uint8Array, encoding: Encoding): Converted {
  const html = decodeText(bytes, declaredEncoding(bytes) ?? encoding);
  const page = parsePage(html);
  const images = new ImageCollector();
  const title = page.querySelector("title")?.textContent?.trim() ?? "";
  const article = articleOf(html);
  const document = article === null ? page : parseFragment(article.content);
  const markdown = documentMarkdown(document, images);
  const byline = article?.byline ? `*${article.byline.trim()}*\n\n` : "";
  return {
    title: article?.title || title || null,
    markdown: byline + markdown,
    images: images.images,
    inside: [],
    notices:
      article === null
        ? []
        : ["Only the article of the page was kept, without its menus and margins."],
  };
}

function articleOf(html: string): { title: string; content: string; byline: string | null } | null {
  // Readability takes its document apart: it gets one of its own.
  const found = new Readability<string>(readable(parsePage(html))).parse();
  if (found === null) return null;
  const { all, main } = lengthsOf(html);
  const length = lengthOf(found.textContent);
  if (length < main * LEAST_SHARE || (main === all && length > all * MOST_SHARE)) return null;
  return { title: found.title ?? "", content: found.content ?? "", byline: found.byline ?? null };
}

function readable(document: HtmlDocument): ConstructorParameters<typeof Readability>[0] {
  const node: ConstructorParameters<typeof Readability>[0] = document;
  return node;
}

/** How much text a page shows, and how much of it outside its menus and margins. */
function lengthsOf(html: string): { all: number; main: number } {
  const page = parsePage(html);
  for (const element of page.querySelectorAll(NEVER_SHOWN)) element.remove();
  const all = lengthOf(page.body.textContent);
  for (const element of page.querySelectorAll(AROUND_THE_TEXT)) element.remove();
  return { all, main: lengthOf(page.body.textContent) };
}

function lengthOf(text: string | null | undefined): number {
  return (text ?? "").replaceAll(/\s+/gu, " ").trim().length;
}

/** What a page says of its own encoding, when that is another than the bytes show. */
function declaredEncoding(bytes: Uint8Array): Encoding | null {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  return /<meta[^>]+charset=["']?utf-8/iu.test(head) ? "utf-8" : null;
}
