import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { create, move, remove, update } from "../../testing/suites/changes.ts";
import { startChild, type Child } from "../../testing/processes/child.ts";
import { codeOf } from "../../testing/expected-error.ts";
import { leftovers, snapshotOf } from "../../testing/tree-snapshot.ts";
import { temporaryVault } from "../../testing/temporary-vault.ts";
import type { LocalVault } from "../vault.ts";

const SECRET = "secret que personne ne doit lire\n".repeat(40);
const OURS = "ouvert à tous\n";
const MILLISECONDS = 1500;

interface Scene {
  readonly vault: LocalVault;
  readonly outside: string;
  readonly before: Record<string, string>;
  readonly swapper: Child;
}

/** A vault whose folder `jeu` is, every other instant, a link to a folder outside that holds a secret by the same names. */
async function swappedVault(): Promise<Scene> {
  const vault = temporaryVault({ "jeu/a.md": OURS, "jeu/sous/b.md": OURS, "calme.md": OURS });
  const outside = path.join(path.dirname(vault.root), "dehors");
  mkdirSync(path.join(outside, "sous"), { recursive: true });
  for (const name of ["a.md", "sous/b.md", "secret.md"]) {
    writeFileSync(path.join(outside, name), SECRET);
  }
  const before = snapshotOf(outside, { times: true });
  const script = new URL("../../testing/processes/swap-folder.ts", import.meta.url);
  const folder = path.join(vault.root, "jeu");
  const swapper = startChild(script, [folder, outside, String(MILLISECONDS)]);
  onTestFinished(async () => swapper.kill());
  await swapper.printed("swapping");
  return { vault, outside, before, swapper };
}

/** Calls `work` over and over while the folder is being swapped. Only expected errors may come out of it. */
async function whileSwapping({ swapper }: Scene, work: () => Promise<void>): Promise<number> {
  let done = 0;
  while (swapper.process.exitCode === null) {
    if ((await codeOf(work)) === "done") done += 1;
    await new Promise((next) => setImmediate(next));
  }
  const swaps = Number.parseInt((await swapper.finished()).split("\n")[1] ?? "0", 10);
  expect(swaps).toBeGreaterThan(0);
  return done;
}

describe("while a folder is swapped with a link that leaves the vault", () => {
  it("never reads a byte from outside", async () => {
    const scene = await swappedVault();
    const { vault } = scene;
    const done = await whileSwapping(scene, async () => {
      for (const name of ["jeu/a.md", "jeu/sous/b.md"]) {
        const text = await vault.openText(name);
        expect(text.range(1, 1).lines).toEqual([OURS.trimEnd()]);
        expect((await vault.readBytes(name, 1000)).bytes.toString()).toBe(OURS);
      }
    });
    expect(done).toBeGreaterThan(0);
  });

  it("never lists or measures what is outside", async () => {
    const scene = await swappedVault();
    const { vault } = scene;
    const names = new Set<string>();
    let most = 0;
    await whileSwapping(scene, async () => {
      for await (const { path: name } of vault.walk("jeu")) names.add(name);
      const shape = await vault.shape("jeu");
      most = Math.max(most, shape.kind === "folder" ? shape.tokens : 0);
    });
    expect([...names].filter((name) => name.includes("secret"))).toEqual([]);
    expect(most).toBeLessThanOrEqual(2 * Math.ceil(OURS.length / 4));
  });

  it("never makes, changes or leaves anything outside", async () => {
    const scene = await swappedVault();
    const { vault, outside, before } = scene;
    let round = 0;
    await whileSwapping(scene, async () => {
      round += 1;
      const work = [
        async () => update(vault, "jeu/a.md", `version ${round}\n`),
        async () => create(vault, `jeu/neuf-${round}.md`, OURS),
        async () => create(vault, `jeu/dossier-${round}/neuf.md`, OURS),
        async () => move(vault, "calme.md", "jeu/calme.md"),
        async () => move(vault, "jeu/calme.md", "calme.md"),
      ];
      for (const attempt of work) await codeOf(attempt);
    });
    expect(snapshotOf(outside, { times: true })).toEqual(before);
    expect(leftovers(vault.root)).toEqual([]);
    expect(readFileSync(path.join(vault.root, "jeu/a.md"), "utf8")).toMatch(
      /^version \d+\n$|^ouvert/u,
    );
  });

  it("never removes anything outside, nor takes it into the history", async () => {
    const scene = await swappedVault();
    const { vault, outside, before } = scene;
    await whileSwapping(scene, async () => {
      await codeOf(async () => create(vault, "jeu/a.md", OURS));
      await codeOf(async () => create(vault, "jeu/sous/b.md", OURS));
      await codeOf(async () => remove(vault, "jeu/a.md"));
      await codeOf(async () => remove(vault, "jeu/sous"));
    });
    expect(snapshotOf(outside, { times: true })).toEqual(before);
    const hashes = (await vault.log({ path: null, limit: 100_000 }))
      .flatMap(({ changes }) => changes)
      .flatMap((change) => (change.kind === "remove" ? change.items : []))
      .flatMap((item) => (item.kind === "file" ? [item.bytes] : []));
    const kept = await Promise.all(hashes.map(async (hash) => (await vault.kept(hash)).toString()));
    expect(kept.filter((text) => text.includes("secret"))).toEqual([]);
  });
});
