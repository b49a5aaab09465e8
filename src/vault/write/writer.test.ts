import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { create, logOf, move, remove, splice, update } from "../../testing/suites/changes.ts";
import { codeOf } from "../../testing/expected-error.ts";
import { asOrdinaryUser } from "../../testing/ordinary-user.ts";
import { leftovers, snapshotOf } from "../../testing/tree-snapshot.ts";
import { temporaryVault } from "../../testing/temporary-vault.ts";
import type { Change } from "../history/history-types.ts";
import { ChangedMeanwhile, retryWhenChanged } from "./atomic-write.ts";
import type { LocalVault } from "../vault.ts";

const read = (vault: LocalVault, name: string): string =>
  readFileSync(path.join(vault.root, name), "utf8");

describe("creating", () => {
  it("makes the file and the folders above it", async () => {
    const vault = temporaryVault();
    await create(vault, "voyages/japon/kyoto.md", "érables\n");
    expect(read(vault, "voyages/japon/kyoto.md")).toBe("érables\n");
    expect(leftovers(vault.root)).toEqual([]);
  });

  it.each([
    ["a file", "là.md"],
    ["a folder", "dossier"],
    ["a link", "lien.md"],
  ])("refuses a name that %s already has, and changes nothing", async (_, name) => {
    const vault = temporaryVault({ "là.md": "là", "dossier/a.md": "a" });
    symlinkSync("là.md", path.join(vault.root, "lien.md"));
    const before = snapshotOf(vault.root, { times: true });
    expect(await codeOf(async () => create(vault, name, "neuf"))).toBe("already_exists");
    expect(snapshotOf(vault.root, { times: true })).toEqual(before);
    expect(await logOf(vault)).toEqual([]);
  });

  it("lets one of two creations of one name win", async () => {
    const vault = temporaryVault();
    const codes = await Promise.all(
      ["un", "deux", "trois"].map(async (text) => codeOf(async () => create(vault, "a.md", text))),
    );
    expect(codes.toSorted()).toEqual(["already_exists", "already_exists", "done"]);
    expect(await logOf(vault)).toHaveLength(1);
  });

  it("keeps any bytes as they are: none, NUL, CRLF, a byte-order mark", async () => {
    const vault = temporaryVault();
    const contents = [Buffer.alloc(0), Buffer.from([0, 255, 10]), Buffer.from("\ufeffa\r\nb\r\n")];
    for (const [at, bytes] of contents.entries()) {
      await create(vault, `${at}.bin`, bytes);
      expect(readFileSync(path.join(vault.root, `${at}.bin`))).toEqual(bytes);
    }
  });
});

describe("changing a file", () => {
  it("keeps its permissions, whatever they are", async () => {
    const vault = temporaryVault({ "a.md": "un\n" });
    for (const mode of [0o600, 0o755, 0o444, 0o640, 0o666]) {
      chmodSync(path.join(vault.root, "a.md"), mode);
      await update(vault, "a.md", `${mode}\n`);
      expect(statSync(path.join(vault.root, "a.md")).mode & 0o7777).toBe(mode);
    }
  });

  it("keeps its owner and group, as far as the user may", async () => {
    const vault = temporaryVault({ "a.md": "un\n" });
    const file = path.join(vault.root, "a.md");
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(file, 1234, 5678);
    const before = statSync(file);
    await update(vault, "a.md", "deux\n");
    await splice(vault, "a.md", { at: 0, removed: 0, inserted: "zéro\n", headBytes: 0 });
    expect(statSync(file)).toMatchObject({ uid: before.uid, gid: before.gid, mode: before.mode });
  });

  it("keeps the group of a file another member of a team owns", async () => {
    const vault = temporaryVault({ "a.md": "un\n" });
    const file = path.join(vault.root, "a.md");
    const groups = process.getgroups?.() ?? [];
    onTestFinished(() => {
      if (process.geteuid?.() === 0) process.setgroups?.(groups);
    });
    let gid = statSync(file).gid;
    if (process.getuid?.() === 0) {
      gid = 5678;
      process.setgroups?.([gid]);
    }
    await asOrdinaryUser(path.dirname(vault.root), async () => {
      const user = process.geteuid?.() ?? 0;
      if (process.getuid?.() === 0) {
        process.seteuid?.(0);
        chownSync(file, 1234, gid);
        chmodSync(file, 0o664);
        process.seteuid?.(user);
      }
      await update(vault, "a.md", "deux\n");
    });
    expect(statSync(file).gid).toBe(gid);
  });

  it("sees a change by another hand between the look and the write, and does not write", async () => {
    const vault = temporaryVault({ "a.md": "un\n" });
    const changing = async (): Promise<unknown> =>
      vault.change({ actor: "t", call: "t", batch: null }, async (change) => {
        const seen = await change.readWhole("a.md");
        writeFileSync(path.join(vault.root, "a.md"), "à la main\n");
        await change.writer.update(seen, Buffer.from("deux\n"));
      });
    await expect(changing()).rejects.toBeInstanceOf(ChangedMeanwhile);
    expect(read(vault, "a.md")).toBe("à la main\n");
    expect(await logOf(vault)).toEqual([]);
    expect(leftovers(vault.root)).toEqual([]);
  });

  it("sees that the file is gone meanwhile, and does not bring it back", async () => {
    const vault = temporaryVault({ "d/a.md": "un\n" });
    const other = temporaryVault();
    const changing = async (): Promise<unknown> =>
      vault.change({ actor: "t", call: "t", batch: null }, async (change) => {
        const seen = await change.readWhole("d/a.md");
        // Not through this vault, which is busy with this change.
        const { renameSync } = await import("node:fs");
        renameSync(path.join(vault.root, "d/a.md"), path.join(other.root, "a.md"));
        await change.writer.update(seen, Buffer.from("deux\n"));
      });
    expect(await codeOf(changing)).toBe("conflict");
    expect(snapshotOf(path.join(vault.root, "d"))).toEqual({});
    expect(await logOf(vault)).toEqual([]);
  });

  it("is tried again by retryWhenChanged until it lands", async () => {
    const vault = temporaryVault({ "a.md": "0\n" });
    let rounds = 0;
    await retryWhenChanged(async () =>
      vault.change({ actor: "t", call: "t", batch: null }, async (change) => {
        const seen = await change.readWhole("a.md");
        rounds += 1;
        if (rounds < 4) writeFileSync(path.join(vault.root, "a.md"), `${"main".repeat(rounds)}\n`);
        await change.writer.update(seen, Buffer.from(`${seen.text}fin\n`));
      }),
    );
    expect(read(vault, "a.md")).toBe("mainmainmain\nfin\n");
  });

  it("replaces a part of it, at the start, in the middle and at the end", async () => {
    const vault = temporaryVault({ "a.md": "un deux trois" });
    await splice(vault, "a.md", { at: 3, removed: 4, inserted: "2", headBytes: 0 });
    expect(read(vault, "a.md")).toBe("un 2 trois");
    await splice(vault, "a.md", { at: 0, removed: 2, inserted: "", headBytes: 0 });
    await splice(vault, "a.md", { at: 8, removed: 0, inserted: "!", headBytes: 0 });
    expect(read(vault, "a.md")).toBe(" 2 trois!");
  });
});

describe("moving", () => {
  it("takes a folder with all in it, hidden files too, and makes the folders above", async () => {
    const vault = temporaryVault({ "a/b.md": "b", "a/.secret": "s", "a/c/d.md": "d" });
    await move(vault, "a", "x/y/z");
    expect(Object.keys(snapshotOf(path.join(vault.root, "x/y/z"))).toSorted()).toEqual([
      ".secret",
      "b.md",
      "c",
      "c/d.md",
    ]);
    expect((await vault.find("a")).kind).toBe("missing");
  });

  it.each([
    ["a file to a file", "a.md", "b.md"],
    ["a file to a folder", "a.md", "plein"],
    ["a folder to a folder", "plein", "vide"],
    ["a folder to a file", "plein", "a.md"],
    ["a folder into itself", "plein", "plein/dedans"],
    ["a folder deep into itself", "plein", "plein/x/y/dedans"],
    ["a file under a file", "a.md", "b.md/a.md"],
  ])("refuses %s, and leaves no trace", async (_, from, to) => {
    const vault = temporaryVault({ "a.md": "a", "b.md": "b", "plein/c.md": "c" });
    mkdirSync(path.join(vault.root, "vide"));
    const before = snapshotOf(vault.root, { times: true });
    const code = await codeOf(async () => move(vault, from, to));
    expect(["already_exists", "invalid_argument", "not_a_folder"]).toContain(code);
    expect(snapshotOf(vault.root, { times: true })).toEqual(before);
    expect(await logOf(vault)).toEqual([]);
  });

  it("keeps mode and time of a file", async () => {
    const vault = temporaryVault({ "a.sh": "echo" });
    const file = path.join(vault.root, "a.sh");
    chmodSync(file, 0o755);
    utimesSync(file, 1_600_000_000.25, 1_600_000_000.25);
    const before = snapshotOf(vault.root, { times: true })["a.sh"];
    await move(vault, "a.sh", "bin/a.sh");
    expect(snapshotOf(vault.root, { times: true })["bin/a.sh"]).toBe(before);
  });

  it("never replaces a link that leads nowhere, even for a file that may not be linked", async () => {
    const vault = temporaryVault({ "a.md": "a" });
    const file = path.join(vault.root, "a.md");
    await asOrdinaryUser(path.dirname(vault.root), async () => {
      symlinkSync("nulle-part", path.join(vault.root, "lien.md"));
      // Linux lets nobody make a second name for another user's file.
      if (process.getuid?.() === 0) {
        process.seteuid?.(0);
        chownSync(file, 0, 0);
        chmodSync(file, 0o600);
        process.seteuid?.(65_534);
      }
      expect(await codeOf(async () => move(vault, "a.md", "lien.md"))).toBe("already_exists");
    });
    expect(snapshotOf(vault.root)["lien.md"]).toBe("link to nulle-part");
    expect(read(vault, "a.md")).toBe("a");
  });
});

describe("removing", () => {
  it("counts and takes everything under a folder", async () => {
    const vault = temporaryVault({ "a/b.md": "b", "a/.c": "c", "a/d/e.md": "e", "f.md": "f" });
    await remove(vault, "a");
    expect(Object.keys(snapshotOf(vault.root))).toEqual(["f.md"]);
  });

  it("refuses what is not there", async () => {
    const vault = temporaryVault({ "a.md": "a" });
    expect(await codeOf(async () => remove(vault, "b.md"))).toBe("not_found");
    expect(await codeOf(async () => remove(vault, ""))).not.toBe("done");
    expect(Object.keys(snapshotOf(vault.root))).toEqual(["a.md"]);
  });
});

describe("telling of changes", () => {
  it("names each change after it happened, and stops when told to", async () => {
    const vault = temporaryVault({ "a.md": "a" });
    const heard: string[] = [];
    const stop = vault.onChange((change: Change) => heard.push(`${change.kind} ${change.path}`));
    await update(vault, "a.md", "b");
    await move(vault, "a.md", "c.md");
    await remove(vault, "c.md");
    stop();
    await create(vault, "d.md", "d");
    expect(heard).toEqual(["modify a.md", "move a.md", "remove c.md"]);
  });

  it("gives null for the id of a change that changed nothing", async () => {
    const vault = temporaryVault();
    const { id, value } = await vault.change(
      { actor: "t", call: "t", batch: null },
      async () => "rien",
    );
    expect({ id, value }).toEqual({ id: null, value: "rien" });
    expect(await logOf(vault)).toEqual([]);
  });
});
