import type { Scope } from "../scope.ts";
import { CHUNKS_PER_FILE, type Statements } from "./database.ts";

/** As many as agents that search at the same time are likely to ask in. */
const MOST = 8;

/** `0` comes right after `/`. */
const AT_OR_UNDER = "(path = ?2 OR (path > ?2 || '/' AND path < ?2 || '0'))";
const FILES_FROM = "SELECT id, path FROM files WHERE path >= ?1 AND path < ?1 || char(1114111)";
const ADD = "INSERT OR IGNORE INTO temp.scope (scope, id)";

interface Resolved {
  /** Of its rows in the table. */
  readonly number: number;
  /** How often a file had come or gone by then. */
  readonly paths: number;
}

const NEVER = -1;

/**
 * The files of the last scopes, by their ids, in a temporary table: an agent asks in the same few scopes again and again. What was resolved
 * is used as long as no file came or went.
 */
export class ResolvedScopes {
  readonly #statements: Statements;
  /** By what they mean, the one used last at the end. */
  readonly #known = new Map<string, Resolved>();

  constructor(statements: Statements) {
    this.#statements = statements;
    statements
      .get(
        "CREATE TEMP TABLE scope (scope INTEGER, id INTEGER, PRIMARY KEY (scope, id)) WITHOUT ROWID",
      )
      .run();
  }

  /**
   * A condition on the rows of `fts`, to be appended to a `WHERE`. Valid until eight others are asked for.
   * @param paths how often a file came or went so far
   */
  filterOn(scopes: readonly Scope[], paths: number): string {
    const number = this.#resolved(scopes, paths);
    return `AND (fts.rowid / ${CHUNKS_PER_FILE}) IN (SELECT id FROM temp.scope WHERE scope = ${number})`;
  }

  #resolved(scopes: readonly Scope[], paths: number): number {
    const key = keyOf(scopes);
    const known = key === null ? undefined : this.#take(key);
    const isCurrent = known?.paths === paths;
    const number = known?.number ?? this.#freeNumber();
    if (!isCurrent) {
      this.#statements.get("DELETE FROM temp.scope WHERE scope = ?").run(number);
      for (const scope of scopes) this.#add(number, scope);
    }
    // What a transaction of a writer wrote here goes when it fails.
    const isLasting = isCurrent || !this.#statements.isInTransaction;
    this.#known.set(key ?? `number ${number}`, { number, paths: isLasting ? paths : NEVER });
    return number;
  }

  /** Few, since they are part of statements that are kept. */
  #freeNumber(): number {
    const [oldest] = this.#known.keys();
    if (this.#known.size < MOST || oldest === undefined) return this.#known.size;
    return this.#take(oldest)?.number ?? 0;
  }

  #take(key: string): Resolved | undefined {
    const known = this.#known.get(key);
    this.#known.delete(key);
    return known;
  }

  /** Only what a glob has to be compared with is read; a folder is a range of the index of paths. */
  #add(number: number, { start, matches }: Scope): void {
    if (matches === null) {
      const where = start === "" ? "?2 = ''" : AT_OR_UNDER;
      this.#statements.get(`${ADD} SELECT ?1, id FROM files WHERE ${where}`).run(number, start);
      return;
    }
    const files = this.#statements.get(FILES_FROM).all(start);
    const ids = files.filter((row) => matches(String(row["path"]))).map((row) => row["id"]);
    this.#statements
      .get(`${ADD} SELECT ?1, value FROM json_each(?2)`)
      .run(number, JSON.stringify(ids));
  }
}

/** Null for a scope that cannot be told from others. */
function keyOf(scopes: readonly Scope[]): string | null {
  const keys = scopes.map(({ start, matches, pattern }) =>
    matches === null ? `folder ${start}` : pattern === undefined ? null : `glob ${pattern}`,
  );
  return keys.includes(null) ? null : JSON.stringify(keys);
}
