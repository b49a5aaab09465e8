import { closeSync, type BigIntStats } from "node:fs";
import path from "node:path";

import { retryWhenChanged } from "./write/changed-meanwhile.ts";
import { Disk, type Located } from "./disk.ts";
import { ExpectedError } from "../errors.ts";
import { DEFAULT_KEEP, HistoryStore, newId, type KeepLimits } from "./history/history-store.ts";
import type { Change, ChangeAuthor, HistoryEntry, HistoryQuery } from "./history/history-types.ts";
import { sweepLeftovers } from "./write/leftovers.ts";
import { LineIndexes, spliceIndex, type LineSplice } from "./files/line-index.ts";
import { LateWrites, type LateWrite } from "./write/late-writes.ts";
import { listFolder, walkFiles, type Listed } from "./listing.ts";
import { nearNames } from "./near-names.ts";
import { showPath, type VaultPath } from "./paths.ts";
import { keepOutside, rescueLateWrite } from "./write/late-write-recovery.ts";
import { scanVault, type Scanned, type VaultScanner } from "./scan.ts";
import {
  stampFile,
  writeTreeFile,
  type StampResult,
  type StampTimes,
  type Unstamped,
} from "./write/stamper.ts";
import {
  LARGEST_TEXT,
  openText,
  readBytes,
  readWholeText,
  tooLarge,
  type TextFile,
  type WholeText,
} from "./files/text-file.ts";
import { Totals, type TreeNode } from "./tree/totals.ts";
import { isGone } from "./history/never-applied.ts";
import { finishMove } from "./write/unfinished-move.ts";
import { undoChange } from "./history/undo.ts";
import { signatureOf, type FileVersion } from "./files/version.ts";
import { checkedStateFolder } from "./state-folder.ts";
import { WriteLock } from "./write/write-lock.ts";
import { Writer } from "./write/writer.ts";

export interface VaultOptions {
  /** The folder of notes. It must exist. */
  readonly root: string;
  /** Where history and caches are kept: outside the vault. Made when first needed. */
  readonly state: string;
  readonly now?: () => Date;
  readonly keep?: KeepLimits;
}

/** Something in the vault. */
export interface VaultItem {
  readonly kind: "file" | "folder" | "other";
  /** Links followed: two names of one file have the same. */
  readonly path: VaultPath;
  /** Bytes. */
  readonly size: number;
  /** Another one whenever the file is another; to compare, not to read. */
  readonly version: string;
  /** Time of the last change: milliseconds since 1970. */
  readonly modified: number;
}

/** Reading, without any way to change something: all that a read-only caller is given. */
export interface VaultReader {
  find(path: VaultPath): Promise<VaultItem | { readonly kind: "missing" }>;
  /** Like `find`, for what must exist: `not_found` names near paths. */
  get(path: VaultPath): Promise<VaultItem>;
  /** What is directly in a folder, folders first. */
  list(path: VaultPath): Promise<Listed[]>;
  /** Every file under a folder. */
  walk(path: VaultPath): AsyncIterable<Listed>;
  openText(path: VaultPath): Promise<TextFile>;
  /** The first bytes of a file, at most `most` of them, and its size. */
  readBytes(path: VaultPath, most: number): Promise<{ bytes: Buffer; size: number }>;
  /** Tokens and last change of a file or folder and all under it. */
  shape(path: VaultPath): Promise<TreeNode>;
  /** Of a vault on a disk of this machine: where a file is, for other programs to open; null when it is missing. */
  localFile?(path: VaultPath): string | null;
}

export interface UndoAuthor {
  readonly actor: string;
  readonly force: boolean;
  /** Its process was killed: leaves out changes that it announced and did not make, and those that were taken back already. */
  readonly wasKilled?: boolean;
}

/** The vault: a {@link VaultReader} that can also change, with a history of every change. */
export interface Vault extends VaultReader, VaultScanner {
  /** Where the notes are: their real folder, links followed. */
  readonly root: string;
  readonly state: string;
  /** Kept warm by whoever watches the vault; empty until its `scan`. */
  readonly totals: Totals;
  /**
   * Runs `work` alone among all writers of this vault. Its changes form one history entry, whose id is returned;
   * null when it changed nothing.
   */
  change<T>(
    author: ChangeAuthor,
    work: (writer: VaultWriter) => Promise<T>,
  ): Promise<{ value: T; id: string | null }>;
  log(query: HistoryQuery): Promise<HistoryEntry[]>;
  /** The entries an id names: a batch, or the one entry whose id begins so. */
  entries(id: string): Promise<HistoryEntry[]>;
  /** Bytes the history kept. */
  kept(hash: string): Promise<Buffer>;
  historySize(): Promise<{ entries: number; bytes: number }>;
  /** Takes back an entry or a batch, newest change first; all of it or nothing. */
  undo(id: string, author: UndoAuthor): Promise<{ id: string | null; changes: readonly Change[] }>;
  /**
   * For the background job: makes its keys of one markdown file right, alone among all writers. Not in the history, since it
   * changes nothing of the person's.
   */
  stamp(path: VaultPath, decide: (file: Unstamped) => StampTimes): Promise<StampResult>;
  /** For the background job: writes `tree.md`. False when it has this text already. */
  writeTree(text: string): Promise<boolean>;
  /** Finishes a move whose process was killed when the file had its new name and still its old one. */
  finishMoves(): Promise<void>;
  /** For the background job: takes what a killed process left unfinished, as `scan` told it, out of the vault. */
  sweep(leftovers: readonly string[]): Promise<void>;
  /** Brings back at once what other programs wrote to files that were replaced a moment ago. The paths it went to. */
  finishLateWrites(): Promise<VaultPath[]>;
  /** Calls `listener` after every change made through this vault. Returns how to stop. */
  onChange(listener: (change: Change) => void): () => void;
  close(): void;
}

/** The first and last bytes of a file too large to be read whole. */
export interface FileEnds {
  /** Links followed. */
  readonly path: VaultPath;
  /** Bytes of the whole file. */
  readonly size: number;
  readonly version: FileVersion;
  /** Lines of the whole file, when they were counted before; null else. */
  readonly lines: number | null;
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** What `change` hands to its work: the writer, and the present text of what it is about to change. */
export interface VaultWriter {
  readonly writer: Pick<Writer, "id" | "done" | "create" | "update" | "splice" | "move" | "remove">;
  readonly readWhole: (path: VaultPath) => WholeText;
  /** Makes a folder that is missing. */
  readonly makeFolder: (path: VaultPath) => void;
  /** The first and last bytes of a file, at most `window` of each. */
  readonly readEnds: (path: VaultPath, window: number) => FileEnds;
  /** Tells that whole lines of a large file were replaced, so that they need not be counted again. */
  readonly keepLineIndex: (before: FileEnds, after: FileVersion, splice: LineSplice) => void;
}

/** Only the last change of a killed process can be unfinished; others may have written since. */
const LAST_ENTRIES = 5;

/** Opens a folder of notes as a vault. Throws when the folder is missing or the state folder lies inside it. */
export function createVault(options: VaultOptions): Vault {
  const disk = new Disk(options.root);
  const now = options.now ?? (() => new Date());
  const state = checkedStateFolder(disk.root, options.state);
  return new OpenVault(disk, state, now, options.keep ?? DEFAULT_KEEP);
}

class OpenVault implements Vault {
  readonly root: string;
  readonly state: string;
  readonly totals: Totals;
  readonly #disk: Disk;
  readonly #now: () => Date;
  readonly #keep: KeepLimits;
  readonly #indexes: LineIndexes;
  readonly #lock: WriteLock;
  readonly #late = new LateWrites(async (late) => this.#rescue(late));
  readonly #listeners = new Set<(change: Change) => void>();
  #store: HistoryStore | null = null;

  constructor(disk: Disk, state: string, now: () => Date, keep: KeepLimits) {
    this.root = disk.root;
    this.state = state;
    this.totals = new Totals(disk);
    this.#disk = disk;
    this.#now = now;
    this.#keep = keep;
    this.#indexes = new LineIndexes(path.join(state, "lines"));
    this.#lock = new WriteLock(state);
  }

  async find(vaultPath: VaultPath): Promise<VaultItem | { readonly kind: "missing" }> {
    const found = this.#disk.find(vaultPath);
    return found.kind === "missing" ? { kind: "missing" } : itemOf(found);
  }

  async get(vaultPath: VaultPath): Promise<VaultItem> {
    return itemOf(this.#get(vaultPath));
  }

  #get(vaultPath: VaultPath): Located {
    const found = this.#disk.find(vaultPath);
    if (found.kind !== "missing") return found;
    const near = nearNames(vaultPath, this.#disk);
    const hint =
      near.length === 0
        ? `Look with tree("${showPath(found.folder.path, "folder")}").`
        : `Did you mean ${near.map((name) => showPath(name)).join(", or ")}?`;
    throw new ExpectedError("not_found", `${showPath(vaultPath)} does not exist. ${hint}`);
  }

  async list(vaultPath: VaultPath): Promise<Listed[]> {
    return listFolder(this.#disk, this.#get(vaultPath));
  }

  async *walk(vaultPath: VaultPath): AsyncGenerator<Listed> {
    yield* walkFiles(this.#disk, this.#get(vaultPath));
  }

  localFile(vaultPath: VaultPath): string | null {
    const found = this.#disk.find(vaultPath);
    return found.kind === "missing" ? null : found.real;
  }

  async openText(vaultPath: VaultPath): Promise<TextFile> {
    return openText(this.#disk, this.#indexes, vaultPath);
  }

  async readBytes(vaultPath: VaultPath, most: number): Promise<{ bytes: Buffer; size: number }> {
    const { fd, located } = this.#disk.open(vaultPath);
    try {
      const size = Number(located.stat.size);
      return { bytes: readBytes(fd, 0, Math.min(size, most)), size };
    } finally {
      closeSync(fd);
    }
  }

  async shape(vaultPath: VaultPath): Promise<TreeNode> {
    const { path: real } = this.#get(vaultPath);
    return this.totals.get(real) ?? new Totals(this.#disk).scan(real);
  }

  get #history(): HistoryStore {
    if (this.#store === null) {
      this.#store = new HistoryStore(this.state);
      this.#store.prune(this.#now(), this.#keep);
    }
    return this.#store;
  }

  async change<T>(
    author: ChangeAuthor,
    work: (writer: VaultWriter) => Promise<T>,
  ): Promise<{ value: T; id: string | null }> {
    return this.#lock.run(async () => {
      const writer = this.#writer(author);
      const value = await work({
        writer,
        readWhole: (vaultPath) => readWholeText(this.#disk, vaultPath),
        makeFolder: (vaultPath) => {
          const [outermost] = this.#disk.makeParents(`${vaultPath}/x`).made;
          if (outermost !== undefined) this.totals.refresh(outermost);
        },
        readEnds: (vaultPath, window) => this.#readEnds(vaultPath, window),
        keepLineIndex: (before, after, splice) => {
          const index = this.#indexes.get(before.path, before.version.signature);
          if (index === null) return;
          this.#indexes.set(before.path, spliceIndex(index, after.signature, splice));
        },
      });
      return { value, id: writer.done.length === 0 ? null : writer.id };
    });
  }

  #writer(author: ChangeAuthor): Writer {
    const at = this.#now();
    // A service runs for months: not only when the history is opened.
    this.#history.prune(at, this.#keep);
    return new Writer({
      disk: this.#disk,
      late: this.#late,
      store: this.#history,
      author,
      id: newId(at),
      at,
      onChange: (change) => this.#changed(change),
    });
  }

  #changed(change: Change): void {
    this.totals.refresh(change.path);
    if (change.kind === "move") this.totals.refresh(change.to);
    for (const listener of this.#listeners) listener(change);
  }

  #readEnds(vaultPath: VaultPath, window: number): FileEnds {
    const { fd, located } = this.#disk.open(vaultPath);
    try {
      const size = Number(located.stat.size);
      if (size > LARGEST_TEXT) throw tooLarge(vaultPath, size);
      const length = Math.min(size, window);
      const signature = signatureOf(located.stat);
      return {
        path: located.path,
        size,
        version: this.#disk.stamps.versionOf(signature, null),
        lines: this.#indexes.get(located.path, signature)?.lines ?? null,
        head: readBytes(fd, 0, length),
        tail: readBytes(fd, size - length, length),
      };
    } finally {
      closeSync(fd);
    }
  }

  async log(query: HistoryQuery): Promise<HistoryEntry[]> {
    return this.#history.entries(query);
  }

  async entries(id: string): Promise<HistoryEntry[]> {
    return this.#entries(id);
  }

  #entries(id: string): HistoryEntry[] {
    const ids = id === "" ? [] : this.#history.idsFor(id);
    const found = ids.flatMap((each) => this.#history.entry(each) ?? []);
    if (found.length === 0) {
      throw new ExpectedError(
        "not_found",
        `No change has the id ${JSON.stringify(id)}. List them with: coffre log.`,
      );
    }
    if (found.length > 1 && found.some((entry) => entry.batch !== id)) {
      throw new ExpectedError(
        "ambiguous",
        `Several changes begin with ${JSON.stringify(id)}: ${ids.slice(0, 5).join(", ")}. Give more of the id.`,
      );
    }
    return found;
  }

  async kept(hash: string): Promise<Buffer> {
    return this.#history.bytes(hash);
  }

  async historySize(): Promise<{ entries: number; bytes: number }> {
    return this.#history.size();
  }

  async undo(
    id: string,
    { actor, force, wasKilled = false }: UndoAuthor,
  ): Promise<{ id: string | null; changes: readonly Change[] }> {
    return this.#lock.run(async () => {
      const entries = this.#entries(id);
      const [first] = entries;
      const undoes = entries.length === 1 && first !== undefined ? first.id : id;
      const writer = this.#writer({ actor, call: "undo", batch: null, undoes });
      const parts = { disk: this.#disk, store: this.#history, writer };
      try {
        const changes = entries.flatMap((entry) => entry.changes);
        while (changes.length > 0) {
          const change = changes.at(-1);
          if (change !== undefined && !(wasKilled && isGone(changes, parts)))
            await undoChange(change, { ...parts, force });
          changes.pop();
        }
      } catch (error) {
        // All or nothing: take back what was already undone, and leave no trace of the attempt.
        const attempted = [...writer.done];
        for (const change of attempted.toReversed())
          await undoChange(change, { ...parts, force: true });
        if (writer.done.length > 0) this.#history.retract(writer.id, writer.done.length);
        throw error;
      }
      return { id: writer.done.length === 0 ? null : writer.id, changes: writer.done };
    });
  }

  async stamp(vaultPath: VaultPath, decide: (file: Unstamped) => StampTimes): Promise<StampResult> {
    return this.#lock.run(() => stampFile(this.#disk, this.#late, vaultPath, decide));
  }

  async writeTree(text: string): Promise<boolean> {
    return this.#lock.run(() => writeTreeFile(this.#disk, this.#late, text));
  }

  async finishMoves(): Promise<void> {
    await this.#lock.run(async () => {
      for (const { changes } of this.#history.entries({ path: null, limit: LAST_ENTRIES }))
        for (const change of changes) finishMove(this.#disk, change);
    });
  }

  async sweep(leftovers: readonly string[]): Promise<void> {
    const places = leftovers.map((name) => path.join(this.root, name));
    // Every writer holds the lock: what is there now, nobody is working on.
    await this.#lock.run(async () => sweepLeftovers(this.state, places, this.#now()));
  }

  async scan(): Promise<readonly Scanned[]> {
    return scanVault(this.#disk);
  }

  /** In a turn of its own: whoever replaced the file may still have the lock. */
  async #rescue(late: LateWrite): Promise<BigIntStats | null> {
    try {
      return await this.#lock.run(() =>
        retryWhenChanged(() => rescueLateWrite(this.#disk, this.#late, late, this.#now())),
      );
    } catch {
      keepOutside(this.state, late, this.#now());
      return null;
    }
  }

  async finishLateWrites(): Promise<VaultPath[]> {
    return this.#late.finish();
  }

  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#late.close();
    this.#store?.close();
    this.#store = null;
    this.#lock.close();
  }
}

function itemOf({ kind, path: vaultPath, stat }: Located): VaultItem {
  return {
    kind,
    path: vaultPath,
    size: Number(stat.size),
    version: signatureOf(stat),
    modified: Number(stat.mtimeMs),
  };
}
