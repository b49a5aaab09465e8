import type { Postgres, Row, Statement } from "../../storage/postgres/postgres.ts";
import type { VaultPath } from "../../vault/paths.ts";
import { chunksOf } from "../chunk.ts";
import { factsOf } from "../file-facts.ts";
import { sharedColumns } from "../lexical/file-columns.ts";
import { stemsOf } from "../lexical/word-forms.ts";
import type { IndexedFile } from "../search-index.ts";
import {
  chunkRow,
  fileRow,
  linkRows,
  nameRows,
  propertyRows,
  replacesRows,
  ROWS,
} from "./indexed-rows.ts";
import { wordsOf } from "./vault-counts.ts";

/** What of an index is not as a new one would be. */
export interface IndexDamage {
  /** Files whose rows are missing or differ: of themselves, their sections, properties, or what they replace. */
  readonly files: readonly VaultPath[];
  /** Files whose links, or names that links may use, differ. */
  readonly links: readonly VaultPath[];
  /** Files that the vault does not have, or not to be searched. */
  readonly strays: readonly VaultPath[];
  /** Words that are counted wrongly, or whose stem is missing or another. */
  readonly words: readonly string[];
  /** Whether the totals of files, sections and bytes are wrong. */
  readonly hasWrongTotals: boolean;
}

const OF_FILE = "FROM files f WHERE f.vault = $1 AND f.path = $2";
const OF_CHUNKS = "FROM files f JOIN chunks c ON c.file = f.id WHERE f.vault = $1 AND f.path = $2";
const of = (table: string): string =>
  `FROM files f JOIN ${table} x ON x.file = f.id WHERE f.vault = $1 AND f.path = $2`;
const CHUNK =
  'x.start, x."end", x.headings, x.day, x.hash, x.meaning, x.skip, x.aside, x.words, x.text';
const FILE =
  "x.path, x.folded, x.updated, x.signature, x.names, x.tags, x.title, x.facts, x.bytes, x.frontmatter";
const LINK = "x.place, x.line, x.kind, x.embed, x.target, x.fragment, x.key";
const REPLACED = "x.place, x.line, x.target, x.headings, x.value, x.key";

/** For each kind of rows: those that are there, and those of a new index. */
const COMPARED: Readonly<Record<keyof typeof ROWS, readonly [present: string, fresh: string]>> = {
  file: [
    `SELECT ${FILE.replaceAll("x.", "f.")}, f.tsv ${OF_FILE}`,
    `SELECT ${FILE}, x.tsv::tsvector`,
  ],
  chunks: [
    `SELECT ${CHUNK.replaceAll("x.", "c.")}, c.tsv, c.vault, c.path ${OF_CHUNKS}`,
    `SELECT ${CHUNK}, x.tsv::tsvector, $1::integer, $2::text`,
  ],
  properties: [
    `SELECT x.key, x.value, (SELECT c.start FROM chunks c WHERE c.id = x.chunk), x.chunk = 0, x.vault ${of("properties")}`,
    "SELECT DISTINCT x.key, x.value, x.start, x.start IS NULL, $1::integer",
  ],
  links: [`SELECT ${LINK}, x.vault ${of("links")}`, `SELECT ${LINK}, $1::integer`],
  names: [
    `SELECT x.key, x.alias, x.vault ${of("link_names")}`,
    "SELECT DISTINCT x.key, x.alias, $1::integer",
  ],
  replaces: [`SELECT ${REPLACED}, x.vault ${of("replaces")}`, `SELECT ${REPLACED}, $1::integer`],
};
const KINDS = ["file", "chunks", "properties", "replaces", "links", "names"] as const;
const OF_LINKS: ReadonlySet<string> = new Set(["links", "names"]);

/** Whether the rows of one kind that a file has differ from those that it must have. */
function comparison(
  vault: number,
  path: VaultPath,
  kind: (typeof KINDS)[number],
  rows: readonly object[],
): Statement {
  const [present, fresh] = COMPARED[kind];
  const wanted = `${fresh} FROM json_to_recordset($3) AS x (${ROWS[kind]})`;
  return [
    `SELECT EXISTS ((${present} EXCEPT ALL ${wanted}) UNION ALL (${wanted} EXCEPT ALL ${present})) AS differs`,
    [vault, path, JSON.stringify(rows)],
  ];
}

/**
 * Compares the index of a vault, row by row, with what a new one would hold; changes nothing. To be called in a transaction that sees one
 * moment.
 * @param files all that belong into the index
 * @param onFile called after each file
 */
export async function checkIndex(
  database: Postgres,
  vault: number,
  files: AsyncIterable<IndexedFile>,
  onFile: () => void = () => {},
): Promise<IndexDamage> {
  const differing: VaultPath[] = [];
  const links: VaultPath[] = [];
  const seen = new Set<VaultPath>();
  const words = new Map<string, number>();
  const totals = { files: 0, chunks: 0, bytes: 0 };
  for await (const file of files) {
    const { path } = file;
    const facts = factsOf(path, file.text);
    const shared = sharedColumns(path, facts);
    const chunks = [...chunksOf(file, facts)];
    const rows = chunks.map((chunk) => chunkRow(chunk, shared, facts.properties));
    for (const { counted } of rows) {
      totals.bytes += counted.words.length;
      for (const word of wordsOf(counted)) words.set(word, (words.get(word) ?? 0) + 1);
    }
    totals.files += 1;
    totals.chunks += rows.length;
    seen.add(path);
    const wanted = {
      file: [fileRow(file, facts, shared)],
      chunks: rows.map(({ row }) => row),
      properties: propertyRows(file, facts, chunks),
      links: linkRows(file),
      names: nameRows(file, facts),
      replaces: replacesRows(file),
    };
    const answers = await database.all(
      KINDS.map((kind) => comparison(vault, path, kind, wanted[kind])),
    );
    const wrong = KINDS.filter((_, at) => answers[at]?.[0]?.["differs"] === true);
    if (wrong.some((kind) => !OF_LINKS.has(kind))) differing.push(path);
    else if (wrong.length > 0) links.push(path);
    onFile();
  }
  const [known = [], counted = [], [counts] = []] = await database.all([
    ["SELECT path FROM files WHERE vault = $1 ORDER BY path", [vault]],
    [
      "SELECT w.word, w.chunks, s.fr, s.en FROM word_counts w LEFT JOIN stems s ON s.word = w.word WHERE w.vault = $1",
      [vault],
    ],
    ["SELECT files, chunks, bytes FROM index_counts WHERE vault = $1", [vault]],
  ]);
  return {
    files: differing,
    links,
    strays: known.map((row) => String(row["path"])).filter((path) => !seen.has(path)),
    words: wrongWords(words, counted),
    hasWrongTotals: Object.entries(totals).some(([key, sum]) => Number(counts?.[key] ?? 0) !== sum),
  };
}

/** @param counted the rows of the counts, with the stems of their words */
function wrongWords(fresh: ReadonlyMap<string, number>, counted: readonly Row[]): string[] {
  const left = new Set(fresh.keys());
  const wrong = counted
    .filter((row) => {
      const word = String(row["word"]);
      left.delete(word);
      const stems = stemsOf(word);
      const isCounted = Number(row["chunks"]) === fresh.get(word);
      return !isCounted || row["fr"] !== stems.fr || row["en"] !== stems.en;
    })
    .map((row) => String(row["word"]));
  return [...wrong, ...left].toSorted();
}
