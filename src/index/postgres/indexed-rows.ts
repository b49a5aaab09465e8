import { fold } from "../../text/words.ts";
import { countLines } from "../../vault/files/lines.ts";
import type { ChunkText } from "../chunk.ts";
import { aliasesOf, fieldsIn, type FileFacts } from "../file-facts.ts";
import type { Property } from "../frontmatter-properties.ts";
import { chunkColumns, type SharedColumns } from "../lexical/file-columns.ts";
import { comparable } from "../lexical/property-value.ts";
import { linkKey, linksIn } from "../links-in.ts";
import { replacesIn } from "../replaces-line.ts";
import type { IndexedFile } from "../search-index.ts";
import { vectorOf } from "./text-vectors.ts";
import type { CountedChunk } from "./vault-counts.ts";

/** The columns of the rows that a file has in each table, as `json_to_recordset` takes them. */
export const ROWS = {
  file: "path text, folded text, updated text, signature text, names text, tags text, title text, facts text, bytes bigint, frontmatter integer, tsv text",
  chunks:
    'start integer, "end" integer, headings text, day text, hash text, meaning text, skip integer, aside text, words text, text text, tsv text',
  properties: "key text, value text, start integer",
  links:
    "place integer, line integer, kind text, embed boolean, target text, fragment text, key text",
  names: "key text, alias boolean",
  replaces: "place integer, line integer, target text, headings text, value text, key text",
} as const;

/** The row of a file. */
export interface FileColumns extends Pick<IndexedFile, "path" | "updated" | "signature"> {
  readonly folded: string;
  readonly names: string;
  readonly tags: string;
  readonly title: string | null;
  readonly facts: string;
  readonly bytes: number;
  /** Lines. */
  readonly frontmatter: number;
  readonly tsv: string;
}

/** What all chunks of a file depend on: when it differs, all of them are written again. */
export function storedFacts({ names, tags, properties }: FileFacts): string {
  return JSON.stringify([names, tags, properties]);
}

export function fileRow(
  { path, text, updated, signature }: IndexedFile,
  facts: FileFacts,
  { names, tags }: SharedColumns,
): FileColumns {
  return {
    path,
    folded: fold(path),
    updated,
    signature,
    names,
    tags,
    title: facts.title,
    facts: storedFacts(facts),
    bytes: text.length,
    frontmatter: countLines(text.slice(0, facts.frontmatter)),
    tsv: vectorOf([{ weight: "A", normalised: names }]),
  };
}

/** The row of a chunk, and what of it is counted. */
export function chunkRow(
  chunk: ChunkText,
  shared: SharedColumns,
  properties: FileFacts["properties"],
): { readonly row: object; readonly counted: CountedChunk } {
  const { headings, heading, words, aside } = chunkColumns(chunk, properties);
  const tsv = vectorOf([
    { weight: "B", normalised: shared.path },
    { weight: "A", normalised: shared.names },
    { weight: "A", normalised: `${heading} ${shared.tags}` },
    { weight: "C", normalised: aside },
    { weight: "D", normalised: words },
  ]);
  const { start, end, day, hash, meaning, skip, text } = chunk;
  return {
    row: { start, end, day, hash, meaning, skip, text, headings, words, aside, tsv },
    counted: { ...shared, heading, words, aside },
  };
}

/** Keys of the whole file have no `start`. */
export function propertyRows(
  { path }: IndexedFile,
  facts: FileFacts,
  chunks: readonly ChunkText[],
): object[] {
  const property = ({ key, value }: Property, start: number | null): object => ({
    key: fold(key),
    value: comparable(fold(key), value),
    start,
  });
  return [
    ...facts.properties.map((each) => property(each, null)),
    ...facts.tags.map((value) => property({ key: "tag", value }, null)),
    ...chunks.flatMap(({ start, text, skip }) =>
      fieldsIn(path, text.slice(skip)).map((each) => property(each, start)),
    ),
  ];
}

export function linkRows({ text }: IndexedFile): object[] {
  return linksIn(text).map(({ line, kind, isEmbed: embed, target, fragment }, place) => {
    const key = linkKey(target);
    return { place, line, kind, embed, target, fragment, key };
  });
}

export function nameRows({ path }: IndexedFile, facts: FileFacts): object[] {
  return [
    { key: linkKey(path), alias: false },
    ...aliasesOf(facts).map((alias) => ({ key: linkKey(alias), alias: true })),
  ];
}

export function replacesRows({ path, text }: IndexedFile): object[] {
  return replacesIn(path, text).map(({ line, target, headings, value }, place) => {
    const key = linkKey(target === "" ? path : target);
    return { place, line, target, headings: headings.join("\n"), value, key };
  });
}
