import { existsSync, readdirSync } from "node:fs";

/** Language data for text recognition. */
export interface OcrData {
  readonly folder: string;
  /** At least one: `eng`, `fra`. */
  readonly languages: readonly string[];
}

/** The configured language data. */
export interface OcrWish {
  /** A folder of `.traineddata` files; by default the usual ones. */
  readonly folder?: string;
  /** By default French and English, if installed. */
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
 * The language data of Tesseract on this machine; null when there is none. Only languages with a file are returned: for
 * others the recogniser would download one.
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
