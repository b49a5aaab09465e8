import type { BigIntStats } from "node:fs";
import path from "node:path";

import { diskFailure, ExpectedError } from "../errors.ts";
import { databaseFailure } from "../storage/sqlite.ts";
import { Disk, readable, type Located } from "./disk.ts";
import { localTime } from "../text/local-time.ts";
import { readBytes } from "./files/bytes.ts";
import { findTree, isTreeText, TREE_FILE } from "./files/generated-tree.ts";
import { LineIndexes } from "./files/line-index.ts";
import {
  LARGEST_TEXT,
  openText,
  readWholeText,
  itemInMemory,
  textInMemory,
  tooLarge,
  type TextFile,
} from "./files/text-file.ts";
import { signatureOf, SMALL_FILE } from "./files/version.ts";
import {
  DEFAULT_KEEP,
  entriesNamed,
  keptBytes,
  type History,
  type KeepLimits,
} from "./history/history.ts";
import type {
  Change,
  ChangeAuthor,
  FileOrigin,
  HistoryEntry,
  HistoryQuery,
} from "./history/history-types.ts";
import type { ErasedHistory, Erasure } from "./history/erase-history.ts";
import { SqliteHistory } from "./history/sqlite-history.ts";
import { diskUndoFiles } from "./history/disk-undo.ts";
import { undoEntries } from "./history/undo.ts";
import type { IgnoreRules } from "./ignore-rules.ts";
import type { KnownTime } from "./known-time.ts";
import { itemOf, listFolder, walkFiles, type Listed } from "./listing.ts";
import { missingPath } from "./missing-path.ts";
import { Mount } from "./mount.ts";
import { nearNames } from "./near-names.ts";
import type { VaultPath } from "./paths.ts";
import { scanVault, type Scanned } from "./scan.ts";
import { checkedStateFolder } from "./state-folder.ts";
import { glance } from "./tree/glance.ts";
import { Totals, type TreeNode } from "./tree/totals.ts";
import { generatedNode, treeFile } from "./tree/tree-text.ts";
import type {
  FileEnds,
  LocalVault,
  MeasuredItem,
  UndoAuthor,
  Undone,
  VaultItem,
  VaultOptions,
  VaultWriter,
} from "./vault.ts";
import { retryWhenChanged } from "./write/atomic-write.ts";
import { keepOutside, rescueLateWrite } from "./write/late-write-recovery.ts";
import { LateWrites, type LateWrite } from "./write/late-writes.ts";
import { HalfMoves } from "./write/half-moves.ts";
import { stampFile, writeTreeFile, type PlanStamp, type StampResult } from "./write/stamper.ts";
import { sweepLeftovers } from "./write/leftovers.ts";
import { finishMove } from "./write/unfinished-writes.ts";
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
  readonly #refuse: () => string | null;
  readonly #knownTime: KnownTime | undefined;
  readonly #mount: Mount;
  readonly #indexes: LineIndexes;
  readonly #lock: WriteLock;
  readonly #late = new LateWrites({
    apply: async (late) => this.#rescue(late),
    keep: (late) => keepOutside(this.state, late, this.#now()),
  });
  readonly #halfMoves = new HalfMoves();
  readonly #listeners = new Set<(change: Change) => void>();
  #opened: History | null = null;

  constructor(options: VaultOptions) {
    const { root, state, now = () => new Date(), keep = DEFAULT_KEEP, refuse } = options;
    this.#disk = new Disk(root);
    this.#refuse = refuse ?? (() => null);
    this.root = this.#disk.root;
    this.#mount = new Mount(this.root);
    this.state = checkedStateFolder(this.root, state);
    this.#knownTime = options.knownTime;
    this.totals = new Totals(this.#disk, this.#knownTime);
    this.#now = now;
    this.#keep = keep;
    this.#indexes = new LineIndexes(path.join(this.state, "lines"));
    this.#lock = new WriteLock(this.state);
  }

  get ignore(): IgnoreRules {
    return this.#disk.ignore;
  }

  async find(vaultPath: VaultPath): Promise<VaultItem | { readonly kind: "missing" }> {
    const found = this.#disk.find(vaultPath);
    return found.kind === "missing" ? { kind: "missing" } : itemOf(found);
  }

  async get(vaultPath: VaultPath): Promise<VaultItem> {
    const generated = await this.#generated(vaultPath);
    if (generated !== null) return itemInMemory(vaultPath, generated, this.#now());
    return itemOf(this.#get(vaultPath));
  }

  get #isTreeHidden(): boolean {
    return this.ignore.judge([TREE_FILE], "file") === "hidden";
  }

  async isGenerated(vaultPath: VaultPath): Promise<boolean> {
    if (vaultPath !== TREE_FILE || this.#isTreeHidden) return false;
    const found = findTree(this.#disk);
    if (found === "missing") return true;
    if (found === "other" || found.stat.size > SMALL_FILE) return false;
    return isTreeText(this.#disk.readWhole(vaultPath).bytes.toString("utf8"));
  }

  /** The text of our listing when it is asked for and nothing of that name is on the disk; null for anything else. */
  async #generated(vaultPath: VaultPath): Promise<string | null> {
    if (vaultPath !== TREE_FILE || this.#isTreeHidden) return null;
    if (findTree(this.#disk) !== "missing") return null;
    const root = await this.shape("");
    return root.kind === "folder" ? treeFile(root) : null;
  }

  #get(vaultPath: VaultPath): Located {
    const found = this.#disk.find(vaultPath);
    if (found.kind !== "missing") return found;
    const near = this.totals.near(vaultPath) ?? nearNames(vaultPath, this.#disk);
    throw missingPath(vaultPath, near, found.folder.path);
  }

  async list(vaultPath: VaultPath): Promise<Listed[]> {
    return listFolder(this.#disk, this.#get(vaultPath));
  }

  async *walk(vaultPath: VaultPath): AsyncGenerator<Listed> {
    yield* walkFiles(this.#disk, this.#get(vaultPath));
  }

  async openText(vaultPath: VaultPath): Promise<TextFile> {
    const generated = await this.#generated(vaultPath);
    if (generated !== null) return textInMemory(vaultPath, generated);
    return openText(this.#disk, this.#indexes, vaultPath);
  }

  async readBytes(vaultPath: VaultPath, most: number): Promise<{ bytes: Buffer; size: number }> {
    const generated = await this.#generated(vaultPath);
    if (generated !== null) {
      const bytes = Buffer.from(generated);
      return { bytes: bytes.subarray(0, most), size: bytes.length };
    }
    return this.#disk.read(vaultPath, (fd, { stat }) => {
      const size = Number(stat.size);
      return { bytes: readBytes(fd, 0, Math.min(size, most)), size };
    });
  }

  async shape(vaultPath: VaultPath, how?: "glance"): Promise<TreeNode> {
    const generated = await this.#generated(vaultPath);
    if (generated !== null) return generatedNode(generated, localTime(this.#now()));
    const located = this.#get(vaultPath);
    const known = this.totals.get(located.path);
    if (known !== null) return known;
    if (how === "glance" && this.totals.isAwaited && located.kind === "folder")
      return glance(this.#disk, located);
    return new Totals(this.#disk, this.#knownTime).scan(located.path);
  }

  measure(vaultPath: VaultPath): MeasuredItem | null {
    const found = readable(() => this.#disk.find(vaultPath));
    if (found?.kind !== "file" || !found.isListed) return null;
    const measured = this.totals.measure(found, vaultPath);
    return measured === null ? null : { item: itemOf(found), measured };
  }

  writeProblem(): string | null {
    return this.#lock.problem() ?? this.#mount.problem() ?? this.#refuse();
  }

  /** Every write passes here: one at a time, and none when it could go to the wrong place. */
  async #write<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#lock.run(async () => {
      const problem = this.writeProblem();
      if (problem !== null) throw new ExpectedError("unavailable", problem);
      for (const gone of await this.#halfMoves.takeBack(this.#disk, async () => this.#history()))
        this.totals.refresh(gone);
      return work();
    });
    return run.catch((error: unknown) => {
      throw databaseFailure(error) ?? diskFailure(error) ?? error;
    });
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
    return this.#write(async () => {
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
      at,
      onChange: (change) => this.#changed(change),
      onHalfMove: (id, change) => this.#halfMoves.add(id, change),
    });
  }

  #changed(change: Change): void {
    if (change.kind === "move") this.totals.rename(change.path, change.to);
    else this.totals.refresh(change.path);
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

  movesAfter: LocalVault["movesAfter"] = async (ids) => (await this.#history()).movesAfter(ids);

  async kept(hash: string): Promise<Buffer> {
    return keptBytes(await this.#history(), hash);
  }

  async historySize(): Promise<{ entries: number; bytes: number }> {
    return (await this.#history()).size();
  }

  async undo(id: string, author: UndoAuthor): Promise<Undone> {
    const { actor, force, wasKilled = false, onProgress } = author;
    return this.#write(async () => {
      const history = await this.#history();
      const entries = await entriesNamed(history, id);
      const undoes = (entries.length === 1 ? entries[0]?.id : undefined) ?? id;
      const writer = await this.#writer({ actor, call: "undo", batch: null, undoes });
      const told = onProgress === undefined ? {} : { onProgress };
      const files = diskUndoFiles(this.#disk, history);
      const parts = { files, history, writer, force, ...told };
      const skipped = await undoEntries(entries, parts, wasKilled);
      return { id: writer.done.length === 0 ? null : writer.id, changes: writer.done, skipped };
    });
  }

  async stamp(vaultPath: VaultPath, decide: PlanStamp): Promise<StampResult> {
    const parts = { disk: this.#disk, late: this.#late, history: async () => this.#history() };
    return this.#write(() => stampFile(parts, vaultPath, decide));
  }

  async origin(vaultPath: VaultPath, hash: string): Promise<FileOrigin> {
    return (await this.#history()).origin(vaultPath, hash);
  }

  async erase(erasure: Erasure, isDry: boolean): Promise<ErasedHistory> {
    const history = await this.#history();
    return isDry ? history.erase(erasure, true) : this.#write(() => history.erase(erasure, false));
  }

  async unpin(): Promise<number> {
    return (await this.#history()).unpin();
  }

  async writeTree(make: () => string | null): Promise<boolean> {
    if (this.#isTreeHidden) return false;
    return this.#write(async () => {
      const text = make();
      return text !== null && writeTreeFile(this.#disk, this.#late, text);
    });
  }

  async finishMoves(): Promise<void> {
    await this.#write(async () => {
      for (const { changes } of await this.log({ path: null, limit: LAST_ENTRIES }))
        for (const change of changes) finishMove(this.#disk, change);
    });
  }

  async sweep(leftovers: readonly string[]): Promise<void> {
    const places = leftovers.map((name) => path.join(this.root, name));
    // Under the lock, no writer is using what is there now.
    await this.#write(async () => sweepLeftovers(this.state, places, this.#now()));
  }

  async scan(): Promise<readonly Scanned[]> {
    if (this.#halfMoves.size > 0 && this.writeProblem() === null) await this.#write(async () => {});
    return scanVault(this.#disk);
  }

  /** Takes the lock itself: the writer that replaced the file may still hold it. */
  async #rescue(late: LateWrite): Promise<BigIntStats | null> {
    try {
      return await this.#write(() =>
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
