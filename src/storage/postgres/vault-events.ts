import { NOTIFY, noticeText, type Notices } from "./notices.ts";
import type { Postgres, Row } from "./postgres.ts";

/** Milliseconds until what could not be read is read again. */
const RETRY = 500;

/** Files that a change left otherwise, those of them that are new, and files that are gone: paths in the vault. */
export interface VaultEvent extends Readonly<
  Record<"changed" | "created" | "gone", readonly string[]>
> {
  /** Of the change, the same on all replicas and growing. */
  readonly number: number;
}

/**
 * Records what a change touched, and tells all replicas. To be called in the transaction of the change, before its index is written: what is
 * indexed already is not new.
 */
export async function recordEvent(
  database: Postgres,
  vault: number,
  touched: readonly string[],
): Promise<void> {
  await database.query(
    `WITH paths AS (
       SELECT p, t.path IS NOT NULL AS here, f.path IS NULL AND (p LIKE '%.md' OR t.created = t.modified) AS fresh
       FROM unnest($2::text[]) AS p
       LEFT JOIN tree t ON t.vault = $1 AND t.path = p AND NOT t.is_folder
       LEFT JOIN files f ON f.vault = $1 AND f.path = p
     )
     INSERT INTO events (vault, changed, created, gone)
     SELECT $1, coalesce(array_agg(p) FILTER (WHERE here), '{}'), coalesce(array_agg(p) FILTER (WHERE here AND fresh), '{}'),
       coalesce(array_agg(p) FILTER (WHERE NOT here), '{}')
     FROM paths`,
    [vault, touched],
  );
  await database.query(NOTIFY, [noticeText({ vault, kind: "change", text: "" })]);
}

export interface VaultEventsOptions {
  readonly database: Pick<Postgres, "query" | "one">;
  readonly vault: number;
  readonly notices: Pick<Notices, "follow" | "onAgain">;
  /** Resolves when all is known that was told before a change: nobody hears of a file that is private before this replica knows that it is. */
  readonly settled?: () => Promise<void>;
}

/**
 * What changes in one vault, whichever replica changes it, each change once and in order. What happened while no notice could come through is
 * found in the table.
 */
export class VaultEvents {
  readonly #options: VaultEventsOptions;
  readonly #listeners = new Set<(event: VaultEvent) => void>();
  readonly #unfollow: readonly (() => void)[];
  #last = 0;
  #reading: Promise<void> | null = null;
  #isStale = false;
  #retry: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(options: VaultEventsOptions) {
    const { notices, vault } = options;
    this.#options = options;
    this.#unfollow = [
      notices.follow(vault, ({ kind }) => {
        if (kind === "change") this.#look();
      }),
      notices.onAgain(() => this.#look()),
    ];
  }

  /** What happens from now on is reported. */
  async start(): Promise<void> {
    const { database, vault } = this.#options;
    const row = await database.one(
      "SELECT coalesce(max(id), 0)::float8 AS last FROM events WHERE vault = $1",
      [vault],
    );
    this.#last = Math.max(this.#last, Number(row?.["last"]));
  }

  /** The number of the last change that is known here. */
  get last(): number {
    return this.#last;
  }

  onEvent(listener: (event: VaultEvent) => void): () => void {
    // A function for each call: the same listener may be added twice.
    const own = (event: VaultEvent): void => listener(event);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const unfollow of this.#unfollow) unfollow();
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#listeners.clear();
    await this.#reading;
  }

  #look(): void {
    this.#isStale = true;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
      // One that came while the last was read.
      if (this.#isStale && this.#listeners.size > 0) this.#look();
    });
  }

  #later(): void {
    if (this.#isClosed) return;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#look(), RETRY);
    this.#retry.unref();
  }

  async #read(): Promise<void> {
    const { database, vault, settled } = this.#options;
    this.#isStale = false;
    try {
      const rows = await database.query(
        "SELECT id::float8, changed, created, gone FROM events WHERE vault = $1 AND id > $2 ORDER BY id",
        [vault, this.#last],
      );
      if (rows.length > 0) await settled?.();
      for (const row of rows) {
        this.#last = Number(row["id"]);
        for (const listener of this.#listeners) listener(eventOf(row));
      }
    } catch {
      // The database is away, or all connections are in use while notices still come through: nothing else may ever say that something is missing here.
      this.#later();
    }
  }
}

function eventOf(row: Row): VaultEvent {
  const paths = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
  return {
    number: Number(row["id"]),
    changed: paths(row["changed"]),
    created: paths(row["created"]),
    gone: paths(row["gone"]),
  };
}
