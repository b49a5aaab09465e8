import { NEWLINE } from "./bytes.ts";

const DAY = /^# \d{4}-\d{2}-\d{2}[ \t]*$/u;

/** Where the rest of an entry goes, below the heading of its day that is there already. */
export interface UnderDay {
  /** Offset right after the heading's line. */
  readonly at: number;
  readonly text: string;
}

/**
 * For a text that begins with `# 2025-03-04`, put at the top of a file whose first line says the same: one day has one heading. Null for
 * any other.
 * @param head the first bytes of the file
 * @param start offset of its first line that is not empty
 */
export function underSameDay(head: Buffer, start: number, text: string): UnderDay | null {
  const [first = "", ...rest] = text.split("\n");
  const day = first.trimEnd();
  if (!DAY.test(day)) return null;
  const newline = head.indexOf(NEWLINE, start);
  if (newline < 0) return null;
  if (head.toString("utf8", start, newline).trimEnd() !== day) return null;
  const entry = rest.join("\n").replace(/^(?:[ \t]*\r?\n)+/u, "");
  return entry.trim() === "" ? null : { at: newline + 1, text: entry };
}
