import { getDocumentProxy } from "unpdf";

import { ExpectedError } from "../../errors.ts";
import type { Step } from "../convert/converted.ts";

/** What a PDF says, page by page, without its structure. */
export interface PdfWords {
  readonly title: string | null;
  readonly pages: readonly string[];
  readonly hasScripts: boolean;
}

/** More pages are a library. */
const MOST_PAGES = 5000;

/** Reads the words of a PDF. Scripts in it are not run. Throws what a person can mend for damaged and encrypted files. */
export async function readPdfWords(name: string, bytes: Uint8Array, step: Step): Promise<PdfWords> {
  const document = await opened(name, bytes);
  try {
    const count = document.numPages;
    if (count > MOST_PAGES) {
      throw new ExpectedError(
        "too_large",
        `${name} has ${count} pages; PDFs up to ${MOST_PAGES} pages are taken in. Split it.`,
      );
    }
    const pages: string[] = [];
    for (let number = 1; number <= count; number += 1) {
      step(number - 1, count);
      pages.push(await pageText(document, number));
    }
    return { title: await titleOf(document), pages, hasScripts: await hasScripts(document) };
  } finally {
    await document.loadingTask.destroy();
  }
}

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

async function opened(name: string, bytes: Uint8Array): Promise<PdfDocument> {
  try {
    // A copy: the reader takes the bytes it is given for itself.
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

async function hasScripts(document: PdfDocument): Promise<boolean> {
  try {
    return await document.hasJSActions();
  } catch {
    return false;
  }
}
