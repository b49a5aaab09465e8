import { isUtf8 } from "node:buffer";

import { ExpectedError } from "../../errors.ts";
import { extensionOf } from "../../vault/paths.ts";
import { asBuffer } from "./converted.ts";
import { isOldEncoding, oldEncodingOf, type OldEncoding } from "./old-encodings.ts";
import { findKind, FORMATS, type FileKind } from "../formats/formats.ts";

/**
 * The format of a file, by its bytes. Its name decides only between formats of text.
 * Throws `not_text` for a format that is not in the table.
 */
export async function kindOf(name: string, bytes: Uint8Array): Promise<FileKind> {
  if (bytes.length === 0) throw new ExpectedError("not_text", `${name} is empty.`);
  const encoding = encodingOf(bytes);
  const mimeType = (await sniffed(bytes))?.split(";")[0];
  // Some signatures are only two letters: a file that is valid text is taken as text, even when it begins with one.
  if (mimeType !== undefined && (encoding !== "utf-8" || TEXT_BASED.has(mimeType))) {
    const kind = findKind(
      ({ mimeTypes, matches }) =>
        matches === undefined &&
        mimeTypes.some(
          (type) => type === mimeType || (type.endsWith("/") && mimeType.startsWith(type)),
        ),
    );
    if (kind !== undefined) return { kind, mimeType };
    if (encoding === null || TEXT_BASED.has(mimeType)) throw unknownKind(name, mimeType);
  }
  if (encoding === null) throw unknownKind(name, "of an unknown format");
  const head = new TextDecoder(encoding).decode(bytes.subarray(0, HEAD_BYTES));
  const extension = extensionOf(name);
  // Whatever is text matches the last row.
  const kind = findKind(({ matches }) => matches?.(head, extension) === true) ?? "text";
  return { kind, mimeType: FORMATS[kind].mimeTypes[0] ?? "text/plain", encoding };
}

/** Formats of documents whose bytes may all be valid text. */
const TEXT_BASED = new Set(["application/pdf", "application/rtf"]);

/** Enough to recognise a text by its beginning. */
const HEAD_BYTES = 8192;

async function sniffed(bytes: Uint8Array): Promise<string | undefined> {
  // Loaded with the first file: every process that opens a vault loads this module.
  const { fileTypeFromBuffer } = await import("file-type");
  try {
    const type = (await fileTypeFromBuffer(bytes))?.mime;
    return type === "application/x-cfb" && isOutlookMail(bytes) ? OUTLOOK_MAIL : type;
  } catch {
    // Damaged, or cut off inside a header.
    return undefined;
  }
}

const OUTLOOK_MAIL = "application/vnd.ms-outlook";

/** Old Office formats share one container: a mail has streams of this name in it. */
function isOutlookMail(bytes: Uint8Array): boolean {
  return asBuffer(bytes).includes(Buffer.from("__substg1.0_", "utf16le"));
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /x-cfb|msword|ms-excel|ms-powerpoint/u,
    "It may be an old or an encrypted Office document: open it, and save it as .docx, .xlsx or .pptx without a password. Old ones are read as they are where LibreOffice is installed.",
  ],
  [
    /rtf/u,
    "Open it, and save it as .docx or .odt. It is read as it is where LibreOffice is installed.",
  ],
  [/^image\//u, "Convert it to PNG or JPEG."],
  [/^video\//u, "Take its sound out first, as .mp3 or .m4a."],
  [/gzip|x-7z|x-rar|x-tar|x-xz|x-bzip2|zstd/u, "Unpack it, or pack it as .zip."],
];

const LIST = new Intl.ListFormat("en");

function unknownKind(name: string, type: string): ExpectedError {
  const advice =
    ADVICE.find(([matches]) => matches.test(type))?.[1] ??
    `Accepted are ${LIST.format(Object.values(FORMATS).map(({ label }) => label))}.`;
  return new ExpectedError(
    "not_text",
    `${name} is ${type}, which cannot be made into text. ${advice}`,
  );
}

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | OldEncoding;

export function isEncoding(name: string): name is Encoding {
  return /^utf-(?:8|16[lb]e)$/u.test(name) || isOldEncoding(name);
}

/** Bytes of a text whose zeros show its encoding. */
const SAMPLE = 4096;

/**
 * The encoding of a text; null when the bytes are not text. Latin-1 is read as windows-1252, which has the same letters and puts
 * quotes and the euro sign where Latin-1 has control characters that texts do not have. Other old encodings are told by how they read.
 */
export function encodingOf(bytes: Uint8Array): Encoding | null {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (bytes.includes(0)) return withoutMark(bytes.subarray(0, SAMPLE));
  if (hasOddControls(bytes)) return null;
  if (isUtf8(bytes)) return isIso2022(bytes) ? "iso-2022-jp" : "utf-8";
  return oldEncodingOf(bytes);
}

/** Old Japanese mails and pages switch to two-byte characters by an escape sequence. */
function isIso2022(bytes: Uint8Array): boolean {
  const at = bytes.indexOf(0x1b);
  return at >= 0 && bytes[at + 1] === 0x24 && (bytes[at + 2] === 0x42 || bytes[at + 2] === 0x40);
}

/** UTF-16 without a byte-order mark: Latin letters have a zero in every second byte, and only there. */
function withoutMark(sample: Uint8Array): Encoding | null {
  const pairs = Math.floor(sample.length / 2);
  const zeros = [0, 0];
  for (let at = 0; at < pairs * 2; at += 1) {
    if (sample[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  const found = even === 0 ? "utf-16le" : odd === 0 ? "utf-16be" : null;
  if (found === null || even + odd < pairs * 0.6) return null;
  return /[^\P{Cc}\t\n\r]/u.test(new TextDecoder(found).decode(sample)) ? null : found;
}

/** Control characters, but for those that texts have: tab, line ends, form feed, and the escape of coloured logs. */
function hasOddControls(bytes: Uint8Array): boolean {
  return bytes.some(
    (byte) => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b && byte !== 0x08,
  );
}

/** The text, with lines that end in `\n` and without a byte-order mark. */
export function decodeText(bytes: Uint8Array, encoding: Encoding = "utf-8"): string {
  return new TextDecoder(encoding).decode(bytes).replaceAll(/\r\n?/gu, "\n");
}
