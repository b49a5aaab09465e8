import type { LiteParse, LiteParseConfig } from "@llamaindex/liteparse";
import { getDocumentProxy } from "unpdf";

import { errnoOf, ExpectedError } from "../../errors.ts";
import type { SourceFile, Step } from "../convert/converted.ts";
import type { OcrData } from "../convert/ocr-data.ts";
import type { OutlineEntry } from "./pdf/document-style.ts";
import { readPage, type PageContent, type PdfDocument } from "./pdf/page-content.ts";

/*
 * The two libraries that read PDFs: one is always there and finds the text, the other is optional and reads pictures of text.
 */

/** A PDF that was opened: its pages, and what it says of itself. */
export interface OpenedPdf {
  readonly title: string | null;
  readonly pages: readonly PageContent[];
  readonly outline: readonly OutlineEntry[];
  readonly hasScripts: boolean;
  readonly attachments: Attachments;
}

/** More pages are no document. */
const MAX_PAGES = 5000;

/** Reads what stands on the pages of a PDF. Scripts in it are not run. Throws an {@link ExpectedError} for damaged and encrypted files. */
export async function readPdf(name: string, bytes: Uint8Array, step: Step): Promise<OpenedPdf> {
  const document = await opened(name, bytes);
  try {
    const count = document.numPages;
    if (count > MAX_PAGES) {
      throw new ExpectedError(
        "too_large",
        `${name} has ${count} pages; PDFs up to ${MAX_PAGES} pages are taken in. Split it.`,
      );
    }
    const pages: PageContent[] = [];
    for (let number = 1; number <= count; number += 1) {
      step(number - 1, count);
      pages.push(await readPage(document, number));
    }
    const hasScripts = await document.hasJSActions().catch(() => false);
    const outline = await outlineOf(document);
    const attachments = await attachmentsOf(document, pages);
    return { title: await titleOf(document), pages, outline, hasScripts, attachments };
  } finally {
    await document.loadingTask.destroy();
  }
}

/** More are left out. */
const MAX_ATTACHMENTS = 500;

interface Attachments {
  readonly files: readonly SourceFile[];
  /** How many could not be read, or are too many. */
  readonly left: number;
}

/** The files that are attached to a document, and to places of its pages. */
async function attachmentsOf(
  document: PdfDocument,
  pages: readonly PageContent[],
): Promise<Attachments> {
  const whole = [...((await document.getAttachments().catch(() => null)) ?? [])];
  const found = [
    ...whole.map(([id, { filename }]) => ({ id, name: filename })),
    ...pages.flatMap(({ pinned }) => pinned),
  ];
  const files: SourceFile[] = [];
  for (const { id, name } of found.slice(0, MAX_ATTACHMENTS)) {
    const bytes: unknown = await document.getAttachmentContent(id).catch(() => null);
    if (bytes instanceof Uint8Array) files.push({ name: name || "attachment", bytes });
  }
  return { files, left: found.length - files.length };
}

async function opened(name: string, bytes: Uint8Array): Promise<PdfDocument> {
  try {
    // A copy: the reader detaches the buffer it is given. Pictures are not decoded: only text and lines count.
    return await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, maxImageSize: 1 });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === "PasswordException";
    throw new ExpectedError(
      "not_text",
      isLocked
        ? `${name} is encrypted: it opens only with a password. Save it without one first (print it to a PDF, for instance).`
        : `${name} is not a whole PDF: nothing in it can be read. Save or download it again.`,
      { cause: error },
    );
  }
}

type OutlineNodes = Awaited<ReturnType<PdfDocument["getOutline"]>>;
const MOST_ENTRIES = 20_000;

async function outlineOf(document: PdfDocument): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = [];
  const add = (nodes: OutlineNodes, level: number): void => {
    for (const { title, items } of nodes) {
      if (entries.length >= MOST_ENTRIES) return;
      entries.push({ title, level: Math.min(level, 6) });
      add(items, level + 1);
    }
  };
  add((await document.getOutline().catch(() => null)) ?? [], 1);
  return entries;
}

async function titleOf(document: PdfDocument): Promise<string | null> {
  try {
    const { info } = await document.getMetadata();
    const title: unknown = "Title" in info ? info.Title : null;
    if (typeof title !== "string") return null;
    // Printers give the name of the program and of the file.
    return (
      title
        .replace(/^Microsoft Word - /u, "")
        .replace(/\.(?:docx?|odt|tex|pdf)$/iu, "")
        .trim() || null
    );
  } catch {
    return null;
  }
}

/** Reads pictures of text. Its package is optional. */
export interface PdfOcr {
  /** Reads one page that has no text from its picture. */
  recognise(bytes: Uint8Array, page: number, data: OcrData): Promise<string>;
}

export const OCR_PACKAGE = "@llamaindex/liteparse";

const COMMON: Partial<LiteParseConfig> = {
  outputFormat: "markdown",
  imageMode: "off",
  quiet: true,
  continueOnPageError: true,
  // Drawing form fields would run the scripts of the document.
  renderFormFields: false,
  numWorkers: 1,
};
/** Dots per inch at which letters of ten points are recognised well. */
const OCR_DPI = 300;

/** Null when the package is not installed, or has no build for this machine. */
export async function loadPdfOcr(): Promise<PdfOcr | null> {
  let Parser: typeof LiteParse;
  try {
    ({ LiteParse: Parser } = await import("@llamaindex/liteparse"));
  } catch (error) {
    const code = errnoOf(error) ?? "";
    if (!/MODULE_NOT_FOUND|ERR_DLOPEN_FAILED/u.test(code) && !isMissingBinary(error)) throw error;
    return null;
  }
  return {
    recognise: async (bytes, page, { folder, languages }) => {
      const parser = new Parser({
        ...COMMON,
        ocrEnabled: true,
        tessdataPath: folder,
        ocrLanguage: languages.join("+"),
        targetPages: String(page),
        dpi: OCR_DPI,
      });
      const { pages } = await parser.parse(bytes);
      return withoutEmptyFence(pages[0]?.markdown ?? "");
    },
  };
}

function isMissingBinary(error: unknown): boolean {
  return error instanceof Error && /native (?:binding|module)|cannot find/iu.test(error.message);
}

/** A page without text comes as a code block with nothing in it. */
function withoutEmptyFence(markdown: string): string {
  return markdown.replaceAll(/^```\w*\n\s*```$/gmu, "").trim();
}
