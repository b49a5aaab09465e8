import { ExpectedError } from "../../errors.ts";
import type { Converted, Step } from "../convert/converted.ts";
import type { Encoding } from "../convert/file-kind.ts";
import type { OcrWish } from "../convert/ocr-data.ts";
import type { Limits } from "../limits.ts";

/** The format of a file, as its bytes show it. */
export interface FileKind {
  readonly kind: Kind;
  /** For the note's frontmatter. */
  readonly mimeType: string;
  /** Of a text. */
  readonly encoding?: Encoding;
}

/** One file to convert. Is sent to another process as it is. */
export interface ConversionJob {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly kind: FileKind;
  readonly limits: Limits;
  readonly ocr: OcrWish;
}

interface Format<Name extends string = string> {
  readonly kind: Name;
  /** For messages. */
  readonly label: string;
  /** The types that the `file-type` package finds by signature; `audio/` matches all that begin with it. For texts, the type in the note. */
  readonly mimeTypes: readonly string[];
  /** For texts, which have no signature: decides by the beginning and the file extension. The first match wins. */
  readonly matches?: (head: string, extension: string) => boolean;
  /** Loads its parser when called. Null for images, which are kept, and for sound, which is transcribed. */
  readonly convert: ((job: ConversionJob, step: Step) => Promise<Converted>) | null;
}

const OOXML = "application/vnd.openxmlformats-officedocument";
const OPEN_DOCUMENT = "application/vnd.oasis.opendocument";

const convertText: Format["convert"] = async (job) => (await import("./text.ts")).convertText(job);

/** Every format that can be ingested: the only list of them. A new one is a row here, and a file beside this one. */
const ROWS = [
  {
    kind: "html",
    label: "HTML",
    mimeTypes: ["text/html"],
    matches: isPage,
    convert: async (job) => (await import("./html.ts")).convertHtml(job),
  },
  {
    kind: "mail",
    label: "mails",
    mimeTypes: ["message/rfc822"],
    matches: isMail,
    convert: async (job) => (await import("./mail.ts")).convertMail(job),
  },
  {
    kind: "csv",
    label: "CSV",
    mimeTypes: ["text/csv"],
    matches: (_, extension) => /^\.[ct]sv$/u.test(extension),
    convert: async (job) => (await import("./csv.ts")).convertCsv(job),
  },
  {
    kind: "markdown",
    label: "markdown",
    mimeTypes: ["text/markdown"],
    matches: (_, extension) => /^\.(?:md|markdown)$/u.test(extension),
    convert: convertText,
  },
  {
    kind: "text",
    label: "text",
    mimeTypes: ["text/plain"],
    matches: () => true,
    convert: convertText,
  },
  {
    kind: "pdf",
    label: "PDF",
    mimeTypes: ["application/pdf"],
    convert: async (job, step) => (await import("./pdf.ts")).convertPdf(job, step),
  },
  {
    kind: "docx",
    label: "DOCX",
    mimeTypes: [
      `${OOXML}.wordprocessingml.document`,
      `${OOXML}.wordprocessingml.template`,
      "application/vnd.ms-word.document.macroenabled.12",
    ],
    convert: async (job) => (await import("./docx.ts")).convertDocx(job),
  },
  {
    kind: "odf",
    label: "ODT, ODP, ODS",
    mimeTypes: ["text", "presentation", "spreadsheet"].map((what) => `${OPEN_DOCUMENT}.${what}`),
    convert: async (job) => (await import("./odf.ts")).convertOdf(job),
  },
  {
    kind: "pptx",
    label: "PPTX",
    mimeTypes: [
      `${OOXML}.presentationml.presentation`,
      "application/vnd.ms-powerpoint.presentation.macroenabled.12",
    ],
    convert: async (job, step) => (await import("./pptx.ts")).convertPptx(job, step),
  },
  {
    kind: "xlsx",
    label: "XLSX",
    mimeTypes: [`${OOXML}.spreadsheetml.sheet`, "application/vnd.ms-excel.sheet.macroenabled.12"],
    convert: async (job, step) => (await import("./xlsx.ts")).convertXlsx(job, step),
  },
  {
    kind: "epub",
    label: "EPUB",
    mimeTypes: ["application/epub+zip"],
    convert: async (job, step) => (await import("./epub.ts")).convertEpub(job, step),
  },
  {
    kind: "image",
    label: "images",
    mimeTypes: ["image/png", "image/apng", "image/jpeg", "image/gif", "image/webp"],
    convert: null,
  },
  {
    kind: "audio",
    label: "audio",
    // Recordings of browsers and telephones have the types of videos.
    mimeTypes: ["audio/", "video/webm", "video/mp4"],
    convert: null,
  },
  {
    kind: "zip",
    label: "ZIP archives of them",
    mimeTypes: ["application/zip"],
    convert: async (job) => (await import("./zip.ts")).convertZip(job),
  },
] as const satisfies readonly Format[];

export type Kind = (typeof ROWS)[number]["kind"];

export const FORMATS: readonly Format<Kind>[] = ROWS;

/**
 * Converts a file. Every error of a parser is thrown as an {@link ExpectedError}, because the file is the cause; so is a text over the
 * limit.
 */
export async function convertFile(job: ConversionJob, step: Step): Promise<Converted> {
  const { name, kind, limits } = job;
  const convert = FORMATS.find((format) => format.kind === kind.kind)?.convert ?? null;
  if (convert === null) throw new Error(`${kind.kind} is not converted here`);
  let result: Converted;
  try {
    result = await convert(job, step);
  } catch (error) {
    if (error instanceof ExpectedError) throw error;
    const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new ExpectedError(
      "not_text",
      `${name} cannot be read as what it seems to be (${kind.mimeType}): ${line.slice(0, 200).replace(/\.$/u, "")}. Save or download it again.`,
      { cause: error },
    );
  }
  if (result.markdown.length <= limits.characters) return result;
  throw new ExpectedError(
    "too_large",
    `${name} gives more than ${limits.characters.toLocaleString("en")} characters of text. Split it.`,
  );
}

const HTML_START =
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/iu;
const HTML_TAG = /<(?:p|div|h[1-6]|table|ul|ol|a|span|br)\b[^>]*>/iu;

function isPage(head: string, extension: string): boolean {
  return HTML_START.test(head) || (/^\.x?html?$/u.test(extension) && HTML_TAG.test(head));
}

const MAIL_HEADERS =
  /^(?:from|to|subject|date|received|message-id|mime-version|return-path|delivered-to|x-[\w-]+|dkim-signature|content-type|reply-to|cc):/iu;

/** A mail begins with header lines, of which it has at least three that mails have. */
function isMail(head: string): boolean {
  const [headers = ""] = head.replace(/^From .*\r?\n/u, "").split(/\r?\n\r?\n/u);
  const lines = headers.split(/\r?\n/u).filter((line) => !/^[ \t]/u.test(line));
  if (!lines.every((line) => /^[!-9;-~]+:/u.test(line))) return false;
  const known = new Set(lines.map((line) => MAIL_HEADERS.exec(line)?.[0].toLowerCase()));
  known.delete(undefined);
  return known.size >= 3 && (known.has("from:") || known.has("received:"));
}
