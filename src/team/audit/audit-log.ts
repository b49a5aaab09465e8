import type { Postgres, Row } from "../../storage/postgres/postgres.ts";

/** One call of somebody: who, with what, which call, on what, from where. Never the content of a note, a query or a secret. */
export interface AuditEvent {
  /** Name of the vault; null for what concerns none. */
  readonly vault: string | null;
  /** Null for a call that was refused before it was known whose it is. */
  readonly person: { readonly id: string; readonly name: string } | null;
  /** `token ID`, `session ID`, `oidc`: which credential, without its secret. */
  readonly credential: string | null;
  /** The program, as it names itself. */
  readonly client: string | null;
  readonly call: string;
  readonly paths: readonly string[];
  readonly batch: string | null;
  /** Where the request came from. */
  readonly address: string | null;
  /** `done`, or the code of the refusal. */
  readonly outcome: string;
}

export interface AuditRow extends AuditEvent {
  readonly id: number;
  readonly at: Date;
}

export interface AuditQuery {
  readonly vault?: string;
  /** An id. */
  readonly person?: string;
  readonly since?: Date;
  /** Calls that only look, which are left out, as are all `GET` and `HEAD`: what is left changed something, or was to. */
  readonly without?: readonly string[];
  /** Only those before the row of this id. */
  readonly before?: number;
  readonly limit: number;
}

const COLUMNS =
  "id, at, vault, person, person_name, credential, client, call, paths, batch, address, outcome";
/** Everything when none are left out; what changed notes always. */
const more = (parameter: string): string =>
  `(${parameter}::text[] IS NULL OR batch IS NOT NULL OR NOT (call LIKE 'GET %' OR call LIKE 'HEAD %' OR call = ANY(${parameter})))`;
const PAGE = 1000;
const MOST_PATHS = 1000;
const LONGEST = 1000;

/** What people did, apart from the history of the notes: it is only ever added to. */
export class AuditLog {
  readonly #database: Postgres;
  readonly #now: () => Date;

  constructor(database: Postgres, now: () => Date) {
    this.#database = database;
    this.#now = now;
  }

  /** Within a transaction of its caller, it is kept or lost with that. */
  async add(event: AuditEvent): Promise<void> {
    const { vault, person, credential, client, call, paths, batch, address, outcome } = event;
    const texts = [credential, client, call].map((text) => (text === null ? null : cut(text)));
    await this.#database.execute(
      `INSERT INTO audit (at, vault, person, person_name, credential, client, call, paths, batch, address, outcome)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        this.#now().getTime(),
        vault,
        person?.id ?? null,
        person?.name ?? null,
        ...texts,
        paths.slice(0, MOST_PATHS).map(cut),
        batch,
        address,
        outcome,
      ],
    );
  }

  /** The newest first. */
  async list({ vault, person, since, before, without, limit }: AuditQuery): Promise<AuditRow[]> {
    const rows = await this.#database.query(
      `SELECT ${COLUMNS} FROM audit WHERE ($1::text IS NULL OR vault = $1) AND ($2::text IS NULL OR person = $2) AND at >= $3
       AND ($5::bigint IS NULL OR id < $5) AND ${more("$6")} ORDER BY id DESC LIMIT $4`,
      [
        vault ?? null,
        person ?? null,
        since?.getTime() ?? 0,
        limit,
        before ?? null,
        without ?? null,
      ],
    );
    return rows.map(rowOf);
  }

  /** When each person last called a vault, of those given, by their id. */
  async lastSeen(vault: string, people: readonly string[]): Promise<Map<string, Date>> {
    const rows = await this.#database.query(
      `SELECT p.id AS person, a.at FROM unnest($2::text[]) AS p (id)
       CROSS JOIN LATERAL (SELECT at FROM audit WHERE person = p.id AND vault = $1 ORDER BY id DESC LIMIT 1) a`,
      [vault, people],
    );
    return new Map(rows.map(({ person, at }) => [String(person), new Date(Number(at))]));
  }

  /** All of it, the oldest first, as lines of JSON. */
  async *export(query: Omit<AuditQuery, "limit" | "before">): AsyncGenerator<string> {
    for await (const row of this.all(query)) yield `${JSON.stringify(row)}\n`;
  }

  /** All of it, the oldest first. */
  async *all(query: Omit<AuditQuery, "limit" | "before">): AsyncGenerator<AuditRow> {
    for (let after = 0; ;) {
      const rows = await this.#database.query(
        `SELECT ${COLUMNS} FROM audit WHERE id > $1 AND ($2::text IS NULL OR vault = $2) AND ($3::text IS NULL OR person = $3) AND at >= $4
         AND ${more("$5")} ORDER BY id LIMIT ${PAGE}`,
        [
          after,
          query.vault ?? null,
          query.person ?? null,
          query.since?.getTime() ?? 0,
          query.without ?? null,
        ],
      );
      for (const row of rows.map(rowOf)) {
        yield row;
        after = row.id;
      }
      if (rows.length < PAGE) return;
    }
  }
}

/** PostgreSQL takes no NUL, and nobody reads more. */
function cut(text: string): string {
  return text.replaceAll("\0", "").slice(0, LONGEST);
}

function rowOf(row: Row): AuditRow {
  const { person, paths } = row;
  return {
    id: Number(row["id"]),
    at: new Date(Number(row["at"])),
    vault: textOf(row["vault"]),
    person:
      typeof person === "string" ? { id: person, name: textOf(row["person_name"]) ?? "" } : null,
    credential: textOf(row["credential"]),
    client: textOf(row["client"]),
    call: String(row["call"]),
    paths: Array.isArray(paths) ? paths.map(String) : [],
    batch: textOf(row["batch"]),
    address: textOf(row["address"]),
    outcome: String(row["outcome"]),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
