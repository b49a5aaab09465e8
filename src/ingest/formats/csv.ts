import { converted, type Converted } from "../convert/converted.ts";
import { decodeText } from "../convert/file-kind.ts";
import { fenced, plainCell, tableMarkdown } from "../convert/markdown-table.ts";
import type { ConversionJob } from "./formats.ts";

/** A larger table is easier to read, and to search, as it came. */
const MAX_CELLS = 5000;
const DELIMITERS = [",", ";", "\t", "|"] as const;

/** Comma-separated values, whatever separates them: a table, or a fenced block when it is large or has one column. */
export function convertCsv({ bytes, kind }: ConversionJob): Converted {
  const text = decodeText(bytes, kind.encoding);
  const rows = parseCsv(text, delimiterOf(text));
  const width = Math.max(0, ...rows.map((row) => row.length));
  const isTable = rows.length * width <= MAX_CELLS && width > 1;
  if (!isTable) return converted(null, fenced(text, "csv"));
  return converted(null, tableMarkdown(rows.map((row) => row.map(plainCell))));
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

/** Rows of cells. Quotes hold delimiters and line breaks; two of them are one. */
export function parseCsv(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const { value, end } = cellAt(text, at, delimiter);
    row.push(value);
    at = end;
    if (text[at] === delimiter) {
      at += 1;
      if (at === text.length) row.push("");
      continue;
    }
    at += 1;
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

function cellAt(text: string, start: number, delimiter: string): { value: string; end: number } {
  if (text[start] !== '"') {
    const next = [text.indexOf(delimiter, start), text.indexOf("\n", start)].filter(
      (at) => at >= 0,
    );
    const end = Math.min(text.length, ...next);
    return { value: text.slice(start, end), end };
  }
  let value = "";
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    // An unclosed quote: the rest of the text is the cell.
    if (quote < 0) return { value: value + text.slice(at), end: text.length };
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { value, end: cellEnd(text, quote + 1, delimiter) };
    value += '"';
    at = quote + 2;
  }
}

/** Text between a closing quote and the delimiter is dropped. */
function cellEnd(text: string, from: number, delimiter: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === delimiter || text[at] === "\n") return at;
  }
  return text.length;
}
