import { converted, type Converted } from "../convert/converted.ts";
import { decodeText } from "../convert/file-kind.ts";
import { fenced, plainTable } from "../convert/markdown-table.ts";
import type { ConversionJob } from "./formats.ts";

const DELIMITERS = [",", ";", "\t", "|"] as const;

/** Comma-separated values, whatever separates them: a table, or a fenced block when it is large. */
export function convertCsv({ bytes, kind }: ConversionJob): Converted {
  const text = decodeText(bytes, kind.encoding);
  const rows = parseCsv(text, delimiterOf(text));
  const table = plainTable(rows);
  return converted(null, table || fenced(text, "csv"));
}

/** The one that cuts the first lines into the same number of parts, the most of them. */
function delimiterOf(text: string): string {
  const sample = text.split("\n", 20).filter((line) => line !== "");
  const score = (delimiter: string): number => {
    const counts = sample.map((line) => parseCsv(line, delimiter)[0]?.length ?? 1);
    return Math.min(...counts) === Math.max(...counts) ? Math.min(...counts) : 1.5;
  };
  const [best = ","] = DELIMITERS.toSorted((a, b) => score(b) - score(a));
  return best;
}

/**
 * Rows of cells, without empty lines. Quotes hold delimiters and line breaks; two of them are one. A quote that is not closed holds the rest
 * of the text, and what stands between a closing quote and the delimiter is dropped.
 */
export function parseCsv(text: string, delimiter: string): string[][] {
  // No delimiter has a meaning of its own between brackets.
  const plain = `[^${delimiter}\\n]*`;
  const cell = new RegExp(`(?:"([^"]*(?:""[^"]*)*)"?${plain}|(${plain}))(.?)`, "gsuy");
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, unquoted = "", end] of text.matchAll(cell)) {
    row.push(quoted?.replaceAll('""', '"') ?? unquoted);
    if (end === delimiter) continue;
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  }
  return rows;
}
