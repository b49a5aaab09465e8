import { wordsOf as foldedWords } from "../../text/words.ts";
import { converted, tidy, type Converted, type Step } from "../convert/converted.ts";
import { findOcrData, OCR_ADVICE, type OcrWish } from "../convert/ocr-data.ts";
import type { ConversionJob } from "./formats.ts";
import { loadPdfOcr, OCR_PACKAGE, readPdf } from "./pdf-readers.ts";
import type { PageContent } from "./pdf/page-content.ts";
import { isTooFull, pagesMarkdown } from "./pdf/pages.ts";

/** A PDF: what its pages say, with the structure that its tags or its layout show. */
export async function convertPdf(
  { name, bytes, ocr }: Pick<ConversionJob, "name" | "bytes" | "ocr">,
  step: Step,
): Promise<Converted> {
  const { title, pages, outline, hasScripts, attachments } = await readPdf(name, bytes, step);
  const notices = hasScripts ? ["The document has scripts in it. They were not run."] : [];
  if (attachments.left > 0)
    notices.push(`Files attached to the document were left out: ${attachments.left}.`);
  const texts = pagesMarkdown(pages, outline);
  notices.push(...damageNotices(pages, texts));
  const empty = texts.flatMap((text, at) => (wordsOf(text).length === 0 ? [at + 1] : []));
  const recognised = await recogniseEmpty(bytes, empty, ocr, step);
  notices.push(...recognised.notices);
  const markdown = texts
    .map((text, at) => `<!-- page ${at + 1} -->\n\n${recognised.texts.get(at + 1) ?? text}`)
    .join("\n\n");
  const { isPartial } = recognised;
  const inside = attachments.files;
  return { ...converted(title, tidy(markdown), { notices }), inside, isPartial };
}

/** Letters that no reader knows: of icon fonts, or of fonts that do not say what their shapes mean. */
const UNKNOWN = /[\p{Co}\p{Cn}\ufffd]|(?!\s)\p{Cc}/gu;

/** Why a page has no structure, or no text that means something. */
function damageNotices(pages: readonly PageContent[], texts: readonly string[]): string[] {
  const damaged = pages.flatMap(({ isDamaged }, at) => (isDamaged ? [at + 1] : []));
  const unknown = texts.flatMap((text, at) => {
    const letters = text.replaceAll(/\s/gu, "").length;
    return (text.match(UNKNOWN)?.length ?? 0) > letters * 0.3 && letters > 0 ? [at + 1] : [];
  });
  const full = pages.flatMap((page, at) => (isTooFull(page) ? [at + 1] : []));
  return [
    ...(full.length === 0
      ? []
      : [`The text of ${namePages(full)} is in too many parts to find its layout: plain text.`]),
    ...(damaged.length === 0 ? [] : [`Damaged, and not read: ${namePages(damaged)}.`]),
    ...(unknown.length === 0
      ? []
      : [
          `The fonts of ${namePages(unknown)} do not say what letters their shapes are: expect nonsense.`,
        ]),
  ];
}

async function recogniseEmpty(
  bytes: Uint8Array,
  empty: readonly number[],
  wish: OcrWish,
  step: Step,
): Promise<{ texts: Map<number, string>; notices: string[]; isPartial: boolean }> {
  const texts = new Map<number, string>();
  if (empty.length === 0) return { texts, notices: [], isPartial: false };
  const reader = await loadPdfOcr();
  const data = reader === null ? null : findOcrData(wish);
  if (reader === null || data === null) {
    const advice = reader === null ? `Run npm install ${OCR_PACKAGE}. ${OCR_ADVICE}` : OCR_ADVICE;
    const notice = `No text on ${namePages(empty)}: a scan? To have it read: ${advice}`;
    return { texts, notices: [notice], isPartial: true };
  }
  for (const [at, page] of empty.entries()) {
    step(at, empty.length);
    const text = await reader.recognise(bytes, page, data).catch(() => "");
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
