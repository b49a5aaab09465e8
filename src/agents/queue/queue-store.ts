import path from "node:path";
import type { DatabaseSync } from "node:sqlite";

import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import { openDatabase } from "../../storage/sqlite.ts";
import { UpdateInput, UpdateReport, type UpdateStatus } from "../contract.ts";
import { QueuedUpdate } from "./update-queue.ts";

/** How an update ended. */
export interface UpdateEnd {
  readonly status: UpdateStatus;
  readonly report?: UpdateReport;
  readonly error?: string;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS tasks (
    id TEXT PRIMARY KEY, turn INTEGER NOT NULL, status TEXT NOT NULL, input TEXT NOT NULL, attempts INTEGER NOT NULL,
    crashes INTEGER NOT NULL, created INTEGER NOT NULL, started INTEGER, ended INTEGER, report TEXT, error TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS tasks_turn ON tasks (status, turn);
`;

/** Ended updates that are kept. */
const MAX_ENDED = 500;

const Json = z.string().transform((text): unknown => JSON.parse(text));

/** A row: input and report are JSON texts. */
const Row = QueuedUpdate.extend({
  input: Json.pipe(UpdateInput),
  report: Json.pipe(UpdateReport).nullable(),
});

/** The table of updates on disk: an accepted one survives a power cut. */
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

  add(id: string, input: UpdateInput, created: number): void {
    this.#database
      .prepare(
        "INSERT INTO tasks (id, turn, status, input, attempts, crashes, created) VALUES (?, (SELECT coalesce(max(turn), 0) + 1 FROM tasks), 'waiting', ?, 0, 0, ?)",
      )
      .run(id, JSON.stringify(input), created);
  }

  /** Puts an ended update at the end of the queue. */
  requeue(id: string): void {
    this.#database
      .prepare(
        "UPDATE tasks SET status = 'waiting', crashes = 0, started = NULL, ended = NULL, report = NULL, error = NULL, turn = (SELECT max(turn) + 1 FROM tasks) WHERE id = ?",
      )
      .run(id);
  }

  /** Puts an interrupted update back in its old place. */
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

  end(id: string, { status, report, error }: UpdateEnd, at: number): void {
    const kept = report === undefined ? null : JSON.stringify(report);
    this.#database
      .prepare("UPDATE tasks SET status = ?, report = ?, error = ?, ended = ? WHERE id = ?")
      .run(status, kept, error ?? null, at, id);
    this.#database
      .prepare(
        "DELETE FROM tasks WHERE ended IS NOT NULL AND id NOT IN (SELECT id FROM tasks WHERE ended IS NOT NULL ORDER BY ended DESC, turn DESC LIMIT ?)",
      )
      .run(MAX_ENDED);
  }

  /** Throws `not_found`. */
  get(id: string): QueuedUpdate {
    const [update] = this.#select("WHERE id = ?", id);
    if (update !== undefined) return update;
    throw new ExpectedError("not_found", `There is no update ${JSON.stringify(id)}.`);
  }

  nextWaiting(): QueuedUpdate | null {
    return this.#select("WHERE status = 'waiting' ORDER BY turn LIMIT 1")[0] ?? null;
  }

  running(): QueuedUpdate[] {
    return this.#select("WHERE status = 'running' ORDER BY turn");
  }

  newest(limit: number): QueuedUpdate[] {
    return this.#select("ORDER BY created DESC, turn DESC LIMIT ?", limit);
  }

  count(status: UpdateStatus): number {
    const row = this.#database
      .prepare("SELECT count(*) AS count FROM tasks WHERE status = ?")
      .get(status);
    return Number(row?.["count"]);
  }

  close(): void {
    this.#database.close();
  }

  #select(rest: string, ...values: (string | number)[]): QueuedUpdate[] {
    const rows = this.#database.prepare(`SELECT * FROM tasks ${rest}`).all(...values);
    return rows.map((row) => Row.parse(row));
  }
}
