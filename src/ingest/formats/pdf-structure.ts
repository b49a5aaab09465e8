import type { LiteParse, LiteParseConfig } from "@llamaindex/liteparse";

import { errnoOf } from "../../errors.ts";
import type { OcrData } from "../convert/ocr-data.ts";

/** A page as markdown, with the links that lie on it. */
export interface StructuredPage {
  readonly markdown: string;
  readonly links: readonly { readonly text: string; readonly address: string }[];
}

/** What finds headings, lists and tables in the layout of a PDF; it is not installed with the rest. */
export interface PdfStructure {
  /** Pages by their number, from 1; those that could not be read are missing. */
  parse(bytes: Uint8Array): Promise<ReadonlyMap<number, StructuredPage>>;
  /** Reads one page that has no text from its picture. */
  recognise(bytes: Uint8Array, page: number, data: OcrData): Promise<string>;
}

/** Its package. */
export const STRUCTURE_PACKAGE = "@llamaindex/liteparse";

const COMMON: Partial<LiteParseConfig> = {
  outputFormat: "markdown",
  imageMode: "off",
  quiet: true,
  ocrEnabled: false,
  continueOnPageError: true,
  // A line that all pages have is a word too: nothing is lost for looking like decoration.
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
