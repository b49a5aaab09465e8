import { NOTIFY, noticeText } from "../../storage/postgres/notices.ts";
import type { Postgres } from "../../storage/postgres/postgres.ts";
import type { VaultPath } from "../../vault/paths.ts";

/** Where somebody is in one window. */
export interface Place {
  readonly person: string;
  /** Tells the windows of one person apart. */
  readonly window: string;
  readonly path: VaultPath;
  readonly isEditing: boolean;
}

/** Somebody who is in a note right now, in any number of windows. */
export interface Present {
  readonly person: string;
  readonly name: string;
  readonly path: VaultPath;
  readonly isEditing: boolean;
}

/** Windows of one person in one vault at once; beyond, the one that reported longest ago is dropped. */
const MOST_WINDOWS = 20;

/** Who is in which note of a vault right now, whichever replica they talk to. What is not said again in time is over, by the clock of the database. */
export class Presence {
  readonly #database: Postgres;
  readonly #seconds: number;

  constructor(database: Postgres, seconds: number) {
    this.#database = database;
    this.#seconds = seconds;
  }

  /** Says where a window is. Others are told only when that is new. */
  async enter(vault: number, { person, window, path, isEditing }: Place): Promise<void> {
    await this.#database.transaction(async () => {
      const before = await this.#database.one(
        `SELECT path, is_editing, until > now() AS valid FROM presence WHERE vault = $1 AND person = $2 AND "window" = $3 FOR UPDATE`,
        [vault, person, window],
      );
      await this.#database.execute(
        `INSERT INTO presence (vault, person, "window", path, is_editing, until) VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
         ON CONFLICT (vault, person, "window") DO UPDATE SET path = excluded.path, is_editing = excluded.is_editing, until = excluded.until`,
        [vault, person, window, path, isEditing, this.#seconds],
      );
      const isKnown = before?.["valid"] === true && before["path"] === path;
      if (isKnown && before["is_editing"] === isEditing) return;
      if (before === null) await this.#dropOldest(vault, person);
      await this.#tell(vault, path);
      if (before?.["valid"] === true && !isKnown) await this.#tell(vault, String(before["path"]));
    });
  }

  /** A window was closed, or left the notes. */
  async leave(vault: number, person: string, window: string): Promise<void> {
    await this.#database.transaction(async () => {
      const left = await this.#database.one(
        `DELETE FROM presence WHERE vault = $1 AND person = $2 AND "window" = $3 RETURNING path`,
        [vault, person, window],
      );
      if (left !== null) await this.#tell(vault, String(left["path"]));
    });
  }

  /** In all notes that are still there: what was moved has other rights where it is now. */
  async list(vault: number): Promise<Present[]> {
    const rows = await this.#database.query(
      `SELECT p.person, q.name, p.path, bool_or(p.is_editing) AS is_editing
       FROM presence p JOIN people q ON q.id = p.person AND q.disabled IS NULL
       JOIN tree t ON t.vault = p.vault AND t.path = p.path AND NOT t.is_folder
       WHERE p.vault = $1 AND p.until > now()
       GROUP BY p.person, q.name, p.path ORDER BY p.path, q.name, p.person`,
      [vault],
    );
    return rows.map((row) => ({
      person: String(row["person"]),
      name: String(row["name"]),
      path: String(row["path"]),
      isEditing: row["is_editing"] === true,
    }));
  }

  async #dropOldest(vault: number, person: string): Promise<void> {
    await this.#database.execute(
      `DELETE FROM presence WHERE vault = $1 AND person = $2 AND "window" IN
       (SELECT "window" FROM presence WHERE vault = $1 AND person = $2 ORDER BY until DESC OFFSET ${MOST_WINDOWS})`,
      [vault, person],
    );
  }

  /** One notice for each path: both together might be longer than PostgreSQL passes on. */
  async #tell(vault: number, path: VaultPath): Promise<void> {
    await this.#database.query(NOTIFY, [noticeText({ vault, kind: "presence", text: path })]);
  }
}
