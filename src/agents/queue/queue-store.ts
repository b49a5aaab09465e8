import path from "node:path";
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";

import { openDatabase } from "../../storage/sqlite.ts";

/**
 * `waiting` for its turn, `running`, `done`; `parked`: it waits in the inbox for an answer; `failed`: nothing was done, and a retry may help;
 * `cancelled`.
 */
export type TaskStatus = "waiting" | "running" | "done" | "parked" | "failed" | "cancelled";

/** A row of the queue, its input and result as they are kept: JSON. */
export interface TaskRow {
  readonly id: string;
  readonly status: TaskStatus;
  readonly input: string;
  /** How often it was begun. */
  readonly attempts: number;
  /** How often its process ended while it ran. */
  readonly crashes: number;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly started: number | null;
  readonly ended: number | null;
  readonly report: string | null;
  readonly error: string | null;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS tasks (
    id TEXT PRIMARY KEY, turn INTEGER NOT NULL, status TEXT NOT NULL, input TEXT NOT NULL, attempts INTEGER NOT NULL,
    crashes INTEGER NOT NULL, created INTEGER NOT NULL, started INTEGER, ended INTEGER, report TEXT, error TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS tasks_turn ON tasks (status, turn);
`;

/** Ended tasks that are remembered. */
const REMEMBERED = 500;
const STATUSES: readonly TaskStatus[] = [
  "waiting",
  "running",
  "done",
  "parked",
  "failed",
  "cancelled",
];

/** The queue on disk: a task that was accepted is there after a power cut. */
export class QueueStore {
  readonly #database: DatabaseSync;

  constructor(state: string) {
    this.#database = openDatabase({
      file: path.join(state, "queue.sqlite"),
      name: "The queue",
      consequence: "so nothing can be taken in",
      pragmas: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;",
      migrations: [SCHEMA],
    });
  }

  add(id: string, input: string, created: number): void {
    this.#database
      .prepare(
        "INSERT INTO tasks (id, turn, status, input, attempts, crashes, created) VALUES (?, (SELECT coalesce(max(turn), 0) + 1 FROM tasks), 'waiting', ?, 0, 0, ?)",
      )
      .run(id, input, created);
  }

  /** Puts a task at the end of the queue again. */
  again(id: string): void {
    this.#database
      .prepare(
        "UPDATE tasks SET status = 'waiting', crashes = 0, started = NULL, ended = NULL, report = NULL, error = NULL, turn = (SELECT max(turn) + 1 FROM tasks) WHERE id = ?",
      )
      .run(id);
  }

  /** Has a task that was cut short wait again, in its old place. */
  resume(id: string, wasCrash: boolean): void {
    this.#database
      .prepare(
        "UPDATE tasks SET status = 'waiting', started = NULL, crashes = crashes + ? WHERE id = ?",
      )
      .run(wasCrash ? 1 : 0, id);
  }

  begin(id: string, at: number): void {
    this.#database
      .prepare(
        "UPDATE tasks SET status = 'running', started = ?, attempts = attempts + 1 WHERE id = ?",
      )
      .run(at, id);
  }

  end(id: string, end: Pick<TaskRow, "status" | "report" | "error">, at: number): void {
    this.#database
      .prepare("UPDATE tasks SET status = ?, report = ?, error = ?, ended = ? WHERE id = ?")
      .run(end.status, end.report, end.error, at, id);
    this.#database
      .prepare(
        "DELETE FROM tasks WHERE ended IS NOT NULL AND id NOT IN (SELECT id FROM tasks WHERE ended IS NOT NULL ORDER BY ended DESC LIMIT ?)",
      )
      .run(REMEMBERED);
  }

  get(id: string): TaskRow | null {
    const row = this.#database.prepare("SELECT * FROM tasks WHERE id = ?").get(id);
    return row === undefined ? null : rowOf(row);
  }

  /** Those of a status, in the order of their turns. */
  of(status: TaskStatus): TaskRow[] {
    return this.#database
      .prepare("SELECT * FROM tasks WHERE status = ? ORDER BY turn")
      .all(status)
      .map((row) => rowOf(row));
  }

  /** The newest first. */
  all(limit: number): TaskRow[] {
    return this.#database
      .prepare("SELECT * FROM tasks ORDER BY created DESC, turn DESC LIMIT ?")
      .all(limit)
      .map((row) => rowOf(row));
  }

  close(): void {
    this.#database.close();
  }
}

function rowOf(row: Readonly<Record<string, SQLOutputValue>>): TaskRow {
  const number = (name: string): number | null => {
    const value = row[name];
    return value === null || value === undefined ? null : Number(value);
  };
  const text = (name: string): string | null => {
    const value = row[name];
    return typeof value === "string" ? value : null;
  };
  return {
    id: text("id") ?? "",
    status: STATUSES.find((status) => status === row["status"]) ?? "failed",
    input: text("input") ?? "",
    attempts: number("attempts") ?? 0,
    crashes: number("crashes") ?? 0,
    created: number("created") ?? 0,
    started: number("started"),
    ended: number("ended"),
    report: text("report"),
    error: text("error"),
  };
}
