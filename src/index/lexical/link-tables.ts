import type { VaultPath } from "../../vault/paths.ts";
import { aliasesOf, type FileFacts } from "../file-facts.ts";
import { linkKey, linksIn } from "../links-in.ts";
import type { Statements } from "./database.ts";
import { LinkReader, type LinkRow } from "./link-reader.ts";

/** Writes the links of one file after another, within a transaction of its caller. */
export class LinkWriter {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  remove(file: number): void {
    this.#statements.get("DELETE FROM links WHERE file = ?").run(file);
    this.#statements.get("DELETE FROM link_names WHERE file = ?").run(file);
  }

  /** @param isKnown whether the file has rows that may differ */
  replace(file: number, path: VaultPath, text: string, facts: FileFacts, isKnown: boolean): void {
    if (isKnown) this.remove(file);
    const name = this.#statements.get(
      "INSERT OR IGNORE INTO link_names (key, alias, file) VALUES (?, ?, ?)",
    );
    name.run(linkKey(path), 0, file);
    for (const alias of aliasesOf(facts)) name.run(linkKey(alias), 1, file);
    const insert = this.#statements.get(
      "INSERT INTO links (file, place, line, kind, embed, target, fragment, key) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    );
    for (const [place, link] of linksIn(text).entries()) {
      const { line, kind, isEmbed, target, fragment } = link;
      insert.run(file, place, line, kind, isEmbed ? 1 : 0, target, fragment, linkKey(target));
    }
  }
}

const LINK = "SELECT f.path, l.line, l.kind, l.embed, l.target, l.fragment, l.key";

/** Reads the links that {@link LinkWriter} wrote. */
export function sqliteLinks(statements: Statements): LinkReader {
  const links = (sql: string, ...values: string[]): LinkRow[] =>
    statements
      .get(sql)
      .all(...values)
      .map(({ path, line, kind, embed, target, fragment, key }) => ({
        from: String(path),
        line: Number(line),
        kind: kind === "wiki" ? "wiki" : "markdown",
        isEmbed: Number(embed) === 1,
        target: String(target),
        fragment: typeof fragment === "string" ? fragment : null,
        key: String(key),
      }));
  return new LinkReader({
    from: async (path) =>
      links(
        `${LINK} FROM files f JOIN links l ON l.file = f.id WHERE f.path = ? ORDER BY l.place`,
        path,
      ),
    to: async (path) =>
      links(
        `WITH keys (key) AS (SELECT ?2 UNION SELECT n.key FROM files t JOIN link_names n ON n.file = t.id WHERE t.path = ?1)
         ${LINK} FROM keys JOIN links l ON l.key = keys.key JOIN files f ON f.id = l.file ORDER BY f.path, l.place`,
        path,
        linkKey(path),
      ),
    all: async () =>
      links(
        `${LINK} FROM links l JOIN files f ON f.id = l.file WHERE l.target <> '' ORDER BY f.path, l.place`,
      ),
    isIndexed: async (path) =>
      statements.get("SELECT 1 FROM files WHERE path = ?").get(path) !== undefined,
    linking: async (keys) =>
      statements
        .get(
          "SELECT DISTINCT f.path FROM json_each(?) k JOIN links l ON l.key = k.value JOIN files f ON f.id = l.file ORDER BY f.path",
        )
        .all(JSON.stringify([...keys]))
        .map((row) => String(row["path"])),
    aliases: async () =>
      statements
        .get(
          "SELECT n.key, f.path FROM link_names n JOIN files f ON f.id = n.file WHERE n.alias = 1 ORDER BY f.path",
        )
        .all()
        .map((row) => ({ key: String(row["key"]), path: String(row["path"]) })),
    named: async (keys) => {
      const files = statements.get(
        "SELECT f.path, n.alias FROM link_names n JOIN files f ON f.id = n.file WHERE n.key = ? ORDER BY f.path",
      );
      return new Map(
        keys.map((key) => [
          key,
          files
            .all(key)
            .map((row) => ({ path: String(row["path"]), isAlias: Number(row["alias"]) === 1 })),
        ]),
      );
    },
  });
}
