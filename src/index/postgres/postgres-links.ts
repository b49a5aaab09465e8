import type { Postgres, Row } from "../../storage/postgres/postgres.ts";
import { LinkReader, type LinkRow } from "../lexical/link-reader.ts";
import { linkKey, type NamedFile } from "../links-in.ts";

const LINK = "SELECT f.path, l.place, l.line, l.kind, l.embed, l.target, l.fragment, l.key";

/** The links of one vault. */
export function postgresLinks(database: Postgres, vault: number): LinkReader {
  const links = async (sql: string, ...values: unknown[]): Promise<LinkRow[]> =>
    (await database.query(sql, [vault, ...values])).map(linkRow);
  return new LinkReader({
    from: async (path) =>
      links(
        `${LINK} FROM files f JOIN links l ON l.file = f.id WHERE f.vault = $1 AND f.path = $2 ORDER BY l.place`,
        path,
      ),
    to: async (path) =>
      links(
        `${LINK} FROM links l JOIN files f ON f.id = l.file WHERE l.vault = $1 AND l.key IN (
           SELECT $3 UNION SELECT n.key FROM files t JOIN link_names n ON n.file = t.id WHERE t.vault = $1 AND t.path = $2)
         ORDER BY f.path, l.place`,
        path,
        linkKey(path),
      ),
    all: async () =>
      links(
        `${LINK} FROM links l JOIN files f ON f.id = l.file WHERE l.vault = $1 AND l.target <> '' ORDER BY f.path, l.place`,
      ),
    isIndexed: async (path) =>
      (await database.one("SELECT 1 FROM files WHERE vault = $1 AND path = $2", [vault, path])) !==
      null,
    linking: async (keys) => {
      const rows = await database.query(
        "SELECT DISTINCT f.path FROM links l JOIN files f ON f.id = l.file WHERE l.vault = $1 AND l.key = ANY ($2) ORDER BY f.path",
        [vault, [...keys]],
      );
      return rows.map((row) => String(row["path"]));
    },
    aliases: async () => {
      const rows = await database.query(
        "SELECT n.key, f.path FROM link_names n JOIN files f ON f.id = n.file WHERE n.vault = $1 AND n.alias ORDER BY f.path, n.key",
        [vault],
      );
      return rows.map((row) => ({ key: String(row["key"]), path: String(row["path"]) }));
    },
    named: async (keys) => namedFiles(database, vault, keys),
  });
}

/** The files that each of these keys may mean, by their path. */
export async function namedFiles(
  database: Postgres,
  vault: number,
  keys: readonly string[],
): Promise<Map<string, NamedFile[]>> {
  const named = new Map<string, NamedFile[]>(keys.map((key) => [key, []]));
  if (keys.length === 0) return named;
  const rows = await database.query(
    "SELECT n.key, f.path, n.alias FROM link_names n JOIN files f ON f.id = n.file WHERE n.vault = $1 AND n.key = ANY ($2) ORDER BY f.path",
    [vault, keys],
  );
  for (const { key, path, alias } of rows)
    named.get(String(key))?.push({ path: String(path), isAlias: alias === true });
  return named;
}

function linkRow({ path, line, kind, embed, target, fragment, key }: Row): LinkRow {
  return {
    from: String(path),
    line: Number(line),
    kind: kind === "wiki" ? "wiki" : "markdown",
    isEmbed: embed === true,
    target: String(target),
    fragment: typeof fragment === "string" ? fragment : null,
    key: String(key),
  };
}
