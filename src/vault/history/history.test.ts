import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { create, move, remove, undo, update } from "../../testing/suites/changes.ts";
import { codeOf, refusalOf } from "../../testing/expected-error.ts";
import { temporaryFolder, temporaryVault, writeFiles } from "../../testing/temporary-vault.ts";
import type { KeepLimits } from "./history.ts";
import { createVault, type Vault } from "../vault.ts";

const DAY = 24 * 60 * 60 * 1000;
const START = new Date("2026-03-01T09:00:00Z").getTime();

/** A vault whose clock and limits the test holds; `open` opens it again, as the next start of the program does. */
function clockedVault(keep: KeepLimits): {
  open: (day: number) => Vault;
  root: string;
  at: (day: number) => void;
} {
  const folder = temporaryFolder();
  const root = path.join(folder, "notes");
  writeFiles(root, { "a.md": "0\n" });
  let now = START;
  let vault: Vault | null = null;
  onTestFinished(() => vault?.close());
  return {
    root,
    at: (day) => (now = START + day * DAY),
    open: (day) => {
      vault?.close();
      now = START + day * DAY;
      vault = createVault({
        root,
        state: path.join(folder, "state"),
        now: () => new Date(now),
        keep,
      });
      return vault;
    },
  };
}

const calls = async (vault: Vault): Promise<string[]> =>
  (await vault.log({ path: null, limit: 1000 })).map((entry) => entry.changes[0]?.path ?? "");

/** Bytes that no compression makes smaller. */
const noise = (seed: number, size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  let state = seed + 1;
  for (let at = 0; at < size; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
};

describe("the log", () => {
  it("says who, when, by which call and in which batch, newest first", async () => {
    const vault = temporaryVault({}, () => new Date(START));
    await create(vault, "a.md", "un", "run-1");
    await update(vault, "a.md", "deux");
    expect(await vault.log({ path: null, limit: 10 })).toMatchObject([
      { actor: "test", call: "update", batch: null, at: new Date(START) },
      { actor: "test", call: "create", batch: "run-1", undoes: null, undoneBy: null },
    ]);
    expect(await vault.log({ path: null, limit: 1 })).toHaveLength(1);
  });

  it("keeps the bytes before and after each change", async () => {
    const vault = temporaryVault({ "a.md": "avant" });
    await update(vault, "a.md", "après");
    const change = (await vault.log({ path: null, limit: 1 }))[0]?.changes[0];
    const kept = change?.kind === "modify" && "wholeBefore" in change.kept ? change.kept : null;
    expect((await vault.kept(kept?.wholeBefore ?? "")).toString()).toBe("avant");
    expect((await vault.kept(kept?.wholeAfter ?? "")).toString()).toBe("après");
    expect(await codeOf(() => vault.kept("00"))).toBe("not_found");
  });

  it("of a path holds what touched it, what is under it, and the folders above it", async () => {
    const vault = temporaryVault({ "p/a.md": "a", "p/s/b.md": "b", "pp/c.md": "c" });
    await update(vault, "p/a.md", "1");
    await update(vault, "p/s/b.md", "2");
    await update(vault, "pp/c.md", "3");
    await move(vault, "p", "q");
    await remove(vault, "q/s");
    const of = async (name: string): Promise<string[]> =>
      (await vault.log({ path: name, limit: 100 })).map((entry) => entry.call);
    expect(await of("p")).toEqual(["move", "update", "update"]);
    expect(await of("p/a.md")).toEqual(["move", "update"]);
    expect(await of("q/s/b.md")).toEqual(["remove", "move"]);
    expect(await of("pp")).toEqual(["update"]);
    expect(await of("100%_")).toEqual([]);
  });

  it("keeps the same bytes once, however often they are seen", async () => {
    const vault = temporaryVault({ "a.bin": "", "b.md": "b" });
    const bytes = noise(1, 100_000);
    for (const name of ["x.bin", "y.bin", "z.bin"]) await create(vault, name, bytes);
    for (const name of ["x.bin", "y.bin", "z.bin"]) await remove(vault, name);
    expect((await vault.historySize()).bytes).toBeLessThan(110_000);
    expect((await vault.historySize()).entries).toBe(6);
  });

  it("is for its owner's eyes only", async () => {
    const vault = temporaryVault();
    await create(vault, "a.md", "privé");
    expect(statSync(vault.state).mode & 0o077).toBe(0);
    expect(statSync(path.join(vault.state, "history.sqlite")).mode & 0o077).toBe(0);
  });

  it("is read by another process while this one writes", async () => {
    const vault = temporaryVault();
    await create(vault, "a.md", "un");
    const other = createVault({ root: vault.root, state: vault.state });
    onTestFinished(() => other.close());
    expect(await calls(other)).toEqual(["a.md"]);
    await create(vault, "b.md", "deux");
    expect(await calls(other)).toEqual(["b.md", "a.md"]);
  });
});

describe("an id", () => {
  it("may be shortened as long as it names one change", async () => {
    const vault = temporaryVault({}, () => new Date(START));
    const id = await create(vault, "a.md", "a");
    expect((await vault.entries(id.slice(0, -1)))[0]?.id).toBe(id);
    expect((await vault.entries(id.slice(0, 4)))[0]?.id).toBe(id);
  });

  it("is ambiguous when several begin so, and the refusal lists them", async () => {
    const vault = temporaryVault({ "a.md": "0" }, () => new Date(START));
    const ids = [await create(vault, "b.md", "b"), await create(vault, "c.md", "c")];
    const start = ids[0]?.slice(0, 6) ?? "";
    const refusal = await refusalOf(() => vault.entries(start));
    expect(refusal?.code).toBe("ambiguous");
    for (const id of ids) expect(refusal?.message).toContain(id);
    expect(await codeOf(async () => undo(vault, start))).toBe("ambiguous");
    expect((await vault.find("b.md")).kind).toBe("file");
  });

  it.each(["", " ", "zzzz", "%", "_", "*", "'", "MWI"])("%j names nothing", async (id) => {
    const vault = temporaryVault();
    await create(vault, "a.md", "a");
    expect(await codeOf(() => vault.entries(id))).toBe("not_found");
    expect(await codeOf(async () => undo(vault, id))).toBe("not_found");
    expect((await vault.find("a.md")).kind).toBe("file");
  });

  it("of a batch names all its entries, in the order they happened", async () => {
    const vault = temporaryVault({}, () => new Date(START));
    for (const name of ["1.md", "2.md", "3.md"]) await create(vault, name, name, "run-7");
    await create(vault, "4.md", "4");
    expect((await vault.entries("run-7")).map((entry) => entry.changes[0]?.path)).toEqual([
      "1.md",
      "2.md",
      "3.md",
    ]);
    expect(await codeOf(() => vault.entries("run-"))).toBe("not_found");
  });
});

describe("a clock that is set back", () => {
  it("does not change the order of the log, nor that in which a batch is undone", async () => {
    let now = START;
    const vault = temporaryVault({ "a.md": "0\n" }, () => new Date((now -= 60_000)));
    await update(vault, "a.md", "1\n", "run");
    await move(vault, "a.md", "b.md", "run");
    await update(vault, "b.md", "2\n", "run");
    await remove(vault, "b.md", "run");
    const called = (await vault.log({ path: null, limit: 10 })).map((entry) => entry.call);
    expect(called).toEqual(["remove", "update", "move", "update"]);
    await undo(vault, "run");
    expect(readFileSync(path.join(vault.root, "a.md"), "utf8")).toBe("0\n");
  });

  it("does not make the last change the first to be forgotten", async () => {
    const clock = clockedVault({ days: 10_000, bytes: 0 });
    const vault = clock.open(5);
    await create(vault, "b.md", "b\n");
    clock.at(3);
    const id = await update(vault, "a.md", "1\n");
    const later = clock.open(8);
    await undo(later, id);
    expect(readFileSync(path.join(clock.root, "a.md"), "utf8")).toBe("0\n");
  });
});

describe("forgetting", () => {
  it("drops entries past their days at the next start, and frees what only they kept", async () => {
    const clock = clockedVault({ days: 10, bytes: 1e9 });
    const vault = clock.open(0);
    await create(vault, "old.bin", noise(1, 50_000));
    await update(vault, "a.md", "1\n");
    clock.at(9);
    await create(vault, "new.bin", noise(2, 50_000));
    expect((await vault.historySize()).bytes).toBeGreaterThan(90_000);
    const later = clock.open(12);
    expect(await calls(later)).toEqual(["new.bin"]);
    expect((await later.historySize()).bytes).toBeLessThan(60_000);
    expect((await later.historySize()).bytes).toBeGreaterThan(40_000);
  });

  it("never drops the newest entry, however old", async () => {
    const clock = clockedVault({ days: 10, bytes: 0 });
    const vault = clock.open(0);
    await create(vault, "b.md", "b\n");
    const id = await update(vault, "a.md", "1\n");
    const later = clock.open(1000);
    expect(await calls(later)).toEqual(["a.md"]);
    await undo(later, id);
    expect(readFileSync(path.join(clock.root, "a.md"), "utf8")).toBe("0\n");
  });

  it("drops the oldest first when the kept bytes are too many, until they fit", async () => {
    const clock = clockedVault({ days: 10_000, bytes: 120_000 });
    const vault = clock.open(0);
    for (let at = 0; at < 8; at += 1) {
      clock.at(at / 100);
      await create(vault, `${at}.bin`, noise(at, 30_000));
    }
    const later = clock.open(2);
    expect((await later.historySize()).bytes).toBeLessThanOrEqual(120_000);
    expect(await calls(later)).toEqual(
      ["7.bin", "6.bin", "5.bin", "4.bin"].slice(0, (await calls(later)).length),
    );
    expect((await calls(later)).length).toBeGreaterThanOrEqual(3);
  });

  it("keeps bytes that a younger entry still needs", async () => {
    const clock = clockedVault({ days: 10, bytes: 1e9 });
    const vault = clock.open(0);
    const shared = noise(3, 20_000);
    await create(vault, "x.bin", shared);
    clock.at(9);
    const id = await remove(vault, "x.bin");
    const later = clock.open(12);
    await undo(later, id);
    expect(readFileSync(path.join(clock.root, "x.bin")).equals(shared)).toBe(true);
  });

  it("happens in a program that runs for months, too", async () => {
    const clock = clockedVault({ days: 10, bytes: 1e9 });
    const vault = clock.open(0);
    await create(vault, "old.md", "vieux\n");
    for (let day = 1; day <= 40; day += 13) {
      clock.at(day);
      await create(vault, `${day}.md`, `${day}\n`);
    }
    expect(await calls(vault)).not.toContain("old.md");
  });

  it("leaves an undo whose bytes are gone refused, not half done", async () => {
    const clock = clockedVault({ days: 10, bytes: 1e9 });
    const vault = clock.open(0);
    const id = await update(vault, "a.md", "1\n");
    clock.at(20);
    await create(vault, "b.md", "b\n");
    const later = clock.open(30);
    expect(await codeOf(async () => undo(later, id))).toBe("not_found");
    writeFileSync(path.join(clock.root, "a.md"), "main\n");
    expect(await codeOf(async () => undo(later, id, { force: true }))).toBe("not_found");
  });
});
