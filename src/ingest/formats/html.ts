import { isUtf8 } from "node:buffer";

import { Readability } from "@mozilla/readability";

import { converted, ImageCollector, type Converted } from "../convert/converted.ts";
import { decodeText, isEncoding, type Encoding } from "../convert/file-kind.ts";
import { hiddenNotices, removeHiddenText } from "../convert/hidden-text.ts";
import { documentMarkdown, parseFragment, parsePage } from "../convert/html.ts";
import type { HtmlElement } from "../convert/html-types.ts";
import type { ConversionJob } from "./formats.ts";

/** An article with less of the text outside the menus than this is not one: the whole page is taken. */
const MIN_SHARE = 0.5;
/** On a page without menus, an article with more of its text than this is the whole page, and would only lose its first heading. */
const MAX_SHARE = 0.95;
/** An article that leaves out more of the page's running text is a part of it: a chapter, one answer of many. */
const MIN_PROSE = 0.7;
const ONLY_ARTICLE = "Only the article of the page was kept, without its menus and margins.";
const NEVER_SHOWN = "script, style, noscript, template";
const MENUS = "nav, footer, aside, form";
const AROUND_THE_TEXT = `header, ${MENUS}`;

/** A web page: its article when it has one, else all of it. Text that it does not show is left out. */
export function convertHtml({ bytes, kind }: ConversionJob): Converted {
  const source = decodeText(bytes, declaredEncoding(bytes) ?? kind.encoding);
  const page = parsePage(source);
  const hidden = removeHiddenText(page);
  const html = hidden === 0 ? source : page.toString();
  const images = new ImageCollector();
  const title = page.querySelector("title")?.textContent?.trim() ?? "";
  const article = articleOf(html);
  const document = article === null ? page : parseFragment(article.content);
  const markdown = documentMarkdown(document, images);
  const byline = article?.byline ? `*${article.byline.trim()}*\n\n` : "";
  return converted(article?.title || title || null, byline + markdown, {
    images: images.images,
    notices: [...(article === null ? [] : [ONLY_ARTICLE]), ...hiddenNotices(hidden)],
  });
}

function articleOf(html: string): { title: string; content: string; byline: string | null } | null {
  // Readability takes its document apart: it gets one of its own.
  const found = new Readability<string>(parsePage(html)).parse();
  if (found === null) return null;
  const { main, hasMenus } = textAround(html);
  const length = lengthOf(found.textContent);
  if (length < main * MIN_SHARE || (!hasMenus && length > main * MAX_SHARE)) return null;
  if (shareOfProse(html, found.textContent ?? "") < MIN_PROSE) return null;
  return { title: found.title ?? "", content: found.content ?? "", byline: found.byline ?? null };
}

/** How much text a page shows outside its menus and margins, and whether it has any; a header alone is its title. */
function textAround(html: string): { main: number; hasMenus: boolean } {
  const page = parsePage(html);
  for (const element of page.querySelectorAll(NEVER_SHOWN)) element.remove();
  const menus = [...page.querySelectorAll(MENUS)];
  const hasMenus = menus.some((element) => lengthOf(element.textContent) > 0);
  for (const element of page.querySelectorAll(AROUND_THE_TEXT)) element.remove();
  return { main: lengthOf(page.body.textContent), hasMenus };
}

/** Long enough to be a sentence, and no list of links. */
function isProse(element: HtmlElement): boolean {
  const length = lengthOf(element.textContent);
  const linked = [...element.querySelectorAll("a")].map((link) => lengthOf(link.textContent));
  return length >= 80 && linked.reduce((sum, each) => sum + each, 0) < length * 0.3;
}

/** How much of the running text of a page an article has, from 0 to 1. */
function shareOfProse(html: string, article: string): number {
  const page = parsePage(html);
  for (const element of page.querySelectorAll(`${NEVER_SHOWN}, ${AROUND_THE_TEXT}`))
    element.remove();
  const kept = article.replaceAll(/\s+/gu, "");
  let [all, there] = [0, 0];
  for (const element of page.querySelectorAll("p, li, dd, pre")) {
    if (!isProse(element)) continue;
    const text = (element.textContent ?? "").replaceAll(/\s+/gu, "");
    all += text.length;
    if (kept.includes(text)) there += text.length;
  }
  return all === 0 ? 1 : there / all;
}

function lengthOf(text: string | null | undefined): number {
  return (text ?? "").replaceAll(/\s+/gu, " ").trim().length;
}

/** What a page says of its own encoding, when that is one of those a text can have. */
function declaredEncoding(bytes: Uint8Array): Encoding | null {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  const label = /<meta[^>]+charset=["']?\s*([\w-]{2,30})/iu.exec(head)?.[1];
  if (label === undefined) return null;
  try {
    const { encoding } = new TextDecoder(label);
    // A page whose bytes show another encoding than it declares was saved in that one.
    const isBelieved = encoding === "utf-8" || !isUtf8(bytes);
    return isBelieved && isEncoding(encoding) ? encoding : null;
  } catch {
    return null;
  }
}
