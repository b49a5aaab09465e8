import { closeSync, renameSync, type BigIntStats } from "node:fs";

import { errnoOf, explainErrno } from "../../errors.ts";
import { placeOf, type Entry, type Located } from "../disk.ts";
import { copyRange, NEWLINE, readBytes, writeAll } from "../files/bytes.ts";
import { spliceIndex, type LineIndexes } from "../files/line-index.ts";
import type { WholeText } from "../files/text-file.ts";
import { modifiedOf, signatureOf, SMALL_FILE, versionOf } from "../files/version.ts";
import { newId, type KeepBytes } from "../history/history.ts";
import type { Change, ChangeGuard, Relinking, RemovedItem } from "../history/history-types.ts";
import { hasSameTime, isTree, removeTree, restoreTree, takeTree } from "../history/removed-tree.ts";
import type { FoundReplacement } from "../history/undo-files.ts";
import { isUnder, joinPath, nameOf, refuseControls, showPath, type VaultPath } from "../paths.ts";
import {
  alreadyExists,
  ChangedMeanwhile,
  intoItself,
  otherDisk,
  writeAtomically,
  type AtomicWrite,
} from "./atomic-write.ts";
import { HalfRenamed, renameNew, temporaryName, type OpenFolder } from "./open-folder.ts";
import { replaceTogether, type RecordedWrites } from "./replace-together.ts";
import { keptSplice, spliceBetween, type SeenFile, type Splice } from "./splice.ts";

export type { SeenFile, Splice } from "./splice.ts";

/** What {@link Writer} needs from the vault it writes to. */
export interface WriterParts extends RecordedWrites {
  readonly indexes: LineIndexes;
  readonly onChange: (change: Change) => void;
  /** Called with a refused move that must be taken back later, since the file has both names; its record is kept until then. */
  readonly onHalfMove: (id: string, change: Change) => void;
}

/**
 * The only code that changes the vault's bytes. Each method is one change: the old bytes and a record of it are durable first, then one
 * rename makes the change, or nothing is changed.
 */
export class Writer {
  readonly id: string;
  readonly #parts: WriterParts;
  readonly done: Change[] = [];
  /** Changes that were refused and whose record is kept for now. */
  half = 0;

  constructor(parts: WriterParts) {
    this.id = newId(parts.at);
    this.#parts = parts;
  }

  #ask(deed: Parameters<ChangeGuard>[0], path: VaultPath): void {
    this.#parts.author.guard?.(deed, path);
  }

  /** Where something new at this path will really be, links followed. */
  #realPath(path: VaultPath): VaultPath {
    const found = this.#parts.disk.find(path);
    if (found.kind !== "missing") return found.path;
    return found.names.reduce((folder, name) => joinPath(folder, name), found.folder.path);
  }

  /** Makes a new file. Throws `already_exists` when something has that name, in either Unicode form. */
  async create(path: VaultPath, bytes: Buffer): Promise<void> {
    const { disk } = this.#parts;
    if (disk.lookup(path) !== null) throw alreadyExists(path);
    refuseControls(path);
    this.#ask("add", this.#realPath(path));
    const { folder, made } = disk.makeParents(path);
    const target = joinPath(folder.path, nameOf(path));
    try {
      await this.#putInPlace({
        folder,
        name: nameOf(path),
        replaces: null,
        fill: async (fd) => writeAll(fd, bytes, 0),
        describe: (stat, keep) => ({
          kind: "create",
          path: target,
          after: bytes.length <= SMALL_FILE ? keep([bytes]) : null,
          version: versionOf(stat, bytes),
          madeFolders: made,
        }),
      });
    } catch (error) {
      disk.removeEmptyFolders(made);
      throw error;
    }
  }

  /** Replaces a whole file, seen as `seen` with `before` in it. Keeps its mode. */
  async replace(seen: SeenFile, before: Buffer, bytes: Buffer, how: Relinking = {}): Promise<void> {
    this.#ask("alter", seen.path);
    const replaces = this.#locate(seen);
    await this.#putInPlace({
      ...placeOf(replaces),
      replaces,
      fill: async (fd) => writeAll(fd, bytes, 0),
      describe: (stat, keep) => ({
        kind: "modify",
        path: seen.path,
        kept: { wholeBefore: keep([before]), wholeAfter: keep([bytes]) },
        version: versionOf(stat, bytes),
        modified: modifiedOf(replaces.stat),
        ...how,
      }),
    });
  }

  /** Replaces several files together. Returns those that another program changed meanwhile: they are left as they are. */
  async replaceAll(files: readonly FoundReplacement<Located>[]): Promise<VaultPath[]> {
    for (const { located } of files) this.#ask("alter", located.path);
    return replaceTogether({ ...this.#parts, id: this.id }, files, (each) => this.#finish(each));
  }

  /** Gives a file new bytes, keeping for the undo only what differs when the file is large. */
  async update(seen: WholeText, bytes: Buffer, how: Relinking = {}): Promise<void> {
    const splice = spliceBetween(seen.bytes, bytes);
    if (splice === null) return this.replace(seen, seen.bytes, bytes, how);
    await this.splice(seen, splice, how);
  }

  /**
   * Replaces a part of a file after its frontmatter, copying the rest without holding it in memory; for files too large to
   * handle whole.
   */
  async splice(seen: SeenFile, splice: Splice, how: Relinking = {}): Promise<void> {
    const { disk, indexes } = this.#parts;
    this.#ask("alter", seen.path);
    const { fd: source, located } = disk.open(seen.path);
    try {
      refuseOther(located, seen);
      const { at, removed, inserted } = splice;
      const after = at + removed.length;
      const rest = Number(located.stat.size) - after;
      const change = await this.#putInPlace({
        ...placeOf(located),
        replaces: located,
        fill: async (fd) => {
          await copyRange({ fd: source, at: 0 }, { fd, at: 0 }, at);
          writeAll(fd, inserted, at);
          await copyRange({ fd: source, at: after }, { fd, at: at + inserted.length }, rest);
        },
        describe: (stat, keep) => ({
          kind: "modify",
          path: seen.path,
          kept: keptSplice(
            splice,
            Number(stat.size),
            (from, length) => readBytes(source, from, length),
            keep,
          ),
          version: { signature: signatureOf(stat), hash: null },
          modified: modifiedOf(located.stat),
          ...how,
        }),
      });
      const index = indexes.get(seen.path, seen.version.signature);
      if (index !== null && change.kind === "modify") {
        const startsLine = readBytes(source, Math.max(0, at - 1), 1)[0] === NEWLINE;
        const part = { ...splice, size: Number(located.stat.size), startsLine };
        indexes.set(seen.path, spliceIndex(index, change.version.signature, part));
      }
    } finally {
      closeSync(source);
    }
  }

  /** Moves a file, folder, or a link itself. `to` must not exist; its missing folders are made. Returns where it really is now. */
  async move(from: VaultPath, to: VaultPath): Promise<VaultPath> {
    return this.moveEntry(this.#parts.disk.entry(from), to);
  }

  /** @param onDisk its new name on disk, when that is to be another than the last of `to` */
  async moveEntry(entry: Entry, to: VaultPath, onDisk?: string): Promise<VaultPath> {
    const { disk } = this.#parts;
    if (disk.lookup(to) !== null) throw alreadyExists(to);
    if (onDisk === undefined) refuseControls(to);
    if (entry.kind === "folder" && isUnder(to, entry.path)) throw intoItself(entry.path);
    this.#ask("take", entry.path);
    this.#ask("add", this.#realPath(to));
    disk.ignore.refuseToShow(entry, this.#realPath(to));
    const { folder, made } = disk.makeParents(to);
    const [path, madeFolders, target] = [entry.path, made, joinPath(folder.path, nameOf(to))];
    try {
      // Again, now that links on the way were followed.
      if (entry.kind === "folder" && isUnder(target, path)) throw intoItself(path);
      const change = { kind: "move", path, onDisk: entry.name, to: target, madeFolders } as const;
      await this.#rename(entry, folder, onDisk ?? nameOf(to), change);
    } catch (error) {
      disk.removeEmptyFolders(made);
      const errno = errnoOf(error);
      if (errno === "EEXIST" || errno === "ENOTEMPTY") throw alreadyExists(target);
      if (errno === "EXDEV") throw otherDisk(path, target, error);
      throw explainErrno(error, showPath(path));
    }
    return target;
  }

  async #rename(entry: Entry, folder: Located, name: string, change: Change): Promise<void> {
    const { disk } = this.#parts;
    const source = disk.openFolder(entry.folder);
    let goal: OpenFolder | null = null;
    try {
      const into = (goal = disk.openFolder(folder));
      await this.#make(
        () => change,
        () => renameNew(source.at(entry.name), into.at(name), entry.kind),
      );
      // In this order: a power cut between them leaves the file under both names, not under none.
      goal.sync();
      source.sync();
    } finally {
      source.close();
      goal?.close();
    }
    this.#finish(change);
  }

  /** Removes a file, link or folder with all under it. Everything in it is kept first, hidden files too. */
  async remove(path: VaultPath): Promise<readonly RemovedItem[]> {
    return this.removeEntry(this.#parts.disk.entry(path));
  }

  async removeEntry(entry: Entry): Promise<readonly RemovedItem[]> {
    const { disk, history } = this.#parts;
    this.#ask("take", entry.path);
    const folder = disk.openFolder(entry.folder);
    const hidden = temporaryName();
    const { path, kind, name } = entry;
    let items: readonly RemovedItem[] = [];
    const describe = (keep: KeepBytes): Change => {
      items = takeTree(folder, name, name, keep);
      return { kind: "remove", path, items };
    };
    try {
      const change = await this.#make(describe, async () => {
        // Hidden first: it disappears as a whole, and no program writes to it by its name any more.
        renameSync(folder.at(name), folder.at(hidden));
        try {
          if (!(await isTree(folder, hidden, items, hasSameTime)))
            throw new ChangedMeanwhile(showPath(path));
          await removeTree(folder, hidden);
        } catch (error) {
          await restoreTree(folder, hidden, items, history);
          this.#showAgain(folder, hidden, entry);
          throw error;
        }
      });
      folder.sync();
      this.#finish(change);
      return items;
    } catch (error) {
      throw explainErrno(error, showPath(path, kind === "folder" ? "folder" : "file"));
    } finally {
      folder.close();
    }
  }

  /** Gives a hidden thing its name back, or a similar one when another program has taken that name meanwhile. */
  #showAgain(folder: OpenFolder, hidden: string, { kind, name }: Entry): void {
    try {
      renameNew(folder.at(hidden), folder.at(name), kind);
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
      renameSync(folder.at(hidden), folder.at(`${name}.${this.id}`));
    }
  }

  /** Puts back what {@link remove} took. `path` must not exist. */
  async restore(path: VaultPath, items: readonly RemovedItem[]): Promise<void> {
    const { disk, history } = this.#parts;
    const { folder: parent, made } = disk.makeParents(path);
    const folder = disk.openFolder(parent);
    const [top] = items;
    const name = top?.name ?? nameOf(path);
    const hidden = temporaryName();
    const change: Change = { kind: "restore", path, items, madeFolders: made };
    try {
      await restoreTree(folder, hidden, items, history);
      await this.#make(
        () => change,
        () => {
          // Whatever has that name by now, in either Unicode form, is not replaced.
          if (disk.lookup(path) !== null) throw alreadyExists(path);
          renameNew(folder.at(hidden), folder.at(name), top?.kind ?? "file");
        },
      );
      folder.sync();
    } catch (error) {
      // What cannot be removed stays hidden and is swept later; the error that led here is the one to report.
      await removeTree(folder, hidden).catch(() => {});
      disk.removeEmptyFolders(made);
      if (["EEXIST", "ENOTEMPTY", "ENOTDIR"].includes(errnoOf(error) ?? ""))
        throw alreadyExists(path);
      throw explainErrno(error, showPath(path));
    } finally {
      folder.close();
    }
    this.#finish(change);
  }

  /** The file that was seen. Throws {@link ChangedMeanwhile} when it is another now. */
  #locate(seen: SeenFile): Located {
    const found = this.#parts.disk.find(seen.path);
    if (found.kind === "missing") throw new ChangedMeanwhile(showPath(seen.path));
    refuseOther(found, seen);
    return found;
  }

  /** Puts a new version in place, its record first. */
  async #putInPlace(
    write: Omit<AtomicWrite, "durable"> & {
      readonly describe: (stat: BigIntStats, keep: KeepBytes) => Change;
    },
  ): Promise<Change> {
    const { disk, late, history } = this.#parts;
    const recorded = Promise.withResolvers<Change>();
    await writeAtomically(disk, late, {
      ...write,
      durable: "all",
      record: async (landed) => {
        recorded.resolve(await this.#record((keep) => write.describe(landed, keep)));
        return async () => history.retract(this.id, 1);
      },
    });
    const change = await recorded.promise;
    this.#finish(change);
    return change;
  }

  /** Records a change, then makes it; when that fails, the record is retracted. */
  async #make(
    describe: (keep: KeepBytes) => Change,
    make: () => void | Promise<void>,
  ): Promise<Change> {
    const change = await this.#record(describe);
    try {
      await make();
    } catch (error) {
      if (!(error instanceof HalfRenamed)) {
        await this.#parts.history.retract(this.id, 1);
        throw error;
      }
      this.half += 1;
      this.#parts.onHalfMove(this.id, change);
      throw error.cause;
    }
    return change;
  }

  async #record(describe: (keep: KeepBytes) => Change): Promise<Change> {
    const { history, at, author } = this.#parts;
    return history.record({ id: this.id, at, author }, describe);
  }

  #finish(change: Change): void {
    this.done.push(change);
    this.#parts.onChange(change);
  }
}

function refuseOther({ stat }: Located, { path, version }: SeenFile): void {
  if (signatureOf(stat) !== version.signature) throw new ChangedMeanwhile(showPath(path));
}
