import { isUtf8 } from "node:buffer";

/**
 * The bytes of a name as text, one character for each: names on a disk need not be UTF-8, and as text they would lead nowhere. `/` and `.` are
 * what they are in any text.
 */
export type ByteName = string;

export function byteName(name: string | Buffer): ByteName {
  return Buffer.from(name).toString("latin1");
}

/** What functions of the disk take. */
export function bytesOfName(name: ByteName): Buffer {
  return Buffer.from(name, "latin1");
}

/** As it is shown. */
export function shownName(name: ByteName): string {
  return bytesOfName(name).toString();
}

/** Whether text says all of it. */
export function isPlainName(name: ByteName): boolean {
  return isUtf8(bytesOfName(name));
}
