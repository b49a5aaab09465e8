import { expect, it, onTestFinished } from "vitest";

import { places, put } from "../../testing/suites/search-index-suite.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { parseScope, type Scope } from "../scope.ts";
import { SqliteIndex } from "./sqlite-index.ts";

async function indexOf(names: readonly string[]): Promise<SqliteIndex> {
  const index = new SqliteIndex(temporaryFolder());
  onTestFinished(async () => index.close());
  for (const name of names) await put(index, name, "une pompe\n");
  return index;
}

async function found(index: SqliteIndex, scope: readonly Scope[]): Promise<string[]> {
  const all = await places(index, "pompe", { scope, limit: 50 });
  return all.map((place) => place.replace(/:.*/u, "")).toSorted();
}

it("searches in more scopes than it keeps, again and again", async () => {
  const names = Array.from({ length: 20 }, (_, at) => `d${at}/a.md`);
  const index = await indexOf(names);
  for (let round = 0; round < 3; round += 1) {
    for (const [at, name] of names.entries()) {
      expect(await found(index, [parseScope(`vault/d${at}`)])).toEqual([name]);
      expect(await found(index, [parseScope(`vault/d${at}/*.md`)])).toEqual([name]);
      // One without a pattern cannot be told from others.
      const matches = (path: string): boolean => path === name;
      expect(await found(index, [{ start: "", matches }])).toEqual([name]);
    }
    expect(await found(index, [parseScope("vault/d1"), parseScope("vault/d2")])).toEqual([
      "d1/a.md",
      "d2/a.md",
    ]);
  }
});

it("sees files that another connection adds, moves and removes", async () => {
  const folder = temporaryFolder();
  const [writer, reader] = [new SqliteIndex(folder), new SqliteIndex(folder)];
  onTestFinished(async () => {
    await writer.close();
    await reader.close();
  });
  const scope = [parseScope("vault/d*/*.md")];
  await put(writer, "d/a.md", "une pompe\n");
  expect(await found(reader, scope)).toEqual(["d/a.md"]);
  await put(writer, "d2/b.md", "une pompe\n");
  expect(await found(reader, scope)).toEqual(["d/a.md", "d2/b.md"]);
  await writer.move("d/a.md", "e/a.md");
  expect(await found(reader, scope)).toEqual(["d2/b.md"]);
  await writer.clear();
  expect(await found(reader, scope)).toEqual([]);
});

it("a search during a load that fails does not spoil those after it", async () => {
  const index = await indexOf(["d/a.md"]);
  const scope = [parseScope("vault/d/**")];
  const steps = async function* (): AsyncGenerator<"commit"> {
    yield "commit";
    expect(await found(index, scope)).toEqual(["d/a.md"]);
    throw new Error("the disk is gone");
  };
  await expect(index.load(steps())).rejects.toThrow("the disk is gone");
  expect(await found(index, scope)).toEqual(["d/a.md"]);
});
