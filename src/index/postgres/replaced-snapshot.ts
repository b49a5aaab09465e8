import type { Postgres } from "../../storage/postgres/postgres.ts";
import type { VaultPath } from "../../vault/paths.ts";
import { ReplacedHits } from "../lexical/replaced-hits.ts";
import {
  replacesRow,
  statedIn,
  type ReplacesRow,
  type ReplacingChunk,
} from "../lexical/replaced-lines.ts";
import type { SectionHit, StatedReplacement } from "../search-index.ts";
import type { ChunkReader } from "./chunk-reader.ts";
import { namedFiles } from "./postgres-links.ts";

/** Passages that replace each other form short chains. */
const MOST_ROUNDS = 20;

const NAMING = `
  SELECT DISTINCT t.path AS replaced, f.path, r.file, r.place, r.line, r.target, r.headings, r.value, r.key, c.id, coalesce(c.day, f.updated) AS date
  FROM files t JOIN link_names n ON n.file = t.id
  JOIN replaces r ON r.vault = $1 AND r.key = n.key JOIN files f ON f.id = r.file
  LEFT JOIN chunks c ON c.file = r.file AND c.start <= r.line AND c."end" >= r.line
  WHERE t.vault = $1 AND t.path = ANY ($2) ORDER BY f.path, r.place`;
const TEXTS = `
  SELECT f.path, string_agg(c.text, E'\\n' ORDER BY c.start) AS text
  FROM files f JOIN chunks c ON c.file = f.id WHERE f.vault = $1 AND f.path = ANY ($2) GROUP BY f.path`;

/** What is read for an arrangement. */
export interface SnapshotParts {
  readonly database: Postgres;
  readonly vault: number;
  readonly rows: ChunkReader;
}

/**
 * All that is known of what replaces something in some files, and of what replaces that, read at once: the arrangement of hits asks many small
 * questions. Null when nothing replaces anything there.
 * @param admit chunks as hits of the request, without those that it keeps out
 */
export async function replacedHits(
  { database, vault, rows }: SnapshotParts,
  paths: readonly VaultPath[],
  admit: (ids: readonly number[]) => Promise<SectionHit[]>,
): Promise<ReplacedHits | null> {
  const naming = new Map<VaultPath, ReplacesRow[]>();
  const chunks = new Map<string, Pick<ReplacingChunk, "id" | "date">>();
  let asked = [...new Set(paths)];
  for (let round = 0; asked.length > 0 && round < MOST_ROUNDS; round += 1) {
    for (const path of asked) naming.set(path, []);
    const found = await database.query(NAMING, [vault, asked]);
    for (const row of found) {
      naming.get(String(row["replaced"]))?.push(replacesRow(row));
      const { date } = row;
      if (row["id"] !== null)
        chunks.set(placeOf(Number(row["file"]), Number(row["line"])), {
          id: Number(row["id"]),
          date: typeof date === "string" ? date : null,
        });
    }
    const more = new Set(found.map((row) => String(row["path"])));
    asked = [...more].filter((path) => !naming.has(path));
  }
  const lines = [...naming.values()].flat();
  if (lines.length === 0) return null;
  const named = await namedFiles(database, vault, [...new Set(lines.map(({ key }) => key))]);
  const replaced = [...naming].filter(([, own]) => own.length > 0).map(([path]) => path);
  const texts = new Map(
    (await database.query(TEXTS, [vault, replaced])).map((row) => [
      String(row["path"]),
      String(row["text"]),
    ]),
  );
  const ids = [...new Set([...chunks.values()].map(({ id }) => id))];
  const hits = new Map(
    (await rows.hits(ids.map((id) => ({ id, score: 0, best: { start: 0, end: 0 } })))).map(
      (hit) => [hit.id, hit],
    ),
  );
  const admitted = await admit(ids);
  return new ReplacedHits(
    {
      isEmpty: () => false,
      all: () => lines,
      naming: (path) => naming.get(path) ?? [],
      named: (key) => named.get(key) ?? [],
      text: (path) => texts.get(path) ?? null,
      chunkAt: (file, line) => chunks.get(placeOf(file, line)) ?? null,
    },
    { hits: (wanted) => wanted.flatMap(({ id }) => hits.get(id) ?? []) },
    (wanted) => admitted.filter(({ id }) => wanted.includes(id)),
  );
}

const ALL = `
  SELECT f.path, r.file, r.line, r.target, r.headings, r.value, r.key
  FROM replaces r JOIN files f ON f.id = r.file WHERE r.vault = $1 ORDER BY f.path, r.place`;

/** Every line of a vault that replaces something, by its path and place. */
export async function statedReplacements(
  database: Postgres,
  vault: number,
): Promise<StatedReplacement[]> {
  const lines = (await database.query(ALL, [vault])).map(replacesRow);
  const named = await namedFiles(database, vault, [...new Set(lines.map(({ key }) => key))]);
  return statedIn(lines, (key) => named.get(key) ?? []);
}

function placeOf(file: number, line: number): string {
  return `${file}:${line}`;
}
