import { Readability } from "@mozilla/readability";

import { converted, ImageCollector, type Converted } from "../convert/converted.ts";
import { decodeText, type Encoding } from "../convert/file-kind.ts";
import { documentMarkdown, parseFragment, parsePage, type HtmlDocument } from "../convert/html.ts";
import type { ConversionJob } from "./formats.ts";

/** An article with less of the text outside the menus than this is not one: the whole page is taken. */
const MIN_SHARE = 0.5;
/** On a page without menus, an article with more of its text than this is the whole page, and would only lose its first heading. */
const MAX_SHARE = 0.95;
const ONLY_ARTICLE = "Only the article of the page was kept, without its menus and margins.";
const NEVER_SHOWN = "script, style, noscript, template";
const AROUND_THE_TEXT = "nav, header, footer, aside, form";

/** A web page: its article when it has one, else all of it. */
export function convertHtml({ bytes, kind }: ConversionJob): Converted {
  const html = decodeText(bytes, declaredEncoding(bytes) ?? kind.encoding);
  const page = parsePage(html);
  const images = new ImageCollector();
  const title = page.querySelector("title")?.textContent?.trim() ?? "";
  const article = articleOf(html);
  const document = article === null ? page : parseFragment(article.content);
  const markdown = documentMarkdown(document, images);
  const byline = article?.byline ? `*${article.byline.trim()}*\n\n` : "";
  return converted(article?.title || title || null, byline + markdown, {
    images: images.images,
    notices: article === null ? [] : [ONLY_ARTICLE],
  });
}

function articleOf(html: string): { title: string; content: string; byline: string | null } | null {
  // Readability takes its document apart: it gets one of its own.
  const found = new Readability<string>(readable(parsePage(html))).parse();
  if (found === null) return null;
  const { all, main } = lengthsOf(html);
  const length = lengthOf(found.textContent);
  if (length < main * MIN_SHARE || (main === all && length > all * MAX_SHARE)) return null;
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
