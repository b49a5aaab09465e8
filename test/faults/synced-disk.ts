import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

const SOURCE = path.join(import.meta.dirname, "synced-disk.c");

/**
 * What is left on a disk when power is cut: only what was synced; or every name, but of the content only what was synced, as on disks that
 * write names first.
 */
export type AfterCut = "only what was synced" | "all names, synced content";

/** What a sync made safe: of a file its content, of a folder its names, written down in `file`. */
interface Sync {
  readonly kind: "f" | "d";
  readonly inode: number;
  readonly file: string;
}

interface Name {
  readonly kind: string;
  readonly inode: number;
  readonly name: string;
}

/**
 * A disk that knows what a power cut would leave of it before each of its syncs, for one process with its {@link environment}. Needs Linux
 * and a C compiler.
 */
export class SyncedDisk {
  readonly environment: Readonly<Record<string, string>>;
  readonly #notes: string;
  readonly #root: number;
  /** The folders that were there at first, synced, by inode. */
  readonly #first = new Map<number, string>();

  /**
   * @param folder whose files are on it: folders without files, until now
   * @param scratch a folder for the library and its notes, elsewhere
   */
  constructor(folder: string, scratch: string) {
    const library = path.join(scratch, "synced-disk.so");
    execFileSync("cc", ["-O1", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl", "-lpthread"]);
    this.#notes = path.join(scratch, "syncs");
    mkdirSync(this.#notes);
    this.#root = this.#remember(folder);
    this.environment = {
      LD_PRELOAD: library,
      COFFRE_SYNCED_UNDER: folder,
      COFFRE_SYNCED_NOTES: this.#notes,
    };
  }

  #remember(folder: string): number {
    const lines = readdirSync(folder).map(
      (name) => `d ${this.#remember(path.join(folder, name))} ${name}\n`,
    );
    const { ino } = lstatSync(folder);
    this.#first.set(ino, lines.join(""));
    return ino;
  }

  /** How many syncs have come back until now. */
  get syncs(): number {
    return this.#made().length;
  }

  #made(): Sync[] {
    const made: Sync[] = [];
    for (const file of readdirSync(this.#notes)) {
      const [, turn = "", kind, inode = ""] = /^(\d+)\.([fd])\.(\d+)$/u.exec(file) ?? [];
      if (kind === "f" || kind === "d") made[Number(turn)] = { kind, inode: Number(inode), file };
    }
    return made;
  }

  /** Makes, in a new folder, what a power cut just before sync `turn` leaves. */
  cut(turn: number, how: AfterCut, to: string): void {
    const tree = path.join(this.#notes, `${turn}.tree`);
    if (!existsSync(tree)) throw new Error(`there was no sync ${turn}`);
    const last = new Map<number, string>();
    for (const { inode, file } of this.#made().slice(0, turn)) {
      // Again, as the last: a folder that was moved is where the last sync that knows its name found it.
      last.delete(inode);
      last.set(inode, path.join(this.#notes, file));
    }
    const synced = (inode: number): Buffer => {
      const file = last.get(inode);
      return file === undefined ? Buffer.from(this.#first.get(inode) ?? "") : readFileSync(file);
    };
    const names =
      how === "only what was synced"
        ? syncedNames(this.#root, synced, [...last.keys()])
        : namesIn(readFileSync(tree));
    rmSync(to, { recursive: true, force: true });
    mkdirSync(to);
    const copies = new Map<number, string>();
    for (const { kind, inode, name } of names) {
      const [copy, first] = [path.join(to, name), copies.get(inode)];
      if (kind === "d") mkdirSync(copy);
      else if (first === undefined) writeFileSync(copy, synced(inode));
      // Two names of one file are so after a power cut too.
      else linkSync(first, copy);
      copies.set(inode, copy);
    }
  }
}

/** All names that synced folders lead to. @param order of the syncs: a folder has one parent, the one that was synced last */
function syncedNames(
  root: number,
  synced: (inode: number) => Buffer,
  order: readonly number[],
): Name[] {
  const parents = new Map<number, number>();
  for (const folder of [root, ...order]) {
    for (const { kind, inode } of namesIn(synced(folder)))
      if (kind === "d") parents.set(inode, folder);
  }
  const under = (folder: number, prefix: string): Name[] =>
    namesIn(synced(folder)).flatMap(({ kind, inode, name }) => {
      const here = { kind, inode, name: `${prefix}${name}` };
      if (kind === "f") return [here];
      return parents.get(inode) === folder ? [here, ...under(inode, `${here.name}/`)] : [];
    });
  return under(root, "");
}

function namesIn(listing: Buffer): Name[] {
  return [...listing.toString().matchAll(/^([df]) (\d+) (.+)$/gmu)].map(
    ([, kind = "", inode, name = ""]) => ({ kind, inode: Number(inode), name }),
  );
}
