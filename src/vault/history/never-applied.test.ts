import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { create, move, remove, splice, undo, update } from "../../testing/suites/changes.ts";
import { codeOf } from "../../testing/expected-error.ts";
import { snapshotOf } from "../../testing/tree-snapshot.ts";
import { temporaryVault } from "../../testing/temporary-vault.ts";
import type { Vault } from "../vault.ts";

const RUN = "run-7";
const LARGE = "line of a long file\n".repeat(60_000);
const files = {
  "a.md": "one\n",
  "b.md": "b\n",
  "folder/c.md": "c\n",
  "large.md": LARGE,
};

/** One change of every kind; the ids of their entries. */
async function run(vault: Vault): Promise<string[]> {
  return [
    await update(vault, "a.md", "two\n", RUN),
    await update(vault, "a.md", "three\n", RUN),
    await create(vault, "new/d.md", "d\n", RUN),
    await splice(
      vault,
      "large.md",
      { at: 20, removed: 20, inserted: "inserted\n", headBytes: 0 },
      RUN,
    ),
    await move(vault, "b.md", "moved/b.md", RUN),
    await remove(vault, "folder", RUN),
  ];
}

const takeBack = async (vault: Vault): Promise<unknown> =>
  vault.undo(RUN, { actor: "test", force: false, wasKilled: true });

describe("taking back the run of a killed process", () => {
  it.each([0, 1, 2, 3, 4, 5, 6])(
    "goes on where an undo was cut short after %i changes",
    async (count) => {
      const vault = temporaryVault(files);
      const before = snapshotOf(vault.root);
      const ids = await run(vault);
      for (const id of ids.toReversed().slice(0, count)) await undo(vault, id);
      await takeBack(vault);
      expect(snapshotOf(vault.root)).toEqual(before);
    },
  );

  it("leaves out a last change that was announced and never made", async () => {
    const vault = temporaryVault(files);
    const before = snapshotOf(vault.root);
    await update(vault, "a.md", "two\n", RUN);
    await create(vault, "d.md", "d\n", RUN);
    // As if its process had been killed between the record and the rename.
    rmSync(path.join(vault.root, "d.md"));
    expect(await codeOf(() => undo(vault, RUN))).toBe("conflict");
    await takeBack(vault);
    expect(snapshotOf(vault.root)).toEqual(before);
  });

  it("refuses, and changes nothing, when somebody wrote to one of the files since", async () => {
    const vault = temporaryVault(files);
    await run(vault);
    writeFileSync(path.join(vault.root, "a.md"), "three, and mine\n");
    const before = snapshotOf(vault.root);
    expect(await codeOf(() => takeBack(vault))).toBe("conflict");
    expect(snapshotOf(vault.root)).toEqual(before);
  });
});
