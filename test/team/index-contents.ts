import { runSql } from "./run-sql.ts";

/** What the index of a vault holds, without the ids, which depend on the order of things. */
export async function indexContents(url: string, name: string): Promise<unknown[]> {
  const of = `(SELECT id FROM vaults WHERE name = '${name}')`;
  const tables = [
    `SELECT path, updated, signature, names, tags, title, facts, bytes, frontmatter, tsv::text FROM files WHERE vault = ${of} ORDER BY path`,
    `SELECT path, start, "end", headings, day, hash, meaning, skip, aside, words, text, tsv::text FROM chunks WHERE vault = ${of} ORDER BY path, start`,
    `SELECT f.path, p.key, p.value, c.start FROM properties p JOIN files f ON f.id = p.file LEFT JOIN chunks c ON c.id = p.chunk WHERE p.vault = ${of} ORDER BY 1, 2, 3, 4`,
    `SELECT f.path, l.place, l.line, l.kind, l.embed, l.target, l.fragment, l.key FROM links l JOIN files f ON f.id = l.file WHERE l.vault = ${of} ORDER BY 1, 2`,
    `SELECT f.path, n.key, n.alias FROM link_names n JOIN files f ON f.id = n.file WHERE n.vault = ${of} ORDER BY 1, 2, 3`,
    `SELECT f.path, r.place, r.line, r.target, r.headings, r.value, r.key FROM replaces r JOIN files f ON f.id = r.file WHERE r.vault = ${of} ORDER BY 1, 2`,
    `SELECT word, chunks FROM word_counts WHERE vault = ${of} ORDER BY word`,
    `SELECT files, chunks, bytes FROM index_counts WHERE vault = ${of}`,
  ];
  return Promise.all(tables.map(async (sql) => runSql(sql, url)));
}
