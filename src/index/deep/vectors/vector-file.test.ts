import { existsSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { refusalOf } from "../../../testing/expected-error.ts";
import { runSql, schemaVersionOf } from "../../../testing/raw-database.ts";
import { temporaryFolder } from "../../../testing/temporary-vault.ts";
import { VectorFile } from "./vector-file.ts";

/** The table of release 0.1.0, which recorded no version: this text must never change. */
const RELEASE_0_1_0 =
  "CREATE TABLE vectors (meaning TEXT PRIMARY KEY, day INTEGER NOT NULL, vector BLOB NOT NULL) STRICT;";
const VECTORS = `INSERT INTO vectors VALUES ('m1', 20000, x'0000803f00000040');`;
const DAY = 86_400_000;

function opened(folder: string): VectorFile {
  const file = new VectorFile(folder, "toy");
  onTestFinished(() => file.close());
  return file;
}

/** A file of release 0.1.0 under the name the model's vectors have. */
function oldVectors(more = ""): { folder: string; file: string } {
  const folder = temporaryFolder();
  const scratch = temporaryFolder();
  new VectorFile(scratch, "toy").close();
  const name = readdirSync(scratch).find((each) => each.endsWith(".sqlite")) ?? "";
  const file = path.join(folder, name);
  runSql(file, `PRAGMA journal_mode = WAL; ${RELEASE_0_1_0} ${VECTORS} ${more}`);
  return { folder, file };
}

it("opens the vectors of release 0.1.0, and records the version", () => {
  const { folder, file } = oldVectors();
  const vectors = opened(folder);
  expect(vectors.meanings()).toEqual(["m1"]);
  expect(vectors.dimensions).toBe(2);
  expect(schemaVersionOf(file)).toBe(1);
});

it("drops a vector that no section has had for 30 days, and no other", () => {
  const { folder } = oldVectors();
  const vectors = opened(folder);
  vectors.add([{ meaning: "m2", vector: Float32Array.of(1, 2) }], new Date(20_000 * DAY));
  vectors.keepOnly(["m2"], new Date(20_030 * DAY));
  expect(vectors.meanings()).toEqual(["m1", "m2"]);
  vectors.keepOnly(["m2"], new Date(20_031 * DAY));
  expect(vectors.meanings()).toEqual(["m2"]);
});

it("sets a damaged file aside", () => {
  const { folder, file } = oldVectors();
  writeFileSync(file, "no database".repeat(1000));
  expect(opened(folder).meanings()).toEqual([]);
  expect(existsSync(`${file}.set-aside`)).toBe(true);
});

it("refuses the vectors of a newer release, which may be in use", async () => {
  const { folder } = oldVectors("PRAGMA user_version = 7;");
  const refusal = await refusalOf(() => new VectorFile(folder, "toy"));
  expect(refusal?.message).toContain("written by a newer coffre (schema 7, this one knows 1)");
});
