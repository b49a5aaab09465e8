import path from "node:path";

import PostalMime from "postal-mime";

import { ExpectedError } from "../../../errors.ts";
import type { SourceFile } from "../../convert/converted.ts";
import { decodeText, encodingOf, kindOf } from "../../convert/file-kind.ts";
import { removeHiddenText } from "../../convert/hidden-text.ts";
import { escapeHtml, parsePage } from "../../convert/html.ts";
import type { HtmlDocument } from "../../convert/html-types.ts";
import type { ZipReader } from "../../convert/zip-reader.ts";
import { pageOf } from "../html.ts";
import { relationsOf } from "../office.ts";

/** A text in another format that Word shows as part of the document (`w:altChunk`). */
export interface Chunk {
  readonly html: string;
  /** Words in it that nobody sees. */
  readonly hidden: number;
}

export interface Chunks {
  /** By the part they are in. */
  readonly shown: ReadonlyMap<string, Chunk>;
  /** Those of other kinds, to be ingested by themselves. */
  readonly inside: readonly SourceFile[];
}

/** What programs insert as HTML, as a page with its files in one (MHT), as text or as a whole document. */
export async function chunksOf(zip: ZipReader, main: string): Promise<Chunks> {
  const shown = new Map<string, Chunk>();
  const inside: SourceFile[] = [];
  for (const { type, target, isOutside } of relationsOf(zip, main).values()) {
    if (type !== "aFChunk" || isOutside) continue;
    const bytes = zip.read(target);
    if (bytes === null) continue;
    const page = await pageIn(target, bytes);
    if (page === null) inside.push({ name: path.posix.basename(target), bytes });
    else {
      const hidden = removeHiddenText(page);
      shown.set(target, { html: page.body.innerHTML, hidden });
    }
  }
  return { shown, inside };
}

const MHT_START =
  /^\s*(?:mime-version|content-type|from|subject|date|snapshot-content-location):/iu;

/** Null when it is neither a page nor a text. */
async function pageIn(name: string, bytes: Uint8Array): Promise<HtmlDocument | null> {
  const encoding = encodingOf(bytes);
  const text = encoding === null ? "" : decodeText(bytes, encoding);
  if (/\.mht(?:ml)?$/iu.test(name) || MHT_START.test(text)) {
    const { html, text: plain } = await PostalMime.parse(bytes);
    return html === undefined ? plainPage(plain ?? "") : parsePage(html);
  }
  try {
    const { kind } = await kindOf(name, bytes);
    if (kind === "html") return pageOf(bytes, encoding ?? undefined);
    return kind === "text" ? plainPage(text) : null;
  } catch (error) {
    // Of a kind that is told when it is ingested by itself.
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}

function plainPage(text: string): HtmlDocument {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return parsePage(lines.map((line) => `<p>${escapeHtml(line)}</p>`).join(""));
}
