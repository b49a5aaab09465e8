import type { Postgres } from "../../storage/postgres/postgres.ts";
import { DAY_LENGTH } from "../../text/local-time.ts";
import type { Filter, Query } from "../query.ts";
import type { Scope } from "../scope.ts";
import type { SearchBounds } from "../search-index.ts";
import { globRegex } from "./glob-regex.ts";
import { eitherOf, phraseOf } from "./text-vectors.ts";

/** A part of a statement with the values it needs. */
export class Conditions {
  readonly #parts: readonly ((parameter: (value: unknown) => string) => string)[];

  constructor(parts: readonly ((parameter: (value: unknown) => string) => string)[] = []) {
    this.#parts = parts;
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  and(others: Conditions): Conditions {
    return new Conditions([...this.#parts, ...others.#parts]);
  }

  /**
   * To be appended to a `WHERE` on chunks that are called `c`.
   * @param values gets the values, after those that are there
   */
  sql(values: unknown[]): string {
    const parameter = (value: unknown): string => `$${values.push(value)}`;
    return this.#parts.map((part) => ` AND ${part(parameter)}`).join("");
  }
}

/** Which chunks a search may answer with. Folders are ranges of paths; globs are regular expressions, and only unusual ones lists of files. */
export async function boundsOf(
  { scope, from, to }: SearchBounds,
  database: Postgres,
  vault: number,
): Promise<Conditions> {
  const parts: ((parameter: (value: unknown) => string) => string)[] = [];
  if (scope !== null) {
    const globs = await Promise.all(scope.map(async (each) => globOf(each, database, vault)));
    parts.push((parameter) => {
      const any = scope.map((each, at) => scopeCondition(each, globs[at] ?? null, parameter));
      return any.length === 0 ? "false" : `(${any.join(" OR ")})`;
    });
  }
  const day = `substr(coalesce(c.day, (SELECT f.updated FROM files f WHERE f.id = c.file)), 1, ${DAY_LENGTH})`;
  if (from !== null) parts.push((parameter) => `${day} >= ${parameter(from)}`);
  if (to !== null) parts.push((parameter) => `${day} <= ${parameter(to)}`);
  return new Conditions(parts);
}

/** What a glob matches: paths by a regular expression, or the files of a glob that is none; null for a folder. */
type Glob = { readonly regex: string } | { readonly files: readonly number[] } | null;

async function globOf(
  { start, matches, pattern }: Scope,
  database: Postgres,
  vault: number,
): Promise<Glob> {
  if (matches === null) return null;
  const regex = pattern === undefined ? null : globRegex(pattern);
  if (regex !== null) return { regex };
  const rows = await database.query(
    "SELECT id, path FROM files WHERE vault = $1 AND path >= $2 AND path < $3",
    [vault, start, `${start}\u{10ffff}`],
  );
  const found = rows.filter((row) => matches(String(row["path"])));
  return { files: found.map((row) => Number(row["id"])) };
}

function scopeCondition(
  { start }: Scope,
  glob: Glob,
  parameter: (value: unknown) => string,
): string {
  if (glob !== null && "files" in glob) return `c.file = ANY (${parameter(glob.files)}::bigint[])`;
  if (glob !== null)
    return `(c.path >= ${parameter(start)} AND c.path < ${parameter(`${start}\u{10ffff}`)} AND c.path ~ ${parameter(glob.regex)})`;
  if (start === "") return "true";
  const at = parameter(start);
  return `(c.path = ${at} OR (c.path >= ${parameter(`${start}/`)} AND c.path < ${parameter(`${start}0`)}))`;
}

/** Every filter of a query must hold, and nothing that is excluded may stand there. */
export function conditionsOn(
  { filters, excluded }: Pick<Query, "filters" | "excluded">,
  vault: number,
): Conditions {
  const held = filters.map((filter) => (parameter: (value: unknown) => string) => {
    const condition = conditionOf(filter, vault, parameter);
    return filter.isExcluded ? `NOT ${condition}` : condition;
  });
  const match = matchOf(excluded);
  return new Conditions(
    match === null ? held : [...held, (parameter) => `NOT (c.tsv @@ ${parameter(match)}::tsquery)`],
  );
}

/** What stands for a whole file, as its beginning does in a list: nothing excluded may stand anywhere in the file. */
export function exclusionOfFiles(excluded: Query["excluded"], vault: number): Conditions {
  const match = matchOf(excluded);
  if (match === null) return new Conditions();
  return new Conditions([
    (parameter) =>
      `NOT EXISTS (SELECT 1 FROM chunks x WHERE x.vault = ${vault} AND x.file = c.file AND x.tsv @@ ${parameter(match)}::tsquery)`,
  ]);
}

/** What people do not read, which has the weight C, excludes nothing. */
function matchOf(excluded: Query["excluded"]): string | null {
  return eitherOf(excluded.map((words) => phraseOf(words, ":ABD")));
}

function conditionOf(
  { key, value }: Filter,
  vault: number,
  parameter: (value: unknown) => string,
): string {
  const wanted = parameter(value);
  if (key === "path")
    return `(c.file IN (SELECT id FROM files WHERE vault = ${vault} AND strpos(folded, ${wanted}) > 0))`;
  // A tag covers those below it (`work` covers `work/clients`); other values are compared by whole words.
  const matches =
    key === "tag"
      ? `(value = ${wanted} OR starts_with(value, ${wanted} || '/'))`
      : `strpos(' ' || value || ' ', ' ' || ${wanted} || ' ') > 0`;
  const having = `FROM properties WHERE vault = ${vault} AND key = ${parameter(key)} AND ${matches}`;
  return `(c.file IN (SELECT file ${having} AND chunk = 0) OR c.id IN (SELECT chunk ${having} AND chunk > 0))`;
}
