import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { refusalOf } from "../../testing/expected-error.ts";
import { runSql, schemaVersionOf } from "../../testing/raw-database.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { QueueStore } from "./queue-store.ts";

/** The tables of release 0.1.0, which recorded no version: this text must never change. */
const RELEASE_0_1_0 = `
  CREATE TABLE tasks (
    id TEXT PRIMARY KEY, turn INTEGER NOT NULL, status TEXT NOT NULL, input TEXT NOT NULL, attempts INTEGER NOT NULL,
    crashes INTEGER NOT NULL, created INTEGER NOT NULL, started INTEGER, ended INTEGER, report TEXT, error TEXT
  ) STRICT;
  CREATE INDEX tasks_turn ON tasks (status, turn);
`;
const TASKS = `
  INSERT INTO tasks VALUES ('t1', 1, 'done', '{"text":"a"}', 1, 0, 1000, 1100, 1200, '{"report":"b"}', NULL);
  INSERT INTO tasks VALUES ('t2', 2, 'waiting', '{"text":"c"}', 0, 0, 2000, NULL, NULL, NULL, NULL);
`;

function oldQueue(more = ""): { state: string; file: string } {
  const state = temporaryFolder();
  const file = path.join(state, "queue.sqlite");
  runSql(file, `PRAGMA journal_mode = WAL; ${RELEASE_0_1_0} ${TASKS} ${more}`);
  return { state, file };
}

it("opens the queue of release 0.1.0 with its tasks, and records the version", () => {
  const { state, file } = oldQueue();
  const store = new QueueStore(state);
  onTestFinished(() => store.close());
  expect(store.get("t1")).toEqual({
    id: "t1",
    status: "done",
    input: '{"text":"a"}',
    attempts: 1,
    crashes: 0,
    created: 1000,
    started: 1100,
    ended: 1200,
    report: '{"report":"b"}',
    error: null,
  });
  expect(store.of("waiting").map(({ id }) => id)).toEqual(["t2"]);
  expect(schemaVersionOf(file)).toBe(1);
});

it("refuses the queue of a newer release", async () => {
  const { state } = oldQueue("PRAGMA user_version = 7;");
  const refusal = await refusalOf(() => new QueueStore(state));
  expect(refusal?.code).toBe("unavailable");
  expect(refusal?.message).toContain("The queue in");
  expect(refusal?.message).toContain("written by a newer coffre (schema 7, this one knows 1)");
});
