import { z } from "zod";

import { fold } from "../../text/words.ts";
import type { FilterCompletion } from "../search-index.ts";
import type { Statements } from "./database.ts";
import { pathCondition } from "./property-filter.ts";
import { comparable } from "./property-value.ts";

/** Keys that every vault has. */
const FIXED_KEYS = ["tag", "path"];
const TYPED = /^(-?)(?:"([^"]+)(?:"(?=:)|$)|(\p{L}[\p{L}\p{N}_.-]*))(?::(?:"([^"]*)|([^\s"]*)))?$/u;
/** Any other key stands in quotes in a query. */
const PLAIN_KEY = /^\p{L}[\p{L}\p{N}_-]*$/u;

/** What `file-writer.ts` stores of a file: names, tags, properties. */
const Facts = z.tuple([
  z.array(z.string()),
  z.array(z.string()),
  z.array(z.object({ key: z.string(), value: z.string() })),
]);

/** What an engine knows of keys and values. */
export interface PropertyRows {
  /** Keys that begin so, those of most files first. */
  keys(begun: string): Promise<{ readonly key: string; readonly files: number }[]>;
  /** Values of a key with a word that begins so, those of most files first, each with the facts of one file that has it. */
  values(
    key: string,
    begun: string,
    most: number,
  ): Promise<{ readonly value: string; readonly files: number; readonly facts: string | null }[]>;
  /** The paths with these letters, in any case, with accents or without; all of them for none. */
  paths(folded: string): Promise<string[]>;
}

/**
 * Filters that the end of a query may become, those of most files first: keys that begin with it, or values of its key.
 * @param typed what stands after the last space of the query that is not within quotes: `sta`, `tag:wo`, `-project:"Istanbul b`
 */
export async function completionsOf(
  typed: string,
  most: number,
  rows: PropertyRows,
): Promise<FilterCompletion[]> {
  const match = TYPED.exec(typed.normalize("NFC"));
  if (match === null) return [];
  const [, minus = "", quotedKey, plainKey, quoted, bare] = match;
  const written = (quotedKey ?? plainKey ?? "").trim();
  const value = quoted ?? bare;
  const key = fold(written);
  if (value === undefined) return keysLike(minus, most, key, await rows.keys(key));
  if (key === "path") return foldersLike(value, minus, most, await rows.paths(fold(value)));
  const wanted = key === "tags" ? "tag" : key;
  const found = await rows.values(wanted, begunIn(wanted, value.replace(/^#/u, "")), most);
  return found.map((row) => ({
    text: `${minus}${asKey(written)}:${asValue(writtenIn(row.facts, wanted, row.value))}`,
    files: row.files,
  }));
}

function keysLike(
  minus: string,
  most: number,
  key: string,
  found: readonly { readonly key: string; readonly files: number }[],
): FilterCompletion[] {
  const fixed = FIXED_KEYS.filter((each) => each.startsWith(key));
  const filesOf = (each: string): number => found.find((row) => row.key === each)?.files ?? 0;
  // `tags` is the key of the frontmatter that `tag` stands for.
  const own = found.filter(
    (row) => row.key !== "tags" && !fixed.includes(row.key) && !row.key.includes('"'),
  );
  const all = [...fixed.map((each) => ({ key: each, files: filesOf(each) })), ...own];
  return all
    .slice(0, most)
    .map((row) => ({ text: `${minus}${asKey(row.key)}:`, files: row.files }));
}

/** What is typed of a value, as values are stored; nothing when it is only a bracket so far. */
function begunIn(key: string, typed: string): string {
  const begun = comparable(key, typed);
  return /[\p{L}\p{N}]/u.test(begun) ? begun : "";
}

/** Values are stored folded: a person wants to see their accents. */
function writtenIn(stored: string | null, key: string, value: string): string {
  const [, tags, properties] = Facts.parse(JSON.parse(stored ?? "[[],[],[]]"));
  const own = properties.filter((each) => fold(each.key) === key).map((each) => each.value);
  return (
    [...(key === "tag" ? tags : []), ...own].find((each) => comparable(key, each) === value) ??
    value
  );
}

/** Folders with files in them, the nearest to the root first. */
function foldersLike(
  value: string,
  minus: string,
  most: number,
  paths: readonly string[],
): FilterCompletion[] {
  const wanted = fold(value);
  const counts = new Map<string, number>();
  for (const path of paths) {
    const parts = path.split("/").slice(0, -1);
    for (const at of parts.keys()) {
      const folder = `${parts.slice(0, at + 1).join("/")}/`;
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  const depth = (folder: string): number => folder.split("/").length;
  return [...counts]
    .filter(([folder]) => fold(folder).includes(wanted))
    .toSorted(([a, many], [b, others]) => depth(a) - depth(b) || others - many || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([folder, files]) => ({ text: `${minus}path:${asValue(folder)}`, files }));
}

function asKey(key: string): string {
  return PLAIN_KEY.test(key) ? key : `"${key}"`;
}

/** In quotes when it has spaces, as the query wants it. */
function asValue(text: string): string {
  const plain = text.replaceAll('"', "");
  return /\s/u.test(plain) ? `"${plain}"` : plain;
}

const KEYS = `
  SELECT key, count(DISTINCT file) AS files FROM properties WHERE key >= ?1 AND key < ?1 || char(1114111)
  GROUP BY key ORDER BY files DESC, key`;
/** With one of the files that have each, to read from it how the value is written. */
const VALUES = `
  SELECT value, count(DISTINCT file) AS files, min(file) FILTER (WHERE chunk = 0) AS file FROM properties
  WHERE key = ?1 AND (substr(value, 1, length(?2)) = ?2 OR instr(value, ' ' || ?2) > 0)
  GROUP BY value ORDER BY files DESC, value LIMIT ?3`;
const FACTS = "SELECT facts FROM files WHERE id = ?";

/** The keys and values in the tables of SQLite. */
export function sqliteProperties(statements: Statements): PropertyRows {
  const factsOf = (file: unknown): string | null =>
    typeof file === "number" ? String(statements.get(FACTS).get(file)?.["facts"]) : null;
  return {
    keys: async (begun) =>
      statements
        .get(KEYS)
        .all(begun)
        .map((row) => ({ key: String(row["key"]), files: Number(row["files"]) })),
    values: async (key, begun, most) =>
      statements
        .get(VALUES)
        .all(key, begun, most)
        .map(({ value, files, file }) => ({
          value: String(value),
          files: Number(files),
          facts: factsOf(file),
        })),
    paths: async (folded) =>
      statements
        .get(`SELECT path FROM files WHERE ${folded === "" ? "true" : pathCondition(folded)}`)
        .all()
        .map((row) => String(row["path"])),
  };
}
