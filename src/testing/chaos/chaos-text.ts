/** The texts of the chaos test: documents that prove to be whole, and journal lines that can be told apart. */
import { crc32 } from "node:zlib";

import { splitFrontmatter } from "../../vault/files/frontmatter.ts";

/** Punctuation: a large text of few words, so that comparing two indexes stays quick. */
const FILLER = "·";
const WIDE = 1000;

/** How much a document holds: lines, and how wide they are. */
export interface DocumentSize {
  readonly lines: number;
  readonly width: number;
}

/** A little more than a megabyte: the path for large files. */
export const LARGE: DocumentSize = { lines: 560, width: WIDE };

/** A document whose first line tells its version, and a sum over all of it. */
export function documentText(id: string, version: number, { lines, width }: DocumentSize): string {
  const body = `\n${`${FILLER.repeat(width)}\n`.repeat(lines)}mot${version} ${id}\n`;
  return `${documentHead(id, version, body)}${body}`;
}

/** The first line for a body. Versions are equally long, so that two documents can be. */
function documentHead(id: string, version: number, body: string): string {
  const name = `${id} version ${String(version).padStart(8, "0")}`;
  return `# Document ${name} sum ${hex(`${name}\n${body}`)}\n`;
}

/** The first line of a whole document, and the one that makes it another version. */
export function nextHead(text: string, version: number): { old: string; next: string } {
  const [, old = "", id = ""] = /^(# Document (\S+) .*\n)/u.exec(text) ?? [];
  return { old, next: documentHead(id, version, text.slice(old.length)) };
}

/** The person's text: no byte-order mark, no frontmatter, no empty lines before it, `\n` endings. */
export function personText(content: string): string {
  return splitFrontmatter(content).body.replaceAll("\r\n", "\n").replace(/^\n+/u, "");
}

/** What a document says it is; null for a text that is no document. */
export function readDocument(
  text: string,
): { readonly id: string; readonly version: number; readonly isWhole: boolean } | null {
  const match = /^# Document (\S+) version (\d+) sum [\da-f]+\n/u.exec(text);
  if (match === null) return null;
  const [head, id = "", digits = ""] = match;
  const version = Number(digits);
  return { id, version, isWhole: documentHead(id, version, text.slice(head.length)) === head };
}

/** A line of a journal. `writer` wrote it as its line `number`. */
export function journalLine(writer: string, number: number): string {
  const name = `${writer}.${number}`;
  return `- ligne ${name} ${hex(name)}`;
}

export interface JournalText {
  /** Names of the lines, in order: `writer.number`. */
  readonly lines: readonly string[];
  /** What belongs to no journal: half a line, two lines in one. */
  readonly strange: readonly string[];
}

export function readJournal(text: string): JournalText {
  const lines: string[] = [];
  const strange: string[] = [];
  for (const line of text.split("\n")) {
    if (line === "" || line === "# Journal" || /^·+$/u.test(line)) continue;
    const [, name = "", sum] = /^- ligne (\S+) ([\da-f]+)$/u.exec(line) ?? [];
    if (name !== "" && sum === hex(name)) lines.push(name);
    else strange.push(line.slice(0, 100));
  }
  return { lines, strange };
}

/** A new journal; a large one is filled up to more than a megabyte. */
export function emptyJournal({ lines, width }: DocumentSize): string {
  return `# Journal\n\n${`${FILLER.repeat(width)}\n`.repeat(lines)}`;
}

function hex(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}
