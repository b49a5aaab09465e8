import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { describe, expect, it } from "vitest";

import { startChild } from "../../testing/processes/child.ts";
import { leftovers, snapshotOf } from "../../testing/tree-snapshot.ts";
import { temporaryVault } from "../../testing/temporary-vault.ts";
import { createVault, type LocalVault } from "../vault.ts";

const NOTES = 150;
const BATCH = "adoption";
const PAST = new Date("2021-05-06T07:08:09.010Z");
const BY = { actor: "test", force: false };
const nameOf = (at: number): string => `d${at % 7}/note ${at}.md`;
const files = Object.fromEntries(
  Array.from({ length: NOTES }, (_, at) => [nameOf(at), `# Note ${at}\r\n\r\nle texte ${at}\n`]),
);

/** A vault whose notes were all stamped as an adoption does. */
async function adopted(): Promise<LocalVault> {
  const vault = temporaryVault(files);
  for (const name of Object.keys(files)) utimesSync(path.join(vault.root, name), PAST, PAST);
  const author = { actor: "test", call: "adopt", batch: BATCH, isPinned: true };
  const entry = { id: "a1", at: new Date(), author };
  for (const name of Object.keys(files))
    await vault.stamp(name, () => ({
      created: "2026-01-01T00:00:00",
      updated: "2026-01-01T00:00:00",
      entry,
    }));
  return vault;
}

describe("taking back the stamps of many notes", () => {
  it("brings back every byte, tells how far it is, and can itself be undone", async () => {
    const vault = await adopted();
    const stamped = snapshotOf(vault.root);
    const told: number[] = [];
    const past = statSync(path.join(vault.root, nameOf(0))).mtimeMs;
    const undone = await vault.undo(BATCH, { ...BY, onProgress: (done) => told.push(done) });
    for (const [name, text] of Object.entries(files))
      expect(readFileSync(path.join(vault.root, name), "utf8")).toBe(text);
    // Whoever sorts notes by their times finds them where they were.
    expect(
      Math.abs(statSync(path.join(vault.root, nameOf(0))).mtimeMs - PAST.getTime()),
    ).toBeLessThan(1);
    expect(past).toBeGreaterThan(PAST.getTime() + 1000);
    expect(undone).toMatchObject({ id: expect.any(String), skipped: [] });
    expect(undone.changes).toHaveLength(NOTES);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.length).toBeGreaterThan(1);
    expect(told.at(-1)).toBe(NOTES);
    await vault.undo(undone.id ?? "", BY);
    expect(snapshotOf(vault.root)).toEqual(stamped);
  });

  it("leaves what changed since and what is gone, names it, and takes it back when it is forced to", async () => {
    const vault = await adopted();
    appendFileSync(path.join(vault.root, nameOf(3)), "et encore\n");
    rmSync(path.join(vault.root, nameOf(80)));
    const { skipped, changes } = await vault.undo(BATCH, BY);
    expect(skipped.toSorted()).toEqual([nameOf(3), nameOf(80)].toSorted());
    expect(changes).toHaveLength(NOTES - 2);
    expect(readFileSync(path.join(vault.root, nameOf(3)), "utf8")).toMatch(/et encore\n$/u);
    const forced = await vault.undo(BATCH, { ...BY, force: true });
    // Those that are back already need nothing.
    expect(forced.changes.map((change) => change.path).toSorted()).toEqual(skipped.toSorted());
    for (const [name, text] of Object.entries(files))
      expect(readFileSync(path.join(vault.root, name), "utf8")).toBe(text);
  });

  it.each([1, 2, 3])(
    "leaves every note whole when it is killed in the middle, and goes on when it is asked again (%i)",
    async () => {
      const vault = await adopted();
      const stamped = snapshotOf(vault.root);
      const script = new URL("../../testing/processes/undo-until-killed.ts", import.meta.url);
      const child = startChild(script, [vault.root, vault.state, BATCH]);
      await child.printed("undoing");
      await wait(Math.random() * 40);
      await child.kill();
      for (const [name, text] of Object.entries(files)) {
        const isStamped = snapshotOf(vault.root)[name] === stamped[name];
        if (!isStamped) expect(readFileSync(path.join(vault.root, name), "utf8")).toBe(text);
      }
      const next = createVault({ root: vault.root, state: vault.state });
      await next.sweep(leftovers(vault.root));
      await next.undo(BATCH, BY);
      next.close();
      for (const [name, text] of Object.entries(files))
        expect(readFileSync(path.join(vault.root, name), "utf8")).toBe(text);
      expect(readdirSync(vault.root, { recursive: true })).toHaveLength(NOTES + 7);
    },
  );
});
