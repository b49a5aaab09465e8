import type { Converted, Step } from "../convert/converted.ts";
import { tidy } from "../convert/html-to-markdown.ts";
import { findOcrData, OCR_ADVICE, type OcrWish } from "../convert/ocr-data.ts";
import { recall, wordsOf } from "../filing/word-recall.ts";
import { withLinks } from "./pdf-links.ts";
import {
  loadPdfStructure,
  STRUCTURE_PACKAGE,
  type PdfStructure,
  type StructuredPage,
} from "./pdf-structure.ts";
import { readPdfWords } from "./pdf-words.ts";

/** A page whose structured form lacks more of its words than this is taken as plain text. */
const ENOUGH_WORDS = 0.99;

/** A PDF: the structure its layout shows, with every word that is in it, page by page. */
export async function convertPdf(
  name: string,
  bytes: Uint8Array,
  ocr: OcrWish,
  step: Step,
): Promise<Converted> {
  const { title, pages: words, hasScripts } = await readPdfWords(name, bytes, step);
  const notices = hasScripts ? ["The document has scripts in it. They were not run."] : [];
  const structure = await loadPdfStructure();
  if (structure === null) {
    notices.push(
      `Headings, lists and tables of PDFs are found by a package that is not installed: npm install ${STRUCTURE_PACKAGE}. Without it a PDF is plain text.`,
    );
  }
  const structured =
    structure === null ? new Map<number, StructuredPage>() : await parsed(structure, bytes);
  const pages = words.map((text, at) => pageMarkdown(text, structured.get(at + 1)));
  const plain = pages.flatMap(({ isPlain }, at) => (isPlain && structure !== null ? [at + 1] : []));
  if (plain.length > 0) {
    notices.push(
      `The layout of ${namePages(plain)} could not be followed without losing words: plain text.`,
    );
  }
  const empty = pages.flatMap(({ markdown }, at) =>
    wordsOf(markdown).length === 0 ? [at + 1] : [],
  );
  const recognised = await recogniseEmpty(structure, bytes, empty, ocr, step);
  notices.push(...recognised.notices);
  const markdown = pages
    .map(
      (page, at) => `<!-- page ${at + 1} -->\n\n${recognised.texts.get(at + 1) ?? page.markdown}`,
    )
    .join("\n\n");
  const isPartial = structure === null || recognised.isWanting;
  return { title, markdown: tidy(markdown), images: [], inside: [], notices, isPartial };
}

/** A document that one reader can read and the other cannot still has its words. */
async function parsed(
  structure: PdfStructure,
  bytes: Uint8Array,
): Promise<ReadonlyMap<number, StructuredPage>> {
  try {
    return await structure.parse(bytes);
  } catch {
    return new Map();
  }
}

function pageMarkdown(
  words: string,
  page: StructuredPage | undefined,
): { markdown: string; isPlain: boolean } {
  if (page === undefined) return { markdown: words, isPlain: words !== "" };
  if (recall(words, page.markdown) < ENOUGH_WORDS) return { markdown: words, isPlain: true };
  return { markdown: withLinks(page), isPlain: false };
}

async function recogniseEmpty(
  structure: PdfStructure | null,
  bytes: Uint8Array,
  empty: readonly number[],
  wish: OcrWish,
  step: Step,
): Promise<{ texts: Map<number, string>; notices: string[]; isWanting: boolean }> {
  const texts = new Map<number, string>();
  if (empty.length === 0) return { texts, notices: [], isWanting: false };
  const data = structure === null ? null : findOcrData(wish);
  if (structure === null || data === null) {
    const advice =
      structure === null ? `Run npm install ${STRUCTURE_PACKAGE}. ${OCR_ADVICE}` : OCR_ADVICE;
    const notice = `No text on ${namePages(empty)}: a scan? To have it read: ${advice}`;
    return { texts, notices: [notice], isWanting: true };
  }
  for (const [at, page] of empty.entries()) {
    step(at, empty.length);
    const text = await recogniseOrNothing(structure, bytes, page, data);
    if (wordsOf(text).length > 0) texts.set(page, text);
  }
  const unread = empty.filter((page) => !texts.has(page));
  return {
    texts,
    isWanting: false,
    notices: [
      ...(texts.size === 0
        ? []
        : [
            `The text of ${namePages([...texts.keys()])} was read from a picture: expect mistakes.`,
          ]),
      ...(unread.length === 0 ? [] : [`No text was found on ${namePages(unread)}.`]),
    ],
  };
}

async function recogniseOrNothing(
  structure: PdfStructure,
  ...args: Parameters<PdfStructure["recognise"]>
): Promise<string> {
  try {
    return await structure.recognise(...args);
  } catch {
    return "";
  }
}

const MOST_NAMED = 10;

function namePages(pages: readonly number[]): string {
  if (pages.length === 1) return `page ${pages[0]}`;
  const more = pages.length > MOST_NAMED ? ` and ${pages.length - MOST_NAMED} more` : "";
  return `pages ${pages.slice(0, MOST_NAMED).join(", ")}${more}`;
}
