import { existsSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { refusalOf } from "../../../testing/expected-error.ts";
import { runSql, schemaVersionOf } from "../../../testing/raw-database.ts";
import { temporaryFolder } from "../../../testing/temporary-vault.ts";
import { VectorStore } from "./vector-store.ts";

/** The table of release 0.1.0, which recorded no version: this text must never change. */
const RELEASE_0_1_0 =
  "CREATE TABLE vectors (meaning TEXT PRIMARY KEY, day INTEGER NOT NULL, vector BLOB NOT NULL) STRICT;";
const VECTORS = `INSERT INTO vectors VALUES ('m1', 20000, x'0000803f00000040');`;
const DAY = 86_400_000;

function opened(folder: string, now = (): Date => new Date(20_000 * DAY)): VectorStore {
  const store = new VectorStore({ folder, model: "toy", now });
  onTestFinished(async () => store.close());
  return store;
}

/** A file of release 0.1.0 under the name the model's vectors have. */
async function oldVectors(more = ""): Promise<{ folder: string; file: string }> {
  const folder = temporaryFolder();
  const scratch = temporaryFolder();
  await opened(scratch).close();
  const name = readdirSync(scratch).find((each) => each.endsWith(".sqlite")) ?? "";
  const file = path.join(folder, name);
  runSql(file, `PRAGMA journal_mode = WAL; ${RELEASE_0_1_0} ${VECTORS} ${more}`);
  return { folder, file };
}

it("opens the vectors of release 0.1.0, and records the version", async () => {
  const { folder, file } = await oldVectors();
  const vectors = opened(folder);
  expect(vectors.has("m1")).toBe(true);
  const [near] = await vectors.nearest([Float32Array.of(1, 2)], [{ id: 5, meaning: "m1" }], 9);
  expect(near).toMatchObject([{ id: 5 }]);
  expect(schemaVersionOf(file)).toBe(1);
});

it("drops a vector that no section has had for 30 days, and no other", async () => {
  const { folder } = await oldVectors();
  let day = 20_000;
  const vectors = opened(folder, () => new Date(day * DAY));
  const kept = (store: VectorStore): string[] => ["m1", "m2"].filter((each) => store.has(each));
  vectors.add([{ meaning: "m2", vector: Float32Array.of(1, 2) }]);
  day = 20_030;
  vectors.keepOnly(["m2"]);
  expect(kept(vectors)).toEqual(["m1", "m2"]);
  day = 20_031;
  vectors.keepOnly(["m2"]);
  expect(kept(vectors)).toEqual(["m2"]);
  expect(kept(opened(folder))).toEqual(["m2"]);
});

it("sets a damaged file aside", async () => {
  const { folder, file } = await oldVectors();
  writeFileSync(file, "no database".repeat(1000));
  expect(opened(folder).has("m1")).toBe(false);
  expect(existsSync(`${file}.set-aside`)).toBe(true);
});

it("refuses the vectors of a newer release, which may be in use", async () => {
  const { folder } = await oldVectors("PRAGMA user_version = 7;");
  const refusal = await refusalOf(() => opened(folder));
  expect(refusal?.message).toContain("written by a newer coffre (schema 7, this one knows 1)");
});
