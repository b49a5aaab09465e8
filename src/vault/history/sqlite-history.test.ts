import { createHash } from "node:crypto";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { zstdCompressSync } from "node:zlib";

import { expect, it, onTestFinished } from "vitest";

import { refusalOf } from "../../testing/expected-error.ts";
import { asOrdinaryUser } from "../../testing/ordinary-user.ts";
import { runSql, schemaVersionOf } from "../../testing/raw-database.ts";
import { describeHistory } from "../../testing/suites/history-suite.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { keptBytes } from "./history.ts";
import { SqliteHistory } from "./sqlite-history.ts";

/** The tables of release 0.1.0, which recorded no version: this text must never change. */
const RELEASE_0_1_0 = `
  CREATE TABLE entries (
    id TEXT PRIMARY KEY, at INTEGER NOT NULL, actor TEXT NOT NULL, call TEXT NOT NULL,
    batch TEXT, undoes TEXT
  ) STRICT;
  CREATE INDEX entries_at ON entries (at);
  CREATE INDEX entries_batch ON entries (batch);
  CREATE TABLE changes (
    entry TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE, seq INTEGER NOT NULL,
    path TEXT NOT NULL, to_path TEXT, detail TEXT NOT NULL, PRIMARY KEY (entry, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX changes_path ON changes (path);
  CREATE TABLE uses (
    entry TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE, blob TEXT NOT NULL,
    PRIMARY KEY (entry, blob)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX uses_blob ON uses (blob);
  CREATE TABLE blobs (
    hash TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (hash, part)
  ) STRICT;
  CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
`;

const OLD_TEXT = Buffer.from("What the note said before.\n");
const HASH = createHash("sha256").update(OLD_TEXT).digest("hex");
const CREATED = { kind: "create", path: "a.md", after: HASH };
const ENTRIES = `
  INSERT INTO entries VALUES ('mabc0001', 1772359200000, 'cli', 'write', 'batch-1', NULL);
  INSERT INTO changes VALUES ('mabc0001', 0, 'a.md', NULL, '${JSON.stringify(CREATED)}');
  INSERT INTO uses VALUES ('mabc0001', '${HASH}');
  INSERT INTO blobs VALUES ('${HASH}', 0, x'${zstdCompressSync(OLD_TEXT).toString("hex")}');
`;

function oldHistory(more = ""): { state: string; file: string } {
  const state = temporaryFolder();
  const file = path.join(state, "history.sqlite");
  runSql(file, `PRAGMA journal_mode = WAL; ${RELEASE_0_1_0} ${ENTRIES} ${more}`);
  return { state, file };
}

it("opens the history of release 0.1.0 with everything in it, and records the version", async () => {
  const { state, file } = oldHistory();
  const history = new SqliteHistory(state);
  onTestFinished(() => history.close());
  expect(await history.entries({ path: null, limit: 10 })).toEqual([
    {
      id: "mabc0001",
      at: new Date(1_772_359_200_000),
      actor: "cli",
      call: "write",
      batch: "batch-1",
      undoes: null,
      undoneBy: null,
      changes: [CREATED],
    },
  ]);
  expect(await keptBytes(history, HASH)).toEqual(OLD_TEXT);
  expect(schemaVersionOf(file)).toBe(2);
});

it("refuses the history of a newer release, and does not change it", async () => {
  const { state, file } = oldHistory("PRAGMA user_version = 7;");
  const before = readFileSync(file);
  const refusal = await refusalOf(() => new SqliteHistory(state));
  expect(refusal?.code).toBe("unavailable");
  expect(refusal?.message).toContain("written by a newer coffre (schema 7, this one knows 2)");
  expect(readFileSync(file)).toEqual(before);
});

it("never replaces a damaged history", async () => {
  const state = temporaryFolder();
  const file = path.join(state, "history.sqlite");
  writeFileSync(file, "no history".repeat(1000));
  expect((await refusalOf(() => new SqliteHistory(state)))?.code).toBe("unavailable");
  expect(readFileSync(file, "utf8")).toBe("no history".repeat(1000));
});

describeHistory(temporaryFolder, (state) => new SqliteHistory(state));

it("can be written again once its disk can, after it was opened when the disk could only be read", async () => {
  const folder = temporaryFolder();
  const state = path.join(folder, "state");
  new SqliteHistory(state).close();
  await asOrdinaryUser(folder, async () => {
    chmodSync(path.join(state, "history.sqlite"), 0o400);
    chmodSync(state, 0o500);
    const history = new SqliteHistory(state);
    onTestFinished(() => history.close());
    const entry = {
      id: "mabc0001",
      at: new Date(),
      author: { actor: "test", call: "write", batch: null },
    };
    const record = async (): Promise<unknown> =>
      history.record(entry, (keep) => ({
        kind: "create",
        path: "a.md",
        after: keep([OLD_TEXT]),
        version: { signature: "", hash: null },
        madeFolders: [],
      }));
    await expect(record()).rejects.toMatchObject({ code: "unavailable" });
    chmodSync(state, 0o700);
    chmodSync(path.join(state, "history.sqlite"), 0o600);
    await record();
    expect(await history.size()).toMatchObject({ entries: 1 });
  });
});

it("that cannot be read at all is refused with a code", async () => {
  const folder = temporaryFolder();
  const state = path.join(folder, "state");
  new SqliteHistory(state).close();
  await asOrdinaryUser(folder, async () => {
    chmodSync(path.join(state, "history.sqlite"), 0o000);
    const refused = await refusalOf(() => new SqliteHistory(state));
    expect(refused?.code).toBe("unavailable");
  });
});
