import { ExpectedError } from "../../errors.ts";
import type { Converted, Step } from "../convert/converted.ts";
import { isDrawing } from "../convert/drawing-kind.ts";
import type { Encoding } from "../convert/file-kind.ts";
import type { OcrWish } from "../convert/ocr-data.ts";
import type { Limits } from "../limits.ts";
import type { SpeechJob } from "../speech/convert-speech.ts";

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
  /** Of a recording that is written down by a model on this machine. */
  readonly speech?: SpeechJob;
}

interface Format {
  /** For messages. */
  readonly label: string;
  /** The types that the `file-type` package finds by signature; `audio/` matches all that begin with it. For texts, the type in the note. */
  readonly mimeTypes: readonly string[];
  /** For texts, which have no signature: decides by the beginning and the file extension. The first match wins. */
  readonly matches?: (head: string, extension: string) => boolean;
  /** Loads its parser when called. Null for images, which are kept. */
  readonly convert: ((job: ConversionJob, step: Step) => Promise<Converted>) | null;
}

const OOXML = "application/vnd.openxmlformats-officedocument";
const OPEN_DOCUMENT = "application/vnd.oasis.opendocument";

const convertText: Format["convert"] = async (job) => (await import("./text.ts")).convertText(job);

/** Every format that can be ingested: the only list of them. A new one is a row here, and a file beside this one. */
const TABLE = {
  html: {
    label: "HTML",
    mimeTypes: ["text/html"],
    matches: isPage,
    convert: async (job) => (await import("./html.ts")).convertHtml(job),
  },
  svg: {
    label: "SVG",
    mimeTypes: ["image/svg+xml"],
    matches: isDrawing,
    convert: async (job) => (await import("./svg.ts")).convertSvg(job),
  },
  mail: {
    label: "mails",
    mimeTypes: ["message/rfc822"],
    matches: isMail,
    convert: async (job) => (await import("./mail.ts")).convertMail(job),
  },
  notebook: {
    label: "notebooks",
    mimeTypes: ["application/x-ipynb+json"],
    matches: (head, extension) => extension === ".ipynb" && head.trimStart().startsWith("{"),
    convert: async (job) => (await import("./notebook.ts")).convertNotebook(job),
  },
  feed: {
    label: "RSS and Atom",
    mimeTypes: ["application/rss+xml"],
    matches: (head) => FEED_START.test(head),
    convert: async (job) => (await import("./feed.ts")).convertFeed(job),
  },
  calendar: {
    label: "calendars (.ics)",
    mimeTypes: ["text/calendar"],
    matches: (head) => /^\s*BEGIN:VCALENDAR\s/iu.test(head),
    convert: async (job) => (await import("./vobject.ts")).convertCalendar(job),
  },
  contacts: {
    label: "contacts (.vcf)",
    mimeTypes: ["text/vcard"],
    matches: (head) => /^\s*BEGIN:VCARD\s/iu.test(head),
    convert: async (job) => (await import("./vobject.ts")).convertContacts(job),
  },
  whatsapp: {
    label: "WhatsApp chats",
    mimeTypes: ["text/x-whatsapp"],
    matches: (head, extension) => extension === ".txt" && isWhatsapp(head),
    convert: async (job) => (await import("./exports/whatsapp.ts")).convertWhatsapp(job),
  },
  enex: {
    label: "Evernote (.enex)",
    mimeTypes: ["application/enex+xml"],
    matches: (head) =>
      /^\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE en-export[^>]*>\s*)?<en-export\b/iu.test(head),
    convert: async (job, step) => (await import("./exports/enex.ts")).convertEnex(job, step),
  },
  conversations: {
    label: "exports of ChatGPT and Claude",
    mimeTypes: ["application/x-conversations+json"],
    matches: (head, extension) => extension === ".json" && CONVERSATIONS.test(head),
    convert: async (job) => (await import("./exports/conversations.ts")).convertConversations(job),
  },
  csv: {
    label: "CSV",
    mimeTypes: ["text/csv"],
    matches: (_, extension) => /^\.[ct]sv$/u.test(extension),
    convert: async (job) => (await import("./csv.ts")).convertCsv(job),
  },
  markdown: {
    label: "markdown",
    mimeTypes: ["text/markdown"],
    matches: (_, extension) => /^\.(?:md|markdown)$/u.test(extension),
    convert: convertText,
  },
  text: {
    label: "text",
    mimeTypes: ["text/plain"],
    matches: () => true,
    convert: convertText,
  },
  msg: {
    label: "Outlook mails (.msg)",
    mimeTypes: ["application/vnd.ms-outlook"],
    convert: async (job) => (await import("./msg.ts")).convertMsg(job),
  },
  pdf: {
    label: "PDF",
    mimeTypes: ["application/pdf"],
    convert: async (job, step) => (await import("./pdf.ts")).convertPdf(job, step),
  },
  docx: {
    label: "DOCX",
    mimeTypes: [
      `${OOXML}.wordprocessingml.document`,
      `${OOXML}.wordprocessingml.template`,
      "application/vnd.ms-word.document.macroenabled.12",
      "application/vnd.ms-word.template.macroenabled.12",
    ],
    convert: async (job) => (await import("./docx.ts")).convertDocx(job),
  },
  odf: {
    label: "ODT, ODP, ODS",
    mimeTypes: ["text", "presentation", "spreadsheet"].flatMap((what) => [
      `${OPEN_DOCUMENT}.${what}`,
      `${OPEN_DOCUMENT}.${what}-template`,
    ]),
    convert: async (job) => (await import("./odf.ts")).convertOdf(job),
  },
  pptx: {
    label: "PPTX",
    mimeTypes: ["presentation", "slideshow", "template"].flatMap((what) => [
      `${OOXML}.presentationml.${what}`,
      `application/vnd.ms-powerpoint.${what}.macroenabled.12`,
    ]),
    convert: async (job, step) => (await import("./pptx.ts")).convertPptx(job, step),
  },
  xlsx: {
    label: "XLSX",
    mimeTypes: ["sheet", "template"].flatMap((what) => [
      `${OOXML}.spreadsheetml.${what}`,
      `application/vnd.ms-excel.${what}.macroenabled.12`,
    ]),
    convert: async (job, step) => (await import("./xlsx.ts")).convertXlsx(job, step),
  },
  epub: {
    label: "EPUB",
    mimeTypes: ["application/epub+zip"],
    convert: async (job, step) => (await import("./epub.ts")).convertEpub(job, step),
  },
  image: {
    label: "images",
    mimeTypes: ["image/png", "image/apng", "image/jpeg", "image/gif", "image/webp"],
    convert: null,
  },
  audio: {
    label: "audio",
    // Recordings of browsers and telephones have the types of videos.
    mimeTypes: ["audio/", "video/webm", "video/mp4"],
    convert: async ({ speech }, step) => {
      if (speech === undefined) throw new Error("nothing here writes it down");
      return (await import("../speech/convert-speech.ts")).convertSpeech(speech, step);
    },
  },
  zip: {
    label: "ZIP archives of them",
    mimeTypes: ["application/zip"],
    convert: async (job) => (await import("./zip.ts")).convertZip(job),
  },
} satisfies Readonly<Record<string, Format>>;

export type Kind = keyof typeof TABLE;

/** Files that are only what is in them: they have no note of their own. */
export const ARCHIVES: ReadonlySet<Kind> = new Set<Kind>(["zip", "enex", "conversations"]);

export const FORMATS: Readonly<Record<Kind, Format>> = TABLE;

/** The first format of the table that passes a test. */
export function findKind(test: (format: Format) => boolean): Kind | undefined {
  return Object.keys(FORMATS).find((kind): kind is Kind => isKind(kind) && test(FORMATS[kind]));
}

function isKind(name: string): name is Kind {
  return Object.hasOwn(FORMATS, name);
}

/**
 * Converts a file. Every error of a parser is thrown as an {@link ExpectedError}, because the file is the cause; so is a text over the
 * limit.
 */
export async function convertFile(job: ConversionJob, step: Step): Promise<Converted> {
  const { name, kind, limits } = job;
  const { convert } = FORMATS[kind.kind];
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
  if (result.markdown.length <= limits.characters)
    return withoutTagCharacters(DOCUMENTS.has(kind.kind) ? withEmptyNotice(result) : result);
  throw new ExpectedError(
    "too_large",
    `${name} gives more than ${limits.characters.toLocaleString("en")} characters of text. Split it.`,
  );
}

/** What people open to read: without a text in it, something is wrong with the file or with us. */
const DOCUMENTS: ReadonlySet<Kind> = new Set<Kind>(["docx", "odf", "pptx", "xlsx", "epub"]);

function withEmptyNotice(result: Converted): Converted {
  const text = result.markdown.replaceAll(/<!--[\s\S]*?-->|!\[[^\]]*\]\([^)]*\)/gu, "");
  if (/[\p{L}\p{N}]/u.test(text)) return result;
  return { ...result, notices: [...result.notices, "No text was found in this document."] };
}

/** Unicode's invisible copies of ASCII, which models read and people do not see. Flags such as Scotland's are made of them. */
const TAG_CHARACTERS = /(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]{0,6})[\u{e0000}-\u{e007f}]+/gu;

function withoutTagCharacters(result: Converted): Converted {
  const markdown = result.markdown.replaceAll(TAG_CHARACTERS, "");
  if (markdown === result.markdown) return result;
  const notice = "Invisible characters that can spell a text (Unicode tags) were left out.";
  return { ...result, markdown, notices: [...result.notices, notice] };
}

const CONVERSATIONS = /^\s*\[\s*\{[\s\S]*"(?:mapping"\s*:\s*\{|chat_messages"\s*:\s*\[)/u;
const FEED_START =
  /^\s*(?:<\?xml[^>]*\?>\s*)*(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:rss\b|(?:[\w-]+:)?feed\b[^>]*2005\/Atom|rdf:RDF\b[^>]*purl\.org\/rss)/iu;
const HTML_START =
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/iu;
const HTML_TAG = /<(?:p|div|h[1-6]|table|ul|ol|a|span|br)\b[^>]*>/iu;

function isPage(head: string, extension: string): boolean {
  return HTML_START.test(head) || (/^\.x?html?$/u.test(extension) && HTML_TAG.test(head));
}

const WHATSAPP_LINE =
  /^\u200e?\[?\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? \d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:[\s\u202f]?[ap]\.?m\.?)?(?:\]| -) /iu;

/** At least half of its first lines begin with a day, a time and who wrote. */
function isWhatsapp(head: string): boolean {
  const lines = head.split(/\r?\n/u, 40).filter((line) => line.trim() !== "");
  const found = lines.filter((line) => WHATSAPP_LINE.test(line)).length;
  return found >= 2 && found >= lines.length / 2;
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
