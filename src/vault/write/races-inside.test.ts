import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

import { describe, expect, it, onTestFinished } from "vitest";

import { create, move, remove, undo } from "../../testing/suites/changes.ts";
import { startChild, type Child } from "../../testing/processes/child.ts";
import { codeOf } from "../../testing/expected-error.ts";
import { snapshotOf } from "../../testing/tree-snapshot.ts";
import { temporaryVault, writeFiles } from "../../testing/temporary-vault.ts";
import type { LocalVault } from "../vault.ts";

const MILLISECONDS = 1500;
const FILES = 60;
const SWAP_INSIDE = new URL("../../testing/processes/swap-inside.ts", import.meta.url);
const PLANT_FILE = new URL("../../testing/processes/plant-file.ts", import.meta.url);
const REWRITE_FILE = new URL("../../testing/processes/rewrite-file.ts", import.meta.url);

function start(script: URL, ...args: string[]): Child {
  const child = startChild(script, args);
  onTestFinished(async () => child.kill());
  return child;
}

/** Calls `work` until a child has ended. Returns the errors that came out of it and that nobody expected. */
async function until(child: Child, work: () => Promise<void>): Promise<string[]> {
  const bugs = new Set<string>();
  while (child.process.exitCode === null && child.process.signalCode === null) {
    await codeOf(work).catch((error: unknown) => bugs.add(String(error).slice(0, 40)));
    await new Promise((next) => setImmediate(next));
  }
  return [...bugs];
}

/** A folder outside, with files by the names that the vault has, and many more. */
function outsideOf(vault: LocalVault): string {
  const outside = path.join(path.dirname(vault.root), "dehors");
  const files: Record<string, string> = {};
  for (let at = 0; at < FILES; at += 1) files[`${at}.md`] = `à moi ${at}\n`;
  mkdirSync(outside);
  writeFiles(outside, files);
  return outside;
}

/** Puts a furnished folder `d` in the vault, at once. */
function furnish(vault: LocalVault): void {
  const aside = path.join(path.dirname(vault.root), "à-part");
  const files: Record<string, string> = {};
  for (let at = 0; at < FILES; at += 1) files[`sous/${at}.md`] = `au coffre ${at}\n`;
  writeFiles(aside, { "a.md": "a\n", ...files });
  renameSync(aside, path.join(vault.root, "d"));
}

/** Removes a folder that others are changing; what is left of it goes the next time. */
function clear(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Swapped at this very moment.
  }
}

describe("while a folder inside a folder is swapped with a link that leaves the vault", () => {
  it("removes nothing outside with the folder, and keeps nothing from there", async () => {
    const vault = temporaryVault();
    const outside = outsideOf(vault);
    const before = snapshotOf(outside, { times: true });
    furnish(vault);
    const swapper = start(SWAP_INSIDE, vault.root, outside, String(MILLISECONDS));
    await swapper.printed("swapping");
    const bugs = await until(swapper, async () => {
      if (!existsSync(path.join(vault.root, "d"))) furnish(vault);
      await remove(vault, "d");
    });
    expect(snapshotOf(outside, { times: true })).toEqual(before);
    const hashes = (await vault.log({ path: null, limit: 100_000 }))
      .flatMap(({ changes }) => changes)
      .flatMap((change) => (change.kind === "remove" ? change.items : []))
      .flatMap((item) => (item.kind === "file" ? [item.bytes] : []));
    const kept = await Promise.all(hashes.map(async (hash) => (await vault.kept(hash)).toString()));
    expect(kept.filter((text) => text.startsWith("à moi"))).toEqual([]);
    expect(bugs).toEqual([]);
  });

  it("makes nothing outside when a removed folder is brought back", async () => {
    const vault = temporaryVault();
    const outside = path.join(path.dirname(vault.root), "dehors");
    mkdirSync(outside);
    furnish(vault);
    const id = await remove(vault, "d");
    const swapper = start(SWAP_INSIDE, vault.root, outside, String(MILLISECONDS));
    await swapper.printed("swapping");
    const bugs = await until(swapper, async () => {
      clear(path.join(vault.root, "d"));
      await undo(vault, id);
    });
    expect(snapshotOf(outside)).toEqual({});
    expect(bugs).toEqual([]);
  });
});

describe("while a file is written over", () => {
  it("keeps, under each hash, the bytes of that hash", async () => {
    const vault = temporaryVault();
    const file = path.join(vault.root, "a.bin");
    const size = 9 * 1024 * 1024;
    writeFileSync(file, Buffer.alloc(size, "x"));
    const writer = start(REWRITE_FILE, file, String(size), String(MILLISECONDS));
    await writer.printed("writing");
    const bugs = await until(writer, async () => {
      const id = await remove(vault, "a.bin");
      await undo(vault, id);
    });
    // Once more in peace: on a slow machine every attempt above may have been refused.
    await undo(vault, await remove(vault, "a.bin"));
    const database = new DatabaseSync(path.join(vault.state, "history.sqlite"), { readOnly: true });
    onTestFinished(() => database.close());
    const hashes = database
      .prepare("SELECT DISTINCT hash FROM blobs")
      .all()
      .map(({ hash }) => String(hash));
    for (const hash of hashes)
      expect(
        createHash("sha256")
          .update(await vault.kept(hash))
          .digest("hex"),
      ).toBe(hash);
    expect(hashes.length).toBeGreaterThan(0);
    expect(readFileSync(file)).toHaveLength(size);
    expect(bugs).toEqual([]);
  });
});

describe("while another program makes a file of the same name", () => {
  it.each(["undo", "create", "move"])(
    "%s replaces none of its files, and logs only what it did",
    async (kind) => {
      const vault = temporaryVault({ "a.md": "ancien\n", "b.md": "autre\n" });
      const file = path.join(vault.root, "a.md");
      const aside = path.join(path.dirname(vault.root), "à-part");
      mkdirSync(aside);
      const id = await remove(vault, "a.md");
      const planter = start(PLANT_FILE, file, "1000");
      await planter.printed("planting");
      let [round, done] = [0, 0];
      const log = (await vault.log({ path: null, limit: 100_000 })).length;
      const bugs = await until(planter, async () => {
        round += 1;
        if (existsSync(file)) renameSync(file, path.join(aside, String(round)));
        if (kind === "undo") await undo(vault, id);
        else if (kind === "create") await create(vault, "a.md", "neuf\n");
        else {
          if (!existsSync(path.join(vault.root, "b.md")))
            writeFiles(vault.root, { "b.md": "autre\n" });
          await move(vault, "b.md", "a.md");
        }
        done += 1;
      });
      expect(await planter.finished()).toMatch(/\n[1-9]\d* planted 0 lost\n$/u);
      expect(await vault.log({ path: null, limit: 100_000 })).toHaveLength(log + done);
      expect(bugs).toEqual([]);
    },
  );
});
