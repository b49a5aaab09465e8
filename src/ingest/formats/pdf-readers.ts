import type { LiteParse, LiteParseConfig } from "@llamaindex/liteparse";
import { getDocumentProxy } from "unpdf";

import { errnoOf, ExpectedError } from "../../errors.ts";
import type { Step } from "../convert/converted.ts";
import type { OcrData } from "../convert/ocr-data.ts";

/*
 * The two libraries that read PDFs: one is always there and finds the words, the other is optional and finds the structure.
 */

/** What a PDF says, page by page, without its structure. */
export interface PdfWords {
  readonly title: string | null;
  readonly pages: readonly string[];
  readonly hasScripts: boolean;
}

/** More pages are no document. */
const MAX_PAGES = 5000;

/** Reads the words of a PDF. Scripts in it are not run. Throws an {@link ExpectedError} for damaged and encrypted files. */
export async function readPdfWords(name: string, bytes: Uint8Array, step: Step): Promise<PdfWords> {
  const document = await opened(name, bytes);
  try {
    const count = document.numPages;
    if (count > MAX_PAGES) {
      throw new ExpectedError(
        "too_large",
        `${name} has ${count} pages; PDFs up to ${MAX_PAGES} pages are taken in. Split it.`,
      );
    }
    const pages: string[] = [];
    for (let number = 1; number <= count; number += 1) {
      step(number - 1, count);
      pages.push(await pageText(document, number));
    }
    const hasScripts = await document.hasJSActions().catch(() => false);
    return { title: await titleOf(document), pages, hasScripts };
  } finally {
    await document.loadingTask.destroy();
  }
}

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

async function opened(name: string, bytes: Uint8Array): Promise<PdfDocument> {
  try {
    // A copy: the reader detaches the buffer it is given.
    return await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
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

/** The text of a page, in lines; empty when the page is damaged or has none. */
async function pageText(document: PdfDocument, number: number): Promise<string> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    let text = "";
    for (const item of items) {
      if (!("str" in item)) continue;
      text += item.str;
      if (item.hasEOL) text += "\n";
    }
    page.cleanup();
    return text.trim();
  } catch {
    return "";
  }
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

/** A page as markdown, with the links that lie on it. */
export interface StructuredPage {
  readonly markdown: string;
  readonly links: readonly { readonly text: string; readonly address: string }[];
}

/** Finds headings, lists and tables in the layout of a PDF. Its package is optional. */
export interface PdfStructure {
  /** Pages by their number, from 1; those that could not be read are missing. */
  parse(bytes: Uint8Array): Promise<ReadonlyMap<number, StructuredPage>>;
  /** Reads one page that has no text from its picture. */
  recognise(bytes: Uint8Array, page: number, data: OcrData): Promise<string>;
}

export const STRUCTURE_PACKAGE = "@llamaindex/liteparse";

const COMMON: Partial<LiteParseConfig> = {
  outputFormat: "markdown",
  imageMode: "off",
  quiet: true,
  ocrEnabled: false,
  continueOnPageError: true,
  // Lines that all pages have are text too.
  keepHeadersFooters: true,
  extractAnnotations: true,
  // Drawing form fields would run the scripts of the document.
  renderFormFields: false,
  numWorkers: 1,
};
/** Dots per inch at which letters of ten points are recognised well. */
const OCR_DPI = 300;

/** Null when the package is not installed, or has no build for this machine. */
export async function loadPdfStructure(): Promise<PdfStructure | null> {
  let Parser: typeof LiteParse;
  try {
    ({ LiteParse: Parser } = await import("@llamaindex/liteparse"));
  } catch (error) {
    const code = errnoOf(error) ?? "";
    if (!/MODULE_NOT_FOUND|ERR_DLOPEN_FAILED/u.test(code) && !isMissingBinary(error)) throw error;
    return null;
  }
  return {
    parse: async (bytes) => {
      const { pages } = await new Parser(COMMON).parse(bytes);
      return new Map(
        pages.map(({ pageNum, markdown, annotations = [] }) => [
          pageNum,
          {
            markdown: withoutEmptyFence(markdown),
            links: annotations.flatMap(({ uri, contents = "" }) =>
              uri === undefined || !/^(?:https?|mailto):/iu.test(uri)
                ? []
                : [{ text: contents, address: uri }],
            ),
          },
        ]),
      );
    },
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
