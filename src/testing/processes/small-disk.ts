/**
 * Run as a process, in a mount namespace of its own: what becomes of a vault when a disk is full, or when another one is mounted
 * in it. Prints what was seen as JSON. Arguments: the name of a scene, an empty folder on an ordinary disk.
 */
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  writeFileSync,
  writeSync,
  openSync,
  closeSync,
  fstatSync,
  ftruncateSync,
} from "node:fs";
import path from "node:path";

import { ExpectedError } from "../../errors.ts";
import { createVault, type Vault } from "../../vault/vault.ts";
import { create, logOf, move, remove, undo, update } from "../suites/changes.ts";
import { snapshotOf } from "../tree-snapshot.ts";

/** What a scene saw: how the call ended, and vault and log around it. */
export interface Seen {
  readonly code: string;
  readonly message: string;
  readonly treeBefore: unknown;
  readonly treeAfter: unknown;
  readonly logBefore: unknown;
  readonly logAfter: unknown;
  /** Whether the vault could be changed again once there was room. */
  readonly after: string;
}

const [scene = "", folder = ""] = process.argv.slice(2);
const root = path.join(folder, "notes");
const state = path.join(folder, "state");

function mount(place: string, size: string): void {
  mkdirSync(place, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", place]);
}

/** Fills a disk, to its last byte or leaving some room. Returns the file that does it. */
function fill(place: string, room = 0): string {
  const ballast = path.join(place, ".ballast");
  const fd = openSync(ballast, "w");
  try {
    for (let size = 64 * 1024; size >= 1;) {
      try {
        writeSync(fd, Buffer.alloc(size));
      } catch {
        size = Math.floor(size / 2);
      }
    }
  } finally {
    ftruncateSync(fd, fstatSync(fd).size - room);
    closeSync(fd);
  }
  return ballast;
}

async function endOf(work: () => Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await work();
    return { code: "done", message: "" };
  } catch (error) {
    if (error instanceof ExpectedError) return { code: error.code, message: error.message };
    return { code: "bug", message: String(error instanceof Error ? error.stack : error) };
  }
}

/** Does `work` while `full` is full, then makes room and changes something. */
async function whileFull(
  vault: Vault,
  full: string,
  work: () => Promise<unknown>,
  room = 0,
): Promise<Seen> {
  const ballast = fill(full, room);
  const [treeBefore, logBefore] = [snapshotOf(root), logOf(vault)];
  const end = await endOf(work);
  const [treeAfter, logAfter] = [snapshotOf(root), logOf(vault)];
  writeFileSync(ballast, "");
  const { code: after } = await endOf(async () => create(vault, "encore.md", "de la place\n"));
  return { ...end, treeBefore, treeAfter, logBefore, logAfter, after };
}

async function still(vault: Vault, work: () => Promise<unknown>): Promise<Seen> {
  const [treeBefore, logBefore] = [snapshotOf(root), logOf(vault)];
  const end = await endOf(work);
  const [treeAfter, logAfter] = [snapshotOf(root), logOf(vault)];
  const { code: after } = await endOf(async () => create(vault, "encore.md", "de la place\n"));
  return { ...end, treeBefore, treeAfter, logBefore, logAfter, after };
}

/** Room for the lock and a small entry, not for the bytes to keep. */
const NEARLY = 128 * 1024;
const LARGE = "une ligne de texte\n".repeat(10_000);

function open(): Vault {
  for (const name of ["a.md", "d/b.md", "d/sous/c.md"]) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), `ceci est ${name}\n`);
  }
  return createVault({ root, state });
}

/** A vault on a disk of one megabyte; the history elsewhere. */
function smallVault(): Vault {
  mount(root, "1m");
  return open();
}

/** A vault on an ordinary disk; the history on a disk of two megabytes. */
async function smallState(): Promise<Vault> {
  mkdirSync(root);
  mount(state, "2m");
  const vault = open();
  await create(vault, "avant.md", "avant\n");
  return vault;
}

const scenes: Record<string, () => Promise<Seen>> = {
  async "create on a full disk"() {
    const vault = smallVault();
    return whileFull(vault, root, async () => create(vault, "x/y/neuf.md", LARGE));
  },
  async "update on a full disk"() {
    const vault = smallVault();
    return whileFull(vault, root, async () => update(vault, "a.md", LARGE));
  },
  async "move into new folders on a full disk"() {
    const vault = smallVault();
    return whileFull(vault, root, async () => {
      await move(vault, "a.md", "x/y/a.md");
      await move(vault, "x/y/a.md", "a.md");
      for (const name of ["x/y", "x"]) await remove(vault, name);
      throw new ExpectedError("disk_full", "it may as well succeed: a name takes no room here");
    });
  },
  async "undo of a removal on a full disk"() {
    const vault = smallVault();
    writeFileSync(path.join(root, "d/grand.md"), LARGE);
    const id = await remove(vault, "d");
    return whileFull(vault, root, async () => undo(vault, id));
  },
  async "undo of a batch on a full disk"() {
    const vault = smallVault();
    writeFileSync(path.join(root, "d/grand.md"), LARGE);
    await update(vault, "a.md", "neuf\n", "run");
    await remove(vault, "d", "run");
    await create(vault, "e.md", "e\n", "run");
    return whileFull(vault, root, async () => undo(vault, "run"));
  },
  async "create with a full state disk"() {
    const vault = await smallState();
    return whileFull(vault, state, async () => create(vault, "x/neuf.md", noise(600_000)));
  },
  async "create with a nearly full state disk"() {
    const vault = await smallState();
    return whileFull(vault, state, async () => create(vault, "x/neuf.md", noise(600_000)), NEARLY);
  },
  async "update with a full state disk"() {
    const vault = await smallState();
    return whileFull(vault, state, async () => update(vault, "a.md", noise(600_000)));
  },
  async "update with a nearly full state disk"() {
    const vault = await smallState();
    return whileFull(vault, state, async () => update(vault, "a.md", noise(600_000)), NEARLY);
  },
  async "remove with a full state disk"() {
    const vault = await smallState();
    writeFileSync(path.join(root, "d/bruit.bin"), noise(3_000_000));
    return whileFull(vault, state, async () => remove(vault, "d"));
  },
  async "remove with a nearly full state disk"() {
    const vault = await smallState();
    writeFileSync(path.join(root, "d/bruit.bin"), noise(3_000_000));
    return whileFull(vault, state, async () => remove(vault, "d"), NEARLY);
  },
  async "first change with a full state disk"() {
    mkdirSync(root);
    mount(state, "2m");
    const vault = open();
    const ballast = fill(state);
    const treeBefore = snapshotOf(root, { times: true });
    const end = await endOf(async () => update(vault, "a.md", "neuf\n"));
    const treeAfter = snapshotOf(root, { times: true });
    writeFileSync(ballast, "");
    const { code: after } = await endOf(async () => create(vault, "encore.md", "de la place\n"));
    return { ...end, treeBefore, treeAfter, logBefore: [], logAfter: [], after };
  },
  async "move to another disk"() {
    mkdirSync(root);
    mount(path.join(root, "montée"), "1m");
    const vault = open();
    return still(vault, async () => move(vault, "a.md", "montée/x/y/a.md"));
  },
  async "move of a folder to another disk"() {
    mkdirSync(root);
    mount(path.join(root, "montée"), "1m");
    const vault = open();
    return still(vault, async () => move(vault, "d", "montée/x/d"));
  },
  async "remove of a mounted disk"() {
    mkdirSync(root);
    mount(path.join(root, "montée"), "1m");
    const vault = open();
    await create(vault, "montée/z.md", "z\n");
    return still(vault, async () => remove(vault, "montée"));
  },
  async "remove of a folder with a mounted disk in it"() {
    mkdirSync(root);
    mount(path.join(root, "d/montée"), "1m");
    const vault = open();
    await create(vault, "d/montée/z.md", "z\n");
    return still(vault, async () => remove(vault, "d"));
  },
  async "create in a vault with another disk mounted over it"() {
    mkdirSync(root);
    const vault = open();
    await create(vault, "avant.md", "avant\n");
    mount(root, "1m");
    const [treeBefore, logBefore] = [snapshotOf(root), logOf(vault)];
    const end = await endOf(async () => create(vault, "neuf.md", "neuf\n"));
    const [treeAfter, logAfter] = [snapshotOf(root), logOf(vault)];
    execFileSync("umount", [root]);
    const { code: after } = await endOf(async () => create(vault, "encore.md", "x\n"));
    return { ...end, treeBefore, treeAfter, logBefore, logAfter, after };
  },
  async "update on a read-only disk"() {
    const vault = smallVault();
    await create(vault, "avant.md", "avant\n");
    execFileSync("mount", ["-o", "remount,bind,ro", root]);
    const [treeBefore, logBefore] = [snapshotOf(root, { times: true }), logOf(vault)];
    const end = await endOf(async () => update(vault, "a.md", "neuf\n"));
    const [treeAfter, logAfter] = [snapshotOf(root, { times: true }), logOf(vault)];
    execFileSync("mount", ["-o", "remount,bind,rw", root]);
    const { code: after } = await endOf(async () => create(vault, "encore.md", "x\n"));
    return { ...end, treeBefore, treeAfter, logBefore, logAfter, after };
  },
};

/** Bytes that no compression makes smaller. */
function noise(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let seed = 1;
  for (let index = 0; index < size; index += 1) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = seed >>> 24;
  }
  return bytes;
}

const seen = await scenes[scene]?.();
process.stdout.write(
  JSON.stringify(seen ?? { code: `no scene ${scene}`, names: readdirSync(folder) }),
);
