import { appendFileSync, chmodSync, mkdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { temporaryFolder, writeFiles } from "../../testing/temporary-vault.ts";
import { leftovers } from "../../testing/tree-snapshot.ts";
import { Disk } from "../disk.ts";
import { SqliteHistory } from "../history/sqlite-history.ts";
import type { Change } from "../history/history-types.ts";
import { LateWrites } from "./late-writes.ts";
import { replaceTogether, type RecordedWrites } from "./replace-together.ts";

const NAMES = ["a.md", "b.md", "d/c.md"];
const ENTRY = "e1";

interface Scene {
  readonly root: string;
  readonly parts: RecordedWrites & { readonly id: string };
  readonly history: SqliteHistory;
  readonly read: (name: string) => string;
  /** Gives every file the text `new`. */
  readonly replace: (
    parts?: RecordedWrites & { readonly id: string },
  ) => Promise<readonly string[]>;
  readonly done: Change[];
}

function scene(): Scene {
  const folder = temporaryFolder();
  const root = path.join(folder, "notes");
  mkdirSync(root);
  writeFiles(root, Object.fromEntries(NAMES.map((name) => [name, `old ${name}\n`])));
  const disk = new Disk(root);
  const late = new LateWrites({ apply: async () => null, keep: () => {} });
  const history = new SqliteHistory(path.join(folder, "state"));
  onTestFinished(() => {
    late.close();
    history.close();
  });
  const author = { actor: "test", call: "undo", batch: null };
  const parts = { disk, late, history, author, at: new Date(), id: ENTRY };
  const done: Change[] = [];
  return {
    root,
    parts,
    history,
    done,
    read: (name) => readFileSync(path.join(root, name), "utf8"),
    replace: async (given = parts) => {
      const seen = NAMES.map((name) => disk.readWhole(name));
      const wanted = seen.map(({ located, bytes }) => ({
        located,
        before: bytes,
        after: Buffer.from("new\n"),
      }));
      return replaceTogether(given, wanted, (change) => done.push(change));
    },
  };
}

/** A history that does something as soon as the changes are recorded, before any file is in place. */
function afterRecord(
  { parts, history }: Scene,
  act: () => void,
): RecordedWrites & { readonly id: string } {
  const recordAll: SqliteHistory["recordAll"] = async (entry, describe) => {
    const changes = await history.recordAll(entry, describe);
    act();
    return changes;
  };
  const acting = new Proxy(history, {
    get: (target, key) => {
      if (key === "recordAll") return recordAll;
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { ...parts, history: acting };
}

it("replaces all of them, keeps their modes, and records each", async () => {
  const all = scene();
  chmodSync(path.join(all.root, "b.md"), 0o640);
  expect(await all.replace()).toEqual([]);
  expect(NAMES.map(all.read)).toEqual(["new\n", "new\n", "new\n"]);
  expect(statSync(path.join(all.root, "b.md")).mode & 0o777).toBe(0o640);
  expect((await all.history.entry(ENTRY))?.changes).toEqual(all.done);
  expect(all.done.map((change) => change.path).toSorted()).toEqual(NAMES);
});

it("leaves one that another program changes after it was recorded, and takes its record back", async () => {
  const all = scene();
  const parts = afterRecord(all, () => appendFileSync(path.join(all.root, "b.md"), "mine\n"));
  expect(await all.replace(parts)).toEqual(["b.md"]);
  expect(NAMES.map(all.read)).toEqual(["new\n", "old b.md\nmine\n", "new\n"]);
  const recorded = (await all.history.entry(ENTRY))?.changes;
  expect(recorded?.map((change) => change.path).toSorted()).toEqual(["a.md", "d/c.md"]);
  expect(leftovers(all.root)).toEqual([]);
});

it("reports those that are in place when it fails, and records no other", async () => {
  const all = scene();
  const late = new LateWrites({ apply: async () => null, keep: () => {} });
  onTestFinished(() => late.close());
  let held = 0;
  const failing = new Proxy(late, {
    get: (target, key) => {
      if (key !== "hold") return Reflect.get(target, key);
      return (...args: Parameters<LateWrites["hold"]>) => {
        held += 1;
        if (held === 2) throw Object.assign(new Error("i/o error"), { code: "EIO" });
        return target.hold(...args);
      };
    },
  });
  await expect(all.replace({ ...all.parts, late: failing })).rejects.toThrow(/b\.md|c\.md|a\.md/u);
  expect(all.done).toHaveLength(1);
  expect((await all.history.entry(ENTRY))?.changes).toEqual(all.done);
  expect(NAMES.map(all.read).filter((text) => text === "new\n")).toHaveLength(1);
  expect(leftovers(all.root)).toEqual([]);
});

it("records and changes nothing when one cannot be written at all", async () => {
  const all = scene();
  const recordAll = async (): Promise<never> => {
    throw new Error("the state disk is full");
  };
  const refusing = new Proxy(all.history, {
    get: (target, key) => (key === "recordAll" ? recordAll : Reflect.get(target, key)),
  });
  await expect(all.replace({ ...all.parts, history: refusing })).rejects.toThrow("full");
  expect(NAMES.map(all.read)).toEqual(NAMES.map((name) => `old ${name}\n`));
  expect(await all.history.entry(ENTRY)).toBeNull();
  expect(leftovers(all.root)).toEqual([]);
});
