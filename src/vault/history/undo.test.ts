import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { create, logOf, move, remove, splice, undo, update } from "../../testing/suites/changes.ts";
import { codeOf } from "../../testing/expected-error.ts";
import { leftovers, snapshotOf } from "../../testing/tree-snapshot.ts";
import { temporaryVault } from "../../testing/temporary-vault.ts";
import { stampFrontmatter } from "../files/frontmatter.ts";
import type { LocalVault } from "../vault.ts";

const at = (vault: LocalVault, name: string): string => path.join(vault.root, name);
const read = (vault: LocalVault, name: string): string => readFileSync(at(vault, name), "utf8");

const files = {
  "a.md": "---\ntitre: A\n---\n\nPremière ligne\r\nseconde\r\n",
  "dossier/b.md": "\ufeffavec une marque\n",
  "dossier/sous/c.md": "sans fin de ligne",
  "dossier/.caché": "caché",
};

const changes: [string, (vault: LocalVault) => Promise<string>][] = [
  ["a creation", async (vault) => create(vault, "neuf.md", "neuf\n")],
  ["a creation in new folders", async (vault) => create(vault, "x/y/z.md", "neuf\n")],
  ["an update", async (vault) => update(vault, "a.md", "autre\n")],
  ["an update to nothing", async (vault) => update(vault, "a.md", "")],
  [
    "a splice",
    async (vault) =>
      splice(vault, "a.md", { at: 21, removed: 5, inserted: "autre", headBytes: 17 }),
  ],
  ["the move of a file", async (vault) => move(vault, "a.md", "z.md")],
  ["a move into new folders", async (vault) => move(vault, "a.md", "x/y/a.md")],
  ["the move of a folder", async (vault) => move(vault, "dossier", "x/autre")],
  ["the removal of a file", async (vault) => remove(vault, "dossier/b.md")],
  ["the removal of a folder", async (vault) => remove(vault, "dossier")],
];

describe.each(changes)("undoing %s", (_, change) => {
  it("brings back exactly what was there", async () => {
    const vault = temporaryVault(files);
    const before = snapshotOf(vault.root);
    await undo(vault, await change(vault));
    expect(snapshotOf(vault.root)).toEqual(before);
  });

  it("can itself be undone, and that again", async () => {
    const vault = temporaryVault(files);
    const before = snapshotOf(vault.root);
    const id = await change(vault);
    const after = snapshotOf(vault.root);
    const undone = await undo(vault, id);
    const redone = await undo(vault, undone);
    expect(snapshotOf(vault.root)).toEqual(after);
    await undo(vault, redone);
    expect(snapshotOf(vault.root)).toEqual(before);
  });

  it("is refused the second time, and changes nothing", async () => {
    const vault = temporaryVault(files);
    const id = await change(vault);
    await undo(vault, id);
    const [tree, log] = [snapshotOf(vault.root, { times: true }), await logOf(vault)];
    expect(await codeOf(async () => undo(vault, id))).toBe("conflict");
    expect(snapshotOf(vault.root, { times: true })).toEqual(tree);
    expect(await logOf(vault)).toEqual(log);
  });

  it("is written in the log: what undid what", async () => {
    const vault = temporaryVault(files);
    const id = await change(vault);
    const undone = await undo(vault, id);
    expect((await vault.entries(id))[0]).toMatchObject({ undoneBy: undone, undoes: null });
    expect((await vault.entries(undone))[0]).toMatchObject({
      undoes: id,
      undoneBy: null,
      call: "undo",
    });
  });
});

describe("what changed since", () => {
  it("refuses to undo an update, keeps it with force, and can bring that back", async () => {
    const vault = temporaryVault({ "a.md": "un\n" });
    const id = await update(vault, "a.md", "deux\n");
    writeFileSync(at(vault, "a.md"), "à la main\n");
    expect(await codeOf(async () => undo(vault, id))).toBe("conflict");
    expect(read(vault, "a.md")).toBe("à la main\n");
    const forced = await undo(vault, id, { force: true });
    expect(read(vault, "a.md")).toBe("un\n");
    await undo(vault, forced);
    expect(read(vault, "a.md")).toBe("à la main\n");
  });

  it("refuses to undo a creation whose text was changed, and keeps that text with force", async () => {
    const vault = temporaryVault();
    const id = await create(vault, "a.md", "un\n");
    writeFileSync(at(vault, "a.md"), "à la main\n");
    expect(await codeOf(async () => undo(vault, id))).toBe("conflict");
    const forced = await undo(vault, id, { force: true });
    expect((await vault.find("a.md")).kind).toBe("missing");
    await undo(vault, forced);
    expect(read(vault, "a.md")).toBe("à la main\n");
  });

  it("refuses to undo a removal where something else is now, and keeps that with force", async () => {
    const vault = temporaryVault({ "a.md": "un\n" });
    const id = await remove(vault, "a.md");
    writeFileSync(at(vault, "a.md"), "autre chose\n");
    expect(await codeOf(async () => undo(vault, id))).toBe("conflict");
    const forced = await undo(vault, id, { force: true });
    expect(read(vault, "a.md")).toBe("un\n");
    await undo(vault, forced);
    expect(read(vault, "a.md")).toBe("autre chose\n");
  });

  it("undoes a removal and a move where only empty folders are now, as a killed process leaves them", async () => {
    const vault = temporaryVault(files);
    const before = snapshotOf(vault.root);
    const removed = await remove(vault, "dossier");
    mkdirSync(at(vault, "dossier/neuf/vide"), { recursive: true });
    const undone = await undo(vault, removed);
    expect(snapshotOf(vault.root)).toEqual(before);
    await undo(vault, undone);
    expect(snapshotOf(at(vault, "dossier"))).toEqual({
      neuf: expect.anything(),
      "neuf/vide": expect.anything(),
    });
    const moved = await move(vault, "a.md", "z.md");
    mkdirSync(at(vault, "a.md"));
    await undo(vault, moved);
    expect(read(vault, "a.md")).toBe(files["a.md"]);
  });

  it.each([".caché", "sous/x.md"])(
    "refuses it where a folder holds as little as %s",
    async (name) => {
      const vault = temporaryVault(files);
      const removed = await remove(vault, "dossier");
      mkdirSync(path.dirname(at(vault, `dossier/${name}`)), { recursive: true });
      writeFileSync(at(vault, `dossier/${name}`), "");
      const tree = snapshotOf(vault.root);
      expect(await codeOf(async () => undo(vault, removed))).toBe("conflict");
      expect(snapshotOf(vault.root)).toEqual(tree);
    },
  );

  it("refuses to undo a move where something else is now, and keeps that with force", async () => {
    const vault = temporaryVault({ "a.md": "un\n" });
    const id = await move(vault, "a.md", "b.md");
    mkdirSync(at(vault, "a.md"));
    writeFileSync(at(vault, "a.md/x.md"), "x\n");
    const before = snapshotOf(vault.root);
    expect(await codeOf(async () => undo(vault, id))).toBe("conflict");
    const forced = await undo(vault, id, { force: true });
    expect(read(vault, "a.md")).toBe("un\n");
    await undo(vault, forced);
    expect(snapshotOf(vault.root)).toEqual(before);
  });

  it("refuses, even with force, to move back what is no longer there", async () => {
    const vault = temporaryVault({ "a.md": "un\n" });
    const id = await move(vault, "a.md", "b.md");
    rmSync(at(vault, "b.md"));
    for (const force of [false, true]) {
      expect(await codeOf(async () => undo(vault, id, { force }))).toBe("conflict");
    }
  });

  it("refuses to undo the update of a file that is gone, and creates it again with force", async () => {
    const vault = temporaryVault({ "d/a.md": "un\n" });
    const id = await update(vault, "d/a.md", "deux\n");
    rmSync(at(vault, "d"), { recursive: true });
    expect(await codeOf(async () => undo(vault, id))).toBe("conflict");
    await undo(vault, id, { force: true });
    expect(read(vault, "d/a.md")).toBe("un\n");
  });

  it.each(["create", "update"])(
    "keeps, with force, a folder that took the place of a file (%s)",
    async (kind) => {
      const vault = temporaryVault(kind === "update" ? { "a.md": "un\n" } : {});
      const change = kind === "update" ? update : create;
      const id = await change(vault, "a.md", "deux\n");
      rmSync(at(vault, "a.md"));
      mkdirSync(at(vault, "a.md"));
      writeFileSync(at(vault, "a.md/x.md"), "x\n");
      const before = snapshotOf(vault.root);
      expect(await codeOf(async () => undo(vault, id))).not.toBe("done");
      expect(snapshotOf(vault.root)).toEqual(before);
      const forced = await undo(vault, id, { force: true });
      await undo(vault, forced);
      expect(snapshotOf(vault.root)).toEqual(before);
    },
  );

  it("refuses to take back a folder brought back when a link in it was turned elsewhere", async () => {
    const vault = temporaryVault({ "d/a.md": "a", "cible.md": "c" });
    symlinkSync("a.md", at(vault, "d/lien.md"));
    const restored = await undo(vault, await remove(vault, "d"));
    rmSync(at(vault, "d/lien.md"));
    symlinkSync("../cible.md", at(vault, "d/lien.md"));
    expect(await codeOf(async () => undo(vault, restored))).toBe("conflict");
  });

  it("does not take the job's own lines for a change", async () => {
    const vault = temporaryVault({ "a.md": "---\ntitre: A\n---\n\nun\n" });
    const id = await update(vault, "a.md", "---\ntitre: A\n---\n\ndeux\n");
    const stamped = stampFrontmatter(read(vault, "a.md"), {
      created: "2026-01-02T03:04:05",
      updated: "2026-01-02T03:04:05",
    });
    writeFileSync(at(vault, "a.md"), stamped.kind === "stamped" ? stamped.text : "");
    await undo(vault, id);
    expect(read(vault, "a.md")).toContain("un\n");
  });

  it("does not take the job's first frontmatter for a change", async () => {
    const vault = temporaryVault();
    const id = await create(vault, "a.md", "texte sans rien\n");
    const stamped = stampFrontmatter(read(vault, "a.md"), { created: "2026-01-02T03:04:05" });
    writeFileSync(at(vault, "a.md"), stamped.kind === "stamped" ? stamped.text : "");
    await undo(vault, id);
    expect((await vault.find("a.md")).kind).toBe("missing");
  });

  it("takes a changed key of the person's for a change", async () => {
    const vault = temporaryVault({ "a.md": "---\ntitre: A\n---\nun\n" });
    const id = await update(vault, "a.md", "---\ntitre: A\n---\ndeux\n");
    writeFileSync(at(vault, "a.md"), "---\ntitre: B\n---\ndeux\n");
    expect(await codeOf(async () => undo(vault, id))).toBe("conflict");
  });
});

describe("leaving no trace", () => {
  it("removes the folders a creation made, but not when something is in them now", async () => {
    const vault = temporaryVault();
    const id = await create(vault, "x/y/a.md", "a");
    writeFileSync(at(vault, "x/b.md"), "à la main");
    await undo(vault, id);
    expect(Object.keys(snapshotOf(vault.root))).toEqual(["x", "x/b.md"]);
  });

  it("keeps a folder that was there before", async () => {
    const vault = temporaryVault({ "x/b.md": "b" });
    rmSync(at(vault, "x/b.md"));
    await undo(vault, await create(vault, "x/a.md", "a"));
    expect(Object.keys(snapshotOf(vault.root))).toEqual(["x"]);
  });

  it("keeps mode, line endings and byte-order mark of what it brings back", async () => {
    const content = "\ufeffun\r\ndeux\r\n";
    const vault = temporaryVault({ "a.md": content });
    chmodSync(at(vault, "a.md"), 0o640);
    await undo(vault, await update(vault, "a.md", "\ufeffun\r\n"));
    await undo(vault, await remove(vault, "a.md"));
    expect(snapshotOf(vault.root)["a.md"]).toMatch(/^file 640 /u);
    expect(readFileSync(at(vault, "a.md"))).toEqual(Buffer.from(content));
    expect(leftovers(vault.root)).toEqual([]);
  });
});
