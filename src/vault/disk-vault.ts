import type { BigIntStats } from "node:fs";
import path from "node:path";

import { ExpectedError } from "../errors.ts";
import { Disk, type Located } from "./disk.ts";
import { readBytes } from "./files/bytes.ts";
import { LineIndexes } from "./files/line-index.ts";
import {
  LARGEST_TEXT,
  openText,
  readWholeText,
  tooLarge,
  type TextFile,
} from "./files/text-file.ts";
import { signatureOf } from "./files/version.ts";
import {
  DEFAULT_KEEP,
  entriesNamed,
  keptBytes,
  newId,
  type History,
  type KeepLimits,
} from "./history/history.ts";
import type { Change, ChangeAuthor, HistoryEntry, HistoryQuery } from "./history/history-types.ts";
import { SqliteHistory } from "./history/sqlite-history.ts";
import { undoEntries } from "./history/undo.ts";
import { listFolder, walkFiles, type Listed } from "./listing.ts";
import { nearNames } from "./near-names.ts";
import { showPath, type VaultPath } from "./paths.ts";
import { scanVault, type Scanned } from "./scan.ts";
import { checkedStateFolder } from "./state-folder.ts";
import { Totals, type TreeNode } from "./tree/totals.ts";
import type {
  FileEnds,
  LocalVault,
  UndoAuthor,
  VaultItem,
  VaultOptions,
  VaultWriter,
} from "./vault.ts";
import { retryWhenChanged } from "./write/writer-errors.ts";
import { keepOutside, rescueLateWrite } from "./write/late-write-recovery.ts";
import { LateWrites, type LateWrite } from "./write/late-writes.ts";
import {
  stampFile,
  writeTreeFile,
  type StampResult,
  type StampTimes,
  type Unstamped,
} from "./write/stamper.ts";
import { finishMove, sweepLeftovers } from "./write/unfinished-writes.ts";
import { WriteLock } from "./write/write-lock.ts";
import { Writer } from "./write/writer.ts";

/** Entries searched for unfinished moves: only the last change of a killed process is unfinished, and others may have written since. */
const LAST_ENTRIES = 5;

/** A vault in a folder, with its history and caches in a state folder. */
export class DiskVault implements LocalVault {
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
  #opened: History | null = null;

  constructor({ root, state, now = () => new Date(), keep = DEFAULT_KEEP }: VaultOptions) {
    this.#disk = new Disk(root);
    this.root = this.#disk.root;
    this.state = checkedStateFolder(this.root, state);
    this.totals = new Totals(this.#disk);
    this.#now = now;
    this.#keep = keep;
    this.#indexes = new LineIndexes(path.join(this.state, "lines"));
    this.#lock = new WriteLock(this.state);
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

  async openText(vaultPath: VaultPath): Promise<TextFile> {
    return openText(this.#disk, this.#indexes, vaultPath);
  }

  async readBytes(vaultPath: VaultPath, most: number): Promise<{ bytes: Buffer; size: number }> {
    return this.#disk.read(vaultPath, (fd, { stat }) => {
      const size = Number(stat.size);
      return { bytes: readBytes(fd, 0, Math.min(size, most)), size };
    });
  }

  async shape(vaultPath: VaultPath): Promise<TreeNode> {
    const { path: real } = this.#get(vaultPath);
    return this.totals.get(real) ?? new Totals(this.#disk).scan(real);
  }

  async #history(): Promise<History> {
    if (this.#opened !== null) return this.#opened;
    const history = (this.#opened = new SqliteHistory(this.state));
    await history.prune(this.#now(), this.#keep);
    return history;
  }

  async change<T>(
    author: ChangeAuthor,
    work: (writer: VaultWriter) => Promise<T>,
  ): Promise<{ value: T; id: string | null }> {
    return this.#lock.run(async () => {
      const writer = await this.#writer(author);
      const value = await work({
        writer,
        readWhole: async (vaultPath) => readWholeText(this.#disk, vaultPath),
        makeFolder: async (vaultPath) => {
          const [outermost] = this.#disk.makeParents(`${vaultPath}/x`).made;
          if (outermost !== undefined) this.totals.refresh(outermost);
        },
        readEnds: async (vaultPath, window) => this.#readEnds(vaultPath, window),
      });
      return { value, id: writer.done.length === 0 ? null : writer.id };
    });
  }

  async #writer(author: ChangeAuthor): Promise<Writer> {
    const at = this.#now();
    const history = await this.#history();
    // Not only when the history is opened: a service runs for months.
    await history.prune(at, this.#keep);
    return new Writer({
      disk: this.#disk,
      late: this.#late,
      history,
      indexes: this.#indexes,
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
    return this.#disk.read(vaultPath, (fd, { path: real, stat }) => {
      const size = Number(stat.size);
      if (size > LARGEST_TEXT) throw tooLarge(vaultPath, size);
      const length = Math.min(size, window);
      const signature = signatureOf(stat);
      return {
        path: real,
        size,
        version: this.#disk.stamps.versionOf(signature, null),
        lines: this.#indexes.get(real, signature)?.lines ?? null,
        head: readBytes(fd, 0, length),
        tail: readBytes(fd, size - length, length),
      };
    });
  }

  async log(query: HistoryQuery): Promise<HistoryEntry[]> {
    return (await this.#history()).entries(query);
  }

  async entries(id: string): Promise<HistoryEntry[]> {
    return entriesNamed(await this.#history(), id);
  }

  async kept(hash: string): Promise<Buffer> {
    return keptBytes(await this.#history(), hash);
  }

  async historySize(): Promise<{ entries: number; bytes: number }> {
    return (await this.#history()).size();
  }

  async undo(
    id: string,
    { actor, force, wasKilled = false }: UndoAuthor,
  ): Promise<{ id: string | null; changes: readonly Change[] }> {
    return this.#lock.run(async () => {
      const history = await this.#history();
      const entries = await entriesNamed(history, id);
      const [first] = entries;
      const undoes = entries.length === 1 && first !== undefined ? first.id : id;
      const writer = await this.#writer({ actor, call: "undo", batch: null, undoes });
      await undoEntries(entries, { disk: this.#disk, history, writer, force }, wasKilled);
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
      for (const { changes } of await this.log({ path: null, limit: LAST_ENTRIES }))
        for (const change of changes) finishMove(this.#disk, change);
    });
  }

  async sweep(leftovers: readonly string[]): Promise<void> {
    const places = leftovers.map((name) => path.join(this.root, name));
    // Under the lock, no writer is using what is there now.
    await this.#lock.run(async () => sweepLeftovers(this.state, places, this.#now()));
  }

  async scan(): Promise<readonly Scanned[]> {
    return scanVault(this.#disk);
  }

  /** Takes the lock itself: the writer that replaced the file may still hold it. */
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
    this.#opened?.close();
    this.#opened = null;
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
