import { existsSync, readdirSync } from "node:fs";

/** Where the data for recognising letters is, and for which languages. */
export interface OcrData {
  readonly folder: string;
  /** At least one: `eng`, `fra`. */
  readonly languages: readonly string[];
}

/** What of it was asked for. */
export interface OcrWish {
  /** A folder of `.traineddata` files; the usual places when not given. */
  readonly folder?: string;
  /** French and English, as far as they are there, when not given. */
  readonly languages?: readonly string[];
}

/** Where the packages of Debian, Fedora, Homebrew and the Windows installer put it. */
const USUAL_FOLDERS = [
  "/usr/share/tesseract-ocr/5/tessdata",
  "/usr/share/tesseract-ocr/4.00/tessdata",
  "/usr/share/tessdata",
  "/usr/share/tesseract/tessdata",
  "/opt/homebrew/share/tessdata",
  "/usr/local/share/tessdata",
  "C:\\Program Files\\Tesseract-OCR\\tessdata",
];
const USUAL_LANGUAGES = ["eng", "fra"];

/**
 * The language data of Tesseract on this machine; null when there is none. Nothing is ever downloaded: the recogniser would do so by
 * itself for a language whose file is missing, which is why only languages with a file are named to it.
 */
export function findOcrData({ folder, languages = USUAL_LANGUAGES }: OcrWish): OcrData | null {
  for (const place of folder === undefined ? USUAL_FOLDERS : [folder]) {
    const files = existsSync(place) ? readdirSync(place) : [];
    const found = languages.filter((language) => files.includes(`${language}.traineddata`));
    if (found.length > 0) return { folder: place, languages: found };
  }
  return null;
}

export const OCR_ADVICE =
  "Install Tesseract's language data (Debian: apt install tesseract-ocr-eng tesseract-ocr-fra; macOS: brew install tesseract-lang), or name its folder in COFFRE_TESSDATA.";
