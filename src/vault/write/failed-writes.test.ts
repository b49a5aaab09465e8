import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { create, logOf, move, remove, splice, undo, update } from "../../testing/suites/changes.ts";
import { codeOf, refusalOf } from "../../testing/expected-error.ts";
import { asOrdinaryUser } from "../../testing/ordinary-user.ts";
import { snapshotOf } from "../../testing/tree-snapshot.ts";
import { temporaryFolder, temporaryVault } from "../../testing/temporary-vault.ts";
import { createVault, type LocalVault } from "../vault.ts";

const at = (vault: LocalVault, name: string): string => path.join(vault.root, name);

describe("a write into a folder that may not be written", () => {
  const tries: [string, (vault: LocalVault) => Promise<unknown>][] = [
    ["creating", async (vault) => create(vault, "clos/neuf.md", "neuf")],
    ["creating in a new folder", async (vault) => create(vault, "clos/x/y/neuf.md", "neuf")],
    ["updating", async (vault) => update(vault, "clos/a.md", "neuf")],
    [
      "splicing",
      async (vault) =>
        splice(vault, "clos/a.md", { at: 0, removed: 0, inserted: "neuf", headBytes: 0 }),
    ],
    ["removing", async (vault) => remove(vault, "clos/a.md")],
    ["removing a folder", async (vault) => remove(vault, "clos/sous")],
    ["moving into it", async (vault) => move(vault, "libre.md", "clos/libre.md")],
    ["moving into a new folder of it", async (vault) => move(vault, "libre.md", "clos/x/l.md")],
    ["moving a file out of it", async (vault) => move(vault, "clos/a.md", "dehors.md")],
    [
      "moving a file out of it to a new folder",
      async (vault) => move(vault, "clos/a.md", "x/y/a.md"),
    ],
    ["moving a folder out of it", async (vault) => move(vault, "clos/sous", "x/sous")],
    ["renaming in it", async (vault) => move(vault, "clos/a.md", "clos/b.md")],
  ];

  it.each(tries)("is refused, and leaves vault and log as they were: %s", async (_, attempt) => {
    const vault = temporaryVault({ "clos/a.md": "a", "clos/sous/b.md": "b", "libre.md": "l" });
    await update(vault, "libre.md", "libre");
    await asOrdinaryUser(path.dirname(vault.root), async () => {
      chmodSync(at(vault, "clos"), 0o555);
      try {
        const [tree, log] = [snapshotOf(vault.root, { times: true }), await logOf(vault)];
        expect(await codeOf(async () => attempt(vault))).toBe("no_permission");
        expect(snapshotOf(vault.root, { times: true })).toEqual(tree);
        expect(await logOf(vault)).toEqual(log);
      } finally {
        chmodSync(at(vault, "clos"), 0o755);
      }
    });
  });

  it("is refused when it would undo, and nothing of the batch is undone", async () => {
    const vault = temporaryVault({ "clos/a.md": "a", "libre.md": "l" });
    await update(vault, "clos/a.md", "aa", "run");
    await update(vault, "libre.md", "ll", "run");
    await create(vault, "neuf/n.md", "n", "run");
    await asOrdinaryUser(path.dirname(vault.root), async () => {
      chmodSync(at(vault, "clos"), 0o555);
      try {
        const [tree, log] = [snapshotOf(vault.root), await logOf(vault)];
        expect(await codeOf(async () => undo(vault, "run"))).toBe("no_permission");
        expect(snapshotOf(vault.root)).toEqual(tree);
        expect(await logOf(vault)).toEqual(log);
      } finally {
        chmodSync(at(vault, "clos"), 0o755);
      }
    });
  });
});

describe("a write whose folder goes away meanwhile", () => {
  it.each(["removed", "moved"])("changes nothing when the folder is %s", async (how) => {
    const vault = temporaryVault({ "d/a.md": "un\n", "e/b.md": "b\n" });
    const changing = async (): Promise<unknown> =>
      vault.change({ actor: "t", call: "t", batch: null }, async (change) => {
        const seen = await change.readWhole("d/a.md");
        if (how === "removed") rmSync(at(vault, "d"), { recursive: true });
        else renameSync(at(vault, "d"), at(vault, "ailleurs"));
        await change.writer.update(seen, Buffer.from("deux\n"));
      });
    expect(["not_found", "conflict"]).toContain(await codeOf(changing));
    const tree = Object.keys(snapshotOf(vault.root));
    expect(tree).toEqual(
      how === "removed" ? ["e", "e/b.md"] : ["ailleurs", "ailleurs/a.md", "e", "e/b.md"],
    );
    expect(await logOf(vault)).toEqual([]);
  });

  it("gives an error one can act on when a looked-at entry is gone before it is moved or removed", async () => {
    const vault = temporaryVault({ "a.md": "a\n", "b.md": "b\n" });
    for (const name of ["a.md", "b.md"]) {
      // Called after the entry was looked up.
      const guard = (): void => rmSync(at(vault, name), { force: true });
      const changing = async (): Promise<unknown> =>
        vault.change({ actor: "t", call: "t", batch: null, guard }, async ({ writer }) => {
          if (name === "a.md") await writer.move(name, "neuf/c.md");
          else await writer.remove(name);
        });
      expect(await codeOf(changing)).toBe("not_found");
    }
    expect(snapshotOf(vault.root)).toEqual({});
    expect(await logOf(vault)).toEqual([]);
  });
});

describe("a state folder that cannot be used", () => {
  async function refusedChange(vault: LocalVault): Promise<string> {
    const tree = snapshotOf(vault.root, { times: true });
    const refusal = await refusalOf(async () => update(vault, "a.md", "deux"));
    expect(refusal?.code).toBe("unavailable");
    expect(snapshotOf(vault.root, { times: true })).toEqual(tree);
    return refusal?.message ?? "";
  }

  it("is named in the refusal when it is a file, and nothing is changed", async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, "notes"));
    writeFileSync(path.join(folder, "notes", "a.md"), "un");
    writeFileSync(path.join(folder, "state"), "un fichier");
    const vault = createVault({
      root: path.join(folder, "notes"),
      state: path.join(folder, "state", "v"),
    });
    expect(await refusedChange(vault)).toContain(path.join(folder, "state", "v"));
  });

  it("is named in the refusal when it may not be made", async () => {
    const vault = temporaryVault({ "a.md": "un" });
    const above = path.dirname(vault.root);
    await asOrdinaryUser(above, async () => {
      chmodSync(above, 0o555);
      try {
        expect(await refusedChange(vault)).toContain(vault.state);
      } finally {
        chmodSync(above, 0o755);
      }
    });
    expect(existsSync(vault.state)).toBe(false);
  });

  it.each([
    ["empty and read-only", 0o555, 0o444, false],
    ["full of read-only files", 0o555, 0o444, true],
    ["writable, its files not", 0o755, 0o444, true],
    ["closed", 0o000, 0o644, true],
  ])("is named in the refusal when it is %s", async (_, folderMode, fileMode, used) => {
    const vault = temporaryVault({ "a.md": "un" });
    if (used) await create(vault, "b.md", "b");
    else mkdirSync(vault.state);
    vault.close();
    await asOrdinaryUser(path.dirname(vault.root), async () => {
      for (const name of Object.keys(snapshotOf(vault.state))) {
        chmodSync(path.join(vault.state, name), fileMode);
      }
      chmodSync(vault.state, folderMode);
      try {
        expect(await refusedChange(vault)).toContain(vault.state);
        // And once more: a first failure does not leave it half open.
        expect(await refusedChange(vault)).toContain(vault.state);
      } finally {
        chmodSync(vault.state, 0o755);
        vault.close();
      }
    });
  });

  it.each(["history.sqlite", "write-lock.sqlite"])(
    "is named in the refusal when its %s is damaged",
    async (name) => {
      const vault = temporaryVault({ "a.md": "un" });
      mkdirSync(vault.state);
      writeFileSync(path.join(vault.state, name), "ceci n'est pas une base de données".repeat(200));
      expect(await refusedChange(vault)).toContain(vault.state);
    },
  );

  it("lets reading go on", async () => {
    const vault = temporaryVault({ "a.md": "un" });
    writeFileSync(vault.state, "un fichier");
    const text = await vault.openText("a.md");
    expect(text.range(1, 1).lines).toEqual(["un"]);
    expect((await Array.fromAsync(vault.walk(""))).map(({ path: name }) => name)).toEqual(["a.md"]);
  });
});
