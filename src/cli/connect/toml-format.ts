import { isDeepStrictEqual } from "node:util";

import { parse, stringify, TomlError } from "smol-toml";

import { CannotMerge, lineEnding, type ConfigFormat, type Placement } from "./merge.ts";
import { isSettings, type Settings } from "./settings.ts";

/** TOML. A server is a table of its own, with those below it: `[mcp_servers.coffre]`, `[mcp_servers.coffre.env]`. */
export const tomlFormat: ConfigFormat = {
  render: ({ servers, name, entry }) => stringify({ [servers]: { [name]: entry } }),
  parse: parseToml,
  place: (text, placement) => {
    const table = tomlFormat.render(placement).replaceAll("\n", lineEnding(text));
    const [first, ...others] = serverBlocks(text, placement);
    if (first === undefined) return appended(text, table);
    const rest = others.reduceRight((left, block) => replaced(left, block, ""), text);
    return replaced(rest, first, table);
  },
};

function read(text: string): Settings {
  // A copy, since the parser's own tables are not equal to plain objects.
  return structuredClone(parse(text, { integersAsBigInt: "asNeeded" }));
}

function parseToml(text: string): Settings {
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [, reason = ""] = /^(?:Invalid TOML document: )?(.*)/u.exec(error.message) ?? [];
    throw new CannotMerge(`line ${error.line} is not valid TOML (${reason})`);
  }
}

/** A stretch of a text. */
interface Block {
  readonly start: number;
  readonly end: number;
}

function replaced(text: string, { start, end }: Block, by: string): string {
  const isLast = end === text.length && !text.endsWith("\n");
  return text.slice(0, start) + (isLast ? by.trimEnd() : by) + text.slice(end);
}

function appended(text: string, table: string): string {
  const end = lineEnding(text);
  return text.endsWith("\n") ? text + end + table : text + end + end + table.trimEnd();
}

/** The tables of a server, each without the comments and empty lines after it: those belong to what follows. */
function serverBlocks(text: string, { servers, name }: Placement): Block[] {
  const headers = headersOf(text);
  return headers.flatMap(({ start, path: [first, second] }, at) => {
    if (first !== servers || second !== name) return [];
    const lines = linesOf(text.slice(start, headers[at + 1]?.start));
    while (isIdle(lines)) lines.pop();
    return { start, end: start + lines.join("").length };
  });
}

/** Whether the lines say the same without the last. */
function isIdle(lines: readonly string[]): boolean {
  if (!/^\s*(?:#|$)/u.test(lines.at(-1) ?? "")) return false;
  try {
    return isDeepStrictEqual(read(lines.join("")), read(lines.slice(0, -1).join("")));
  } catch {
    // A text over several lines ends here: it only looks like a comment.
    return false;
  }
}

interface Header {
  readonly start: number;
  readonly path: readonly string[];
}

/** The lines that begin a table, as opposed to those inside a list or text over several lines. */
function headersOf(text: string): Header[] {
  const headers: Header[] = [];
  let start = 0;
  for (const line of linesOf(text)) {
    // What stands before it is complete, so it begins something.
    if (/^[ \t]*\[/u.test(line) && isComplete(text.slice(0, start))) {
      headers.push({ start, path: keysOf(read(line)) });
    }
    start += line.length;
  }
  return headers;
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/u);
}

function isComplete(text: string): boolean {
  try {
    read(text);
    return true;
  } catch {
    return false;
  }
}

/** The keys that a header alone defines, from the outside in. */
function keysOf(table: unknown): string[] {
  const inner: unknown = Array.isArray(table) ? table[0] : table;
  if (!isSettings(inner)) return [];
  return Object.entries(inner).flatMap(([key, value]) => [key, ...keysOf(value)]);
}
