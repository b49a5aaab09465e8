import { wordsOf as foldedWords } from "../../text/words.ts";
import { converted, tidy, type Converted, type Step } from "../convert/converted.ts";
import { findOcrData, OCR_ADVICE, type OcrWish } from "../convert/ocr-data.ts";
import type { ConversionJob } from "./formats.ts";
import {
  loadPdfStructure,
  readPdfWords,
  STRUCTURE_PACKAGE,
  type PdfStructure,
  type StructuredPage,
} from "./pdf-readers.ts";

/** A page whose structured form has a smaller share of its words is taken as plain text. */
const MIN_RECALL = 0.99;

/** A PDF: the structure its layout shows, with every word that is in it, page by page. */
export async function convertPdf(
  { name, bytes, ocr }: Pick<ConversionJob, "name" | "bytes" | "ocr">,
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
  // Without structure when only the words can be read.
  const structured =
    (await structure?.parse(bytes).catch(() => null)) ?? new Map<number, StructuredPage>();
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
  const isPartial = structure === null || recognised.isPartial;
  return { ...converted(title, tidy(markdown), { notices }), isPartial };
}

function pageMarkdown(
  words: string,
  page: StructuredPage | undefined,
): { markdown: string; isPlain: boolean } {
  if (page === undefined) return { markdown: words, isPlain: words !== "" };
  if (recall(words, page.markdown) < MIN_RECALL) return { markdown: words, isPlain: true };
  return { markdown: withLinks(page), isPlain: false };
}

async function recogniseEmpty(
  structure: PdfStructure | null,
  bytes: Uint8Array,
  empty: readonly number[],
  wish: OcrWish,
  step: Step,
): Promise<{ texts: Map<number, string>; notices: string[]; isPartial: boolean }> {
  const texts = new Map<number, string>();
  if (empty.length === 0) return { texts, notices: [], isPartial: false };
  const data = structure === null ? null : findOcrData(wish);
  if (structure === null || data === null) {
    const advice =
      structure === null ? `Run npm install ${STRUCTURE_PACKAGE}. ${OCR_ADVICE}` : OCR_ADVICE;
    const notice = `No text on ${namePages(empty)}: a scan? To have it read: ${advice}`;
    return { texts, notices: [notice], isPartial: true };
  }
  for (const [at, page] of empty.entries()) {
    step(at, empty.length);
    const text = await structure.recognise(bytes, page, data).catch(() => "");
    if (wordsOf(text).length > 0) texts.set(page, text);
  }
  const unread = empty.filter((page) => !texts.has(page));
  return {
    texts,
    isPartial: false,
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

const MAX_NAMED = 10;

function namePages(pages: readonly number[]): string {
  if (pages.length === 1) return `page ${pages[0]}`;
  const more = pages.length > MAX_NAMED ? ` and ${pages.length - MAX_NAMED} more` : "";
  return `pages ${pages.slice(0, MAX_NAMED).join(", ")}${more}`;
}

/** Puts the links of a page where their text stands, and those whose text is not found at its end. */
export function withLinks({ markdown, links }: StructuredPage): string {
  let text = markdown;
  const left: string[] = [];
  for (const { text: label, address } of links) {
    if (text.includes(`](${address})`) || left.includes(address)) continue;
    const at = label.length < 2 ? -1 : plainQuotes(text).indexOf(plainQuotes(label));
    if (at < 0) {
      if (!text.includes(address)) left.push(address);
      continue;
    }
    const end = at + label.length;
    text = `${text.slice(0, at)}[${text.slice(at, end)}](${address})${text.slice(end)}`;
  }
  if (left.length === 0) return text;
  return `${text}\n\n${left.map((address) => `- <${address}>`).join("\n")}`;
}

/** Of the two readers only one keeps typographic quotes; the length is the same. */
export function plainQuotes(text: string): string {
  return text.replaceAll(/[\u2018\u2019]/gu, "'").replaceAll(/[\u201c\u201d]/gu, '"');
}

/** The words of a text, with ligatures split and without the private characters of icon fonts. */
export function wordsOf(text: string): string[] {
  return foldedWords(text.normalize("NFKC").replaceAll(/\p{Co}/gu, " "));
}

/**
 * The share of the words of one text that another has, from 0 to 1. A word that is joined to another one, as at a line's end, counts as
 * found.
 */
export function recall(expected: string, found: string): number {
  const words = wordsOf(expected);
  if (words.length === 0) return 1;
  const foundWords = wordsOf(found);
  const counts = new Map<string, number>();
  for (const word of foundWords) counts.set(word, (counts.get(word) ?? 0) + 1);
  const run = foundWords.join("");
  const missing = words.filter((word) => {
    const left = counts.get(word) ?? 0;
    if (left > 0) counts.set(word, left - 1);
    return left === 0 && !(counts.get(word) === undefined && run.includes(word));
  });
  return 1 - missing.length / words.length;
}
