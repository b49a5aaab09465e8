import path from "node:path";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { refusalOf } from "../../testing/expected-error.ts";
import { runSql, schemaVersionOf } from "../../testing/raw-database.ts";
import { describeUpdateQueue, note, reportOf } from "../../testing/suites/update-queue-suite.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { SqliteUpdateQueue } from "./sqlite-update-queue.ts";

function openQueue(state: string): SqliteUpdateQueue {
  return new SqliteUpdateQueue({
    state,
    now: () => new Date(),
    run: async ({ content }) => reportOf(`${content} done`),
    takeBack: async () => null,
    giveUp: async (_, __, reason) => reportOf(reason, "inbox"),
    onChange: () => {},
    onBug: (error) => {
      throw error;
    },
  });
}

function queueIn(state: string): SqliteUpdateQueue {
  const queue = openQueue(state);
  onTestFinished(async () => queue.close());
  return queue;
}

describe("the queue in SQLite", () => {
  describeUpdateQueue(
    () => temporaryFolder(),
    (state, work) => new SqliteUpdateQueue({ ...work, state }),
  );

  it("runs what another process left in it", async () => {
    const state = temporaryFolder();
    const other = openQueue(state);
    const { id } = await other.add(note("left"));
    await other.close();
    const queue = queueIn(state);
    await queue.start();
    expect(await queue.ended(id)).toMatchObject({
      status: "done",
      report: { text: "left done" },
    });
  });
});

it("records how an update ended when the database takes writes again, without running it twice", async () => {
  const state = temporaryFolder();
  const file = path.join(state, "queue.sqlite");
  const runs: string[] = [];
  const queue = new SqliteUpdateQueue({
    state,
    now: () => new Date(),
    run: async ({ content }) => {
      runs.push(content);
      runSql(
        file,
        "CREATE TRIGGER no_room BEFORE UPDATE ON tasks BEGIN SELECT RAISE(ABORT, 'no room'); END",
      );
      return reportOf(`${content} done`);
    },
    takeBack: async () => null,
    giveUp: async (_, __, reason) => reportOf(reason, "inbox"),
    onChange: () => {},
    onBug: (error) => {
      throw error;
    },
  });
  onTestFinished(async () => queue.close());
  const { id } = await queue.add(note("once"));
  await vi.waitFor(() => expect(runs).toEqual(["once"]));
  runSql(file, "DROP TRIGGER no_room");
  expect(await queue.ended(id)).toMatchObject({ status: "done", report: { text: "once done" } });
  expect(runs).toEqual(["once"]);
});

/** The tables of release 0.1.0, which recorded no version: this text must never change. */
const RELEASE_0_1_0 = `
  CREATE TABLE tasks (
    id TEXT PRIMARY KEY, turn INTEGER NOT NULL, status TEXT NOT NULL, input TEXT NOT NULL, attempts INTEGER NOT NULL,
    crashes INTEGER NOT NULL, created INTEGER NOT NULL, started INTEGER, ended INTEGER, report TEXT, error TEXT
  ) STRICT;
  CREATE INDEX tasks_turn ON tasks (status, turn);
`;
const TASKS = `
  INSERT INTO tasks VALUES ('t1', 1, 'parked', '{"content":"Hale starts","images":[{"name":"roof.png","data":"AAAA"}],"inboxRef":null,"sources":["a.eml"],"isUntrusted":true,"from":"cli"}',
    1, 0, 1000, 1100, 1200, '{"text":"It waits.","inbox":"2026-01-31-hale","steps":3,"usage":{"input":10,"output":2,"cached":0},"model":"openai/x","outcome":"inbox","touched":[{"path":"vault/inbox/2026-01-31-hale/review.md","change":"created"}],"batch":"t1-1"}', NULL);
  INSERT INTO tasks VALUES ('t2', 2, 'waiting', '{"content":"house","images":[],"inboxRef":"2026-01-31-hale","sources":[],"isUntrusted":false,"from":"page"}',
    0, 0, 2000, NULL, NULL, NULL, NULL);
`;

function oldQueue(more = ""): { state: string; file: string } {
  const state = temporaryFolder();
  const file = path.join(state, "queue.sqlite");
  runSql(file, `PRAGMA journal_mode = WAL; ${RELEASE_0_1_0} ${TASKS} ${more}`);
  return { state, file };
}

it("opens the queue of release 0.1.0 with its updates, and records the version", async () => {
  const { state, file } = oldQueue();
  const queue = queueIn(state);
  expect(await queue.get("t1")).toEqual({
    id: "t1",
    status: "parked",
    input: {
      content: "Hale starts",
      images: [{ name: "roof.png", data: "AAAA" }],
      inboxRef: null,
      sources: ["a.eml"],
      files: [],
      isUntrusted: true,
      isRelayed: false,
      isPreview: false,
      from: "cli",
    },
    attempts: 1,
    crashes: 0,
    created: 1000,
    started: 1100,
    ended: 1200,
    report: {
      text: "It waits.",
      inbox: "2026-01-31-hale",
      steps: 3,
      usage: { input: 10, output: 2, cached: 0 },
      model: "openai/x",
      outcome: "inbox",
      touched: [{ path: "vault/inbox/2026-01-31-hale/review.md", change: "created" }],
      batch: "t1-1",
    },
    error: null,
  });
  await queue.start();
  expect(await queue.ended("t2")).toMatchObject({
    input: { content: "house", inboxRef: "2026-01-31-hale", from: "page" },
    report: { text: "house done" },
  });
  expect(schemaVersionOf(file)).toBe(1);
});

it("refuses the queue of a newer release", async () => {
  const { state } = oldQueue("PRAGMA user_version = 7;");
  const refusal = await refusalOf(() => queueIn(state));
  expect(refusal?.code).toBe("unavailable");
  expect(refusal?.message).toContain("The queue in");
  expect(refusal?.message).toContain("written by a newer coffre (schema 7, this one knows 1)");
});
