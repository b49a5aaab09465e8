import { isUtf8 } from "node:buffer";

import { converted, ImageCollector, type Converted } from "../convert/converted.ts";
import { decodeText, isEncoding, type Encoding } from "../convert/file-kind.ts";
import { hiddenNotices, removeHiddenText } from "../convert/hidden-text.ts";
import type { HtmlDocument } from "../convert/html-types.ts";
import {
  documentMarkdown,
  drawingNotices,
  drawnWords,
  parseFragment,
  parsePage,
} from "../convert/html.ts";
import { findArticle } from "./article.ts";
import type { ConversionJob } from "./formats.ts";

const ONLY_ARTICLE = "Only the article of the page was kept, without its menus and margins.";

/** A web page: its article when it has one, else all of it. Text that it does not show is left out. */
export function convertHtml({ bytes, kind }: ConversionJob): Converted {
  const source = sourceOf(bytes, kind.encoding);
  const page = parsePage(source);
  const hidden = removeHiddenText(page);
  const isChanged = hidden > 0 || page.querySelector("math") !== null;
  const html = isChanged ? page.toString() : source;
  const images = new ImageCollector();
  const title = page.querySelector("title")?.textContent?.trim() ?? "";
  const article = findArticle(page, html);
  const document = article === null ? page : parseFragment(article.content);
  const drawn = drawnWords(document);
  const markdown = documentMarkdown(document, images);
  const byline = article?.byline ? `*${article.byline}*\n\n` : "";
  return converted(article?.title || title || null, byline + markdown, {
    images,
    notices: [
      ...(article === null ? [] : [ONLY_ARTICLE]),
      ...hiddenNotices(hidden),
      ...drawingNotices(drawn),
    ],
  });
}

/** The page that a file holds. */
export function pageOf(bytes: Uint8Array, encoding?: Encoding): HtmlDocument {
  return parsePage(sourceOf(bytes, encoding));
}

function sourceOf(bytes: Uint8Array, encoding: Encoding | undefined): string {
  return decodeText(bytes, declaredEncoding(bytes) ?? encoding);
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
