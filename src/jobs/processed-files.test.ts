import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { refusalOf } from "../testing/expected-error.ts";
import { runSql, schemaVersionOf } from "../testing/raw-database.ts";
import { temporaryFolder } from "../testing/temporary-vault.ts";
import { ProcessedFiles } from "./processed-files.ts";

/** The table of release 0.1.0, which recorded no version: this text must never change. */
const RELEASE_0_1_0 = `
  CREATE TABLE files (
    path TEXT PRIMARY KEY, signature TEXT NOT NULL, kind TEXT NOT NULL, tokens INTEGER NOT NULL, bytes INTEGER NOT NULL,
    changed TEXT NOT NULL, width INTEGER, height INTEGER, hash TEXT, fresh INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;
const FILES = `
  INSERT INTO files VALUES ('a.md', '1:2:3', 'text', 12, 48, '2026-03-01T09:00:00', NULL, NULL, 'abc', 0);
`;

function oldDatabase(more = ""): { state: string; file: string } {
  const state = temporaryFolder();
  const file = path.join(state, "job.sqlite");
  runSql(file, `PRAGMA journal_mode = WAL; ${RELEASE_0_1_0} ${FILES} ${more}`);
  return { state, file };
}

function opened(state: string): ProcessedFiles {
  const processed = new ProcessedFiles(state);
  onTestFinished(() => processed.close());
  return processed;
}

it("opens the list of release 0.1.0 with all files, and sets its schema version", () => {
  const { state, file } = oldDatabase();
  const processed = opened(state);
  expect(processed.get("a.md")).toMatchObject({
    // Read once more: whether a note says that it is private was not asked then.
    facts: { signature: "", tokens: 12 },
    hash: "abc",
    isFresh: false,
  });
  expect(schemaVersionOf(file)).toBe(4);
});

it("keeps what is saved for the next process", () => {
  const { state } = oldDatabase();
  const first = new ProcessedFiles(state);
  const known = first.get("a.md");
  if (known === undefined) throw new Error("a.md is not listed");
  first.set("b.md", { ...known, isFresh: true });
  first.remove("a.md");
  first.save();
  first.close();
  const next = opened(state);
  expect([...next.paths()]).toEqual(["b.md"]);
  expect(next.get("b.md")).toEqual({ ...known, isFresh: true });
});

it("starts with an empty list when the old one is damaged", () => {
  const { state, file } = oldDatabase();
  writeFileSync(file, "no database".repeat(1000));
  expect(opened(state).size).toBe(0);
  expect(existsSync(`${file}.set-aside`)).toBe(true);
});

it("refuses the list of a newer release, which may be in use", async () => {
  const { state } = oldDatabase("PRAGMA user_version = 7;");
  const refusal = await refusalOf(() => new ProcessedFiles(state));
  expect(refusal?.code).toBe("unavailable");
  expect(refusal?.message).toContain("written by a newer coffre (schema 7, this one knows 4)");
});

it("knows what is under a folder, and forgets folders that are gone", () => {
  const { state } = oldDatabase();
  const processed = opened(state);
  const known = processed.get("a.md");
  if (known === undefined) throw new Error("a.md is not listed");
  for (const file of ["d/e/x.md", "d/y.md", "de.md", "d.md"]) processed.set(file, known);
  expect(processed.size).toBe(5);
  expect(processed.under("d").toSorted()).toEqual(["d/e/x.md", "d/y.md"]);
  expect(processed.under("d/e/x.md")).toEqual(["d/e/x.md"]);
  expect(processed.under("d/e/x.md/z")).toEqual([]);
  expect(processed.under("missing")).toEqual([]);
  expect(processed.under("")).toHaveLength(5);
  processed.remove("d/e/x.md");
  processed.remove("d/e/x.md");
  expect(processed.under("d/e")).toEqual([]);
  expect(processed.size).toBe(4);
});

it("says once whether the index agrees, and only after it was recorded for these numbers", () => {
  const { state } = oldDatabase();
  const first = new ProcessedFiles(state);
  expect(first.agreesWith({ files: 0, chunks: 0 })).toBe(false);
  first.setAgreement({ files: 1, chunks: 2 });
  first.close();
  const second = new ProcessedFiles(state);
  expect(second.agreesWith({ files: 1, chunks: 2 })).toBe(true);
  expect(second.agreesWith({ files: 1, chunks: 2 })).toBe(false);
  second.setAgreement({ files: 1, chunks: 2 });
  second.close();
  expect(opened(state).agreesWith({ files: 1, chunks: 3 })).toBe(false);
});
