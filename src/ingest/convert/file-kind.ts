import { ExpectedError } from "../../errors.ts";
import { extensionOf } from "../../vault/paths.ts";
import { encodingOf, type Encoding } from "./decode-text.ts";

/** What can be done with a file. */
export type Kind =
  | "markdown"
  | "text"
  | "html"
  | "csv"
  | "mail"
  | "pdf"
  | "docx"
  | "odf"
  | "pptx"
  | "xlsx"
  | "epub"
  | "image"
  | "zip"
  | "audio";

export interface FileKind {
  readonly kind: Kind;
  /** For the note's frontmatter. */
  readonly mimeType: string;
  /** Of a text. */
  readonly encoding?: Encoding;
}

const BY_MIME: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["application/pdf", "pdf"],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.template", "docx"],
  ["application/vnd.ms-word.document.macroenabled.12", "docx"],
  ["application/vnd.oasis.opendocument.text", "odf"],
  ["application/vnd.oasis.opendocument.presentation", "odf"],
  ["application/vnd.oasis.opendocument.spreadsheet", "odf"],
  ["application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"],
  ["application/vnd.ms-powerpoint.presentation.macroenabled.12", "pptx"],
  ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"],
  ["application/vnd.ms-excel.sheet.macroenabled.12", "xlsx"],
  ["application/epub+zip", "epub"],
  ["application/zip", "zip"],
  ["image/png", "image"],
  ["image/apng", "image"],
  ["image/jpeg", "image"],
  ["image/gif", "image"],
  ["image/webp", "image"],
  // Recordings of browsers and telephones say that they are video.
  ["video/webm", "audio"],
  ["video/mp4", "audio"],
]);

/**
 * What a file is, by its bytes. Its name is only asked what kind of text a text is, where bytes cannot tell.
 * Throws `not_text` for what nothing here reads.
 */
export async function kindOf(name: string, bytes: Uint8Array): Promise<FileKind> {
  if (bytes.length === 0) throw new ExpectedError("not_text", `${name} is empty.`);
  const encoding = encodingOf(bytes);
  const mimeType = (await sniffed(bytes))?.split(";")[0];
  // Two letters are enough for some signatures: what has no byte that a text could not have is a text, whatever it begins with.
  if (mimeType !== undefined && (encoding !== "utf-8" || WRITTEN_IN_LETTERS.has(mimeType))) {
    const kind = BY_MIME.get(mimeType) ?? (mimeType.startsWith("audio/") ? "audio" : null);
    if (kind !== null) return { kind, mimeType };
    if (encoding === null || WRITTEN_IN_LETTERS.has(mimeType)) throw unknownKind(name, mimeType);
  }
  if (encoding === null) throw unknownKind(name, "of a kind nobody here knows");
  return textKind(name, new TextDecoder(encoding).decode(bytes.subarray(0, HEAD)), encoding);
}

/** Documents that may hold nothing but letters and are no texts all the same. */
const WRITTEN_IN_LETTERS = new Set(["application/pdf", "application/rtf"]);

/** Enough to recognise a text by its beginning. */
const HEAD = 8192;

async function sniffed(bytes: Uint8Array): Promise<string | undefined> {
  // Loaded when there is a file to look at: whoever opens a vault loads this module.
  const { fileTypeFromBuffer } = await import("file-type");
  try {
    return (await fileTypeFromBuffer(bytes))?.mime;
  } catch {
    // Damaged beyond recognition, or cut off where a header should go on.
    return undefined;
  }
}

const HTML_START =
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/iu;
const HTML_TAG = /<(?:p|div|h[1-6]|table|ul|ol|a|span|br)\b[^>]*>/iu;
const MAIL_HEADERS =
  /^(?:from|to|subject|date|received|message-id|mime-version|return-path|delivered-to|x-[\w-]+|dkim-signature|content-type|reply-to|cc):/iu;

function textKind(name: string, head: string, encoding: Encoding): FileKind {
  const extension = extensionOf(name);
  const isNamed = (...extensions: string[]): boolean => extensions.includes(extension);
  const isPage =
    HTML_START.test(head) || (isNamed(".html", ".htm", ".xhtml") && HTML_TAG.test(head));
  if (isPage) return { kind: "html", mimeType: "text/html", encoding };
  if (isMail(head)) return { kind: "mail", mimeType: "message/rfc822", encoding };
  if (isNamed(".csv", ".tsv")) return { kind: "csv", mimeType: "text/csv", encoding };
  if (isNamed(".md", ".markdown")) return { kind: "markdown", mimeType: "text/markdown", encoding };
  return { kind: "text", mimeType: "text/plain", encoding };
}

/** A mail begins with header lines, of which it has at least three that mails have. */
function isMail(head: string): boolean {
  const [headers = ""] = head.replace(/^From .*\r?\n/u, "").split(/\r?\n\r?\n/u);
  const lines = headers.split(/\r?\n/u).filter((line) => !/^[ \t]/u.test(line));
  if (!lines.every((line) => /^[!-9;-~]+:/u.test(line))) return false;
  const known = new Set(lines.map((line) => MAIL_HEADERS.exec(line)?.[0].toLowerCase()));
  known.delete(undefined);
  return known.size >= 3 && (known.has("from:") || known.has("received:"));
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /x-cfb|msword|ms-excel|ms-powerpoint/u,
    "It may be an old or an encrypted Office document: open it, and save it as .docx, .xlsx or .pptx without a password.",
  ],
  [/rtf/u, "Open it, and save it as .docx or .odt."],
  [/^image\//u, "Convert it to PNG or JPEG."],
  [/^video\//u, "Take its sound out first, as .mp3 or .m4a."],
  [/gzip|x-7z|x-rar|x-tar|x-xz|x-bzip2|zstd/u, "Unpack it, or pack it as .zip."],
];

function unknownKind(name: string, type: string): ExpectedError {
  const advice =
    ADVICE.find(([matches]) => matches.test(type))?.[1] ??
    "Taken in are markdown, text, HTML, PDF, DOCX, ODT, ODP, ODS, PPTX, XLSX, EPUB, CSV, mails, images, audio, and ZIP archives of them.";
  return new ExpectedError(
    "not_text",
    `${name} is ${type}, which cannot be made into text. ${advice}`,
  );
}
