import { isUtf8 } from "node:buffer";

/** The byte-order mark that some programs write before a text. */
export const BOM = "\ufeff";

/** The bytes of the byte-order mark at the start of `bytes`: 3, or 0 when there is none. */
export function bomLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** True when all of `bytes` is UTF-8 without NUL. */
export function isTextBytes(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

/** The text of UTF-8 bytes without its byte-order mark, line endings as they are. */
export function decodeUtf8(bytes: Buffer): string {
  return bytes.toString("utf8", bomLength(bytes));
}
