import { isUtf8 } from "node:buffer";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** How much of a text is looked at to tell its encoding from the pattern of its zeros. */
const SAMPLE = 4096;

/**
 * The encoding of a text; null when the bytes are not text. Latin-1 is read as windows-1252, which has the same letters and puts
 * quotes and the euro sign where Latin-1 has control characters nobody writes.
 */
export function encodingOf(bytes: Uint8Array): Encoding | null {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (bytes.includes(0)) return withoutMark(bytes.subarray(0, SAMPLE));
  if (isUtf8(bytes)) return hasOddControls(bytes) ? null : "utf-8";
  return hasOddControls(bytes) || bytes.some((byte) => UNDEFINED.has(byte)) ? null : "windows-1252";
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

/** Positions that windows-1252 leaves empty. */
const UNDEFINED = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

/** Control characters, but for those that texts have: tab, line ends, form feed, and the escape of coloured logs. */
function hasOddControls(bytes: Uint8Array): boolean {
  return bytes.some(
    (byte) => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b && byte !== 0x08,
  );
}

/** The text, with lines that end in `\n` and without a byte-order mark. */
export function decodeText(bytes: Uint8Array, encoding: Encoding): string {
  return new TextDecoder(encoding).decode(bytes).replaceAll(/\r\n?/gu, "\n");
}
