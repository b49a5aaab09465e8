import { AsyncLocalStorage } from "node:async_hooks";

import { ExpectedError } from "../../errors.ts";
import type { Postgres } from "../../storage/postgres/postgres.ts";
import { localTime } from "../../text/local-time.ts";
import { decodeUtf8, isTextBytes } from "../../text/utf8.ts";
import { TREE_FILE } from "../files/generated-tree.ts";
import type { FileFacts } from "../files/measure.ts";
import {
  notText,
  itemInMemory,
  textInMemory,
  textOfBytes,
  type TextFile,
  type WholeText,
} from "../files/text-file.ts";
import type { ErasedHistory, Erasure } from "../history/erase-history.ts";
import { DEFAULT_KEEP, entriesNamed, keptBytes, type KeepLimits } from "../history/history.ts";
import type {
  Change,
  ChangeAuthor,
  FileOrigin,
  HistoryEntry,
  HistoryQuery,
} from "../history/history-types.ts";
import type { MovesAfter } from "../history/moved-places.ts";
import { undoEntries } from "../history/undo.ts";
import type { Listed } from "../listing.ts";
import { missingPath, notFound } from "../missing-path.ts";
import { nearestPaths } from "../near-names.ts";
import { compareNames, nameOf, showPath, type VaultPath } from "../paths.ts";
import type { Scanned } from "../scan.ts";
import type { TreeNode } from "../tree/folder-totals.ts";
import { generatedNode, treeFile } from "../tree/tree-text.ts";
import type { FileEnds, UndoAuthor, Undone, Vault, VaultItem, VaultWriter } from "../vault.ts";
import type { PlanStamp, StampResult } from "../write/stamper.ts";
import { Blobs } from "./blobs.ts";
import { OneAtATime } from "./one-at-a-time.ts";
import { PostgresHistory } from "./postgres-history.ts";
import { PostgresWriter, type StampInWrite } from "./postgres-writer.ts";
import { rowUndoFiles } from "./row-undo.ts";
import { filesOf, scannedRows, shapeOfRows } from "./row-shapes.ts";
import { stampRow } from "./stamp-row.ts";
import { isListed, isListedIn, TreeRows, type FileRow, type TreeRow } from "./tree-rows.ts";
import { DEFAULT_LIMITS, TreeWrites, type VaultLimits } from "./tree-writes.ts";
import type { VaultRow } from "./vault-row.ts";

/** Paths that are compared with one that is missing. */
const LOOKED_AT = 50_000;
/** Milliseconds between two looks at whether the history must be pruned. */
const PRUNING = 60 * 60 * 1000;

export interface PostgresVaultOptions {
  readonly database: Postgres;
  readonly row: VaultRow;
  readonly now?: () => Date;
  readonly keep?: KeepLimits;
  readonly limits?: VaultLimits;
  /** Which frontmatter notes are given as they are written; left out, none. */
  readonly stamp?: StampInWrite;
  /** Called in the transaction of every change before anything is written; what it throws refuses the change. */
  readonly beforeChange?: (author: ChangeAuthor) => Promise<void>;
  /**
   * Called in the transaction of every change, with the files that it wrote, moved or removed, and what it did: what it writes is kept with them,
   * or not at all.
   */
  readonly beforeCommit?: (touched: readonly VaultPath[], made: readonly Change[]) => Promise<void>;
}

/** What a change does, and what came of it. */
interface Changing {
  readonly tree: TreeWrites;
  readonly made: Change[];
}

/** A vault as rows in PostgreSQL: one change is one transaction, which holds the lock of the vault's row. */
export class PostgresVault implements Vault {
  readonly #database: Postgres;
  readonly #row: VaultRow;
  readonly #rows: TreeRows;
  readonly #blobs: Blobs;
  readonly #history: PostgresHistory;
  readonly #options: PostgresVaultOptions;
  readonly #now: () => Date;
  /** Those who wait for the lock in this process hold no connection: one vault cannot keep them all. */
  readonly #turns = new OneAtATime();
  /** Whether the present call is part of {@link alone}, which has the turn. */
  readonly #hasTurn = new AsyncLocalStorage<boolean>();
  readonly #listeners = new Set<(change: Change) => void>();
  #pruned = Number.NEGATIVE_INFINITY;

  constructor(options: PostgresVaultOptions) {
    const { database, row, now = () => new Date() } = options;
    this.#options = options;
    this.#database = database;
    this.#row = row;
    this.#now = now;
    this.#rows = new TreeRows(database, row.id);
    this.#blobs = new Blobs(database, row.id);
    this.#history = new PostgresHistory(database, row);
  }

  async find(path: VaultPath): Promise<VaultItem | { readonly kind: "missing" }> {
    const found = await this.#rows.find(path);
    return found.kind === "missing" ? { kind: "missing" } : itemOf(found);
  }

  /** What was measured of files when they were written, all in one question. */
  async measured(paths: readonly VaultPath[]): Promise<ReadonlyMap<VaultPath, FileFacts>> {
    return this.#rows.facts(paths);
  }

  async get(path: VaultPath): Promise<VaultItem> {
    const generated = await this.#generated(path);
    if (generated !== null) return itemInMemory(path, generated, this.#now());
    return itemOf(await this.#get(path));
  }

  async #get(path: VaultPath): Promise<TreeRow> {
    const found = await this.#rows.find(path);
    if (found.kind !== "missing") return found;
    const near = nearestPaths(path, await this.#rows.paths(LOOKED_AT));
    throw missingPath(path, near, found.folder);
  }

  async #file(path: VaultPath): Promise<FileRow> {
    const found = await this.#rows.find(path);
    if (found.kind === "file") return found;
    if (found.kind === "missing") throw notFound(path);
    throw new ExpectedError("not_a_file", `${showPath(path)} is a folder, not a file.`);
  }

  async #bytes({ path, hash }: FileRow, most?: number): Promise<Buffer> {
    const bytes = await this.#blobs.read(hash, most);
    if (bytes === null) throw new Error(`the bytes of ${path} are not in the database`);
    return bytes;
  }

  async isGenerated(path: VaultPath): Promise<boolean> {
    if (path !== TREE_FILE) return false;
    const found = await this.#rows.find(path);
    return found.kind === "missing" || (found.kind === "file" && found.facts.isGenerated === true);
  }

  /** The text of our listing when it is asked for and nothing of that name is there; null for anything else. */
  async #generated(path: VaultPath): Promise<string | null> {
    if (path !== TREE_FILE || (await this.#rows.find(path)).kind !== "missing") return null;
    const root = await this.shape("");
    return root.kind === "folder" ? treeFile(root) : null;
  }

  async list(path: VaultPath): Promise<Listed[]> {
    const folder = await this.#get(path);
    if (folder.kind === "file")
      throw new ExpectedError("not_a_folder", `${showPath(path)} is a file, not a folder.`);
    const rows = await this.#rows.children(folder.path);
    return rows
      .filter((row) => isListedIn(folder.path, row))
      .map((row) => ({ kind: row.kind, name: nameOf(row.path), path: row.path, isLink: false }))
      .toSorted((a, b) =>
        a.kind === b.kind ? compareNames(a.name, b.name) : a.kind === "folder" ? -1 : 1,
      );
  }

  async *walk(path: VaultPath): AsyncGenerator<Listed> {
    const node = await this.#shape(await this.#get(path));
    for (const file of filesOf(node))
      yield { kind: "file", name: file.name, path: file.path, isLink: false };
  }

  async openText(path: VaultPath): Promise<TextFile> {
    const generated = await this.#generated(path);
    if (generated !== null) return textInMemory(path, generated);
    const { row, bytes } = await this.#text(path);
    return textOfBytes(row.path, row.hash, bytes);
  }

  /** A file that is text, with all its bytes. Throws for anything else. */
  async #text(path: VaultPath): Promise<{ readonly row: FileRow; readonly bytes: Buffer }> {
    const row = await this.#file(path);
    const bytes = await this.#bytes(row);
    if (!isTextBytes(bytes)) throw notText(path);
    return { row, bytes };
  }

  async readBytes(path: VaultPath, most: number): Promise<{ bytes: Buffer; size: number }> {
    const generated = await this.#generated(path);
    if (generated !== null) {
      const bytes = Buffer.from(generated);
      return { bytes: bytes.subarray(0, most), size: bytes.length };
    }
    const row = await this.#file(path);
    return { bytes: await this.#bytes(row, most), size: row.facts.bytes };
  }

  async shape(path: VaultPath): Promise<TreeNode> {
    const generated = await this.#generated(path);
    if (generated !== null) return generatedNode(generated, localTime(this.#now()));
    return this.#shape(await this.#get(path));
  }

  async #shape(row: TreeRow): Promise<TreeNode> {
    return shapeOfRows(row, row.kind === "file" ? [] : await this.#rows.under(row.path));
  }

  async scan(): Promise<readonly Scanned[]> {
    return scannedRows(await this.#rows.under(""));
  }

  /**
   * Runs `work` alone among all writers of this vault. Of work that fails, what it had done before is kept, as on a disk; with `isAtomic`,
   * nothing is.
   */
  async #change<T>(work: (changing: Changing) => Promise<T>, isAtomic: boolean): Promise<T> {
    const { limits = DEFAULT_LIMITS, beforeCommit } = this.#options;
    const changing = {
      tree: new TreeWrites(this.#database, this.#row, limits),
      made: [] as Change[],
    };
    const outcome = await this.#inTurn(async () =>
      this.#database.transaction(async (): Promise<{ value: T } | { error: unknown }> => {
        await this.#row.lockToChange();
        let result: { value: T } | { error: unknown };
        try {
          result = { value: await work(changing) };
        } catch (error) {
          if (isAtomic || changing.made.length === 0) throw error;
          result = { error };
        }
        const touched = [...changing.tree.touched];
        if (touched.length + changing.made.length > 0) await beforeCommit?.(touched, changing.made);
        return result;
      }),
    );
    this.#database.afterCommit(() => {
      for (const change of changing.made) for (const listener of this.#listeners) listener(change);
    });
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#hasTurn.getStore() === true ? work() : this.#turns.run(work);
  }

  /** Runs `work`, which may be several changes, as one transaction alone among all writers of this vault: all of it is kept, or nothing. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn(async () =>
      this.#hasTurn.run(true, async () =>
        this.#database.transaction(async () => {
          await this.#row.lockToChange();
          return work();
        }),
      ),
    );
  }

  async change<T>(
    author: ChangeAuthor,
    work: (writer: VaultWriter) => Promise<T>,
  ): Promise<{ value: T; id: string | null }> {
    return this.#change(async ({ tree, made }) => {
      await this.#options.beforeChange?.(author);
      await this.#prune();
      const writer = this.#writer(tree, author, made);
      const value = await work({
        writer,
        readWhole: async (path) => this.#readWhole(path),
        makeFolder: async (path) => {
          await tree.makeParents(`${path}/x`, this.#now().getTime());
        },
        readEnds: async (path, window) => this.#readEnds(path, window),
      });
      return { value, id: writer.done.length === 0 ? null : writer.id };
    }, false);
  }

  #writer(tree: TreeWrites, author: ChangeAuthor, done: Change[]): PostgresWriter {
    const { stamp = null } = this.#options;
    const [database, history, at] = [this.#database, this.#history, this.#now()];
    return new PostgresWriter({ database, tree, history, author, at, stamp, done });
  }

  /** Not only when the vault is opened: a service runs for months. */
  async #prune(): Promise<void> {
    const now = this.#now();
    if (Math.abs(now.getTime() - this.#pruned) < PRUNING) return;
    this.#pruned = now.getTime();
    await this.#history.prune(now, this.#options.keep ?? DEFAULT_KEEP);
  }

  async #readWhole(path: VaultPath): Promise<WholeText> {
    const { row, bytes } = await this.#text(path);
    const version = { signature: row.hash, hash: row.version };
    return { path: row.path, bytes, text: decodeUtf8(bytes), version };
  }

  async #readEnds(path: VaultPath, window: number): Promise<FileEnds> {
    const row = await this.#file(path);
    const bytes = await this.#bytes(row);
    return {
      path: row.path,
      size: bytes.length,
      version: { signature: row.hash, hash: row.version },
      lines: null,
      head: bytes.subarray(0, window),
      tail: bytes.subarray(Math.max(0, bytes.length - window)),
    };
  }

  async log(query: HistoryQuery): Promise<HistoryEntry[]> {
    return this.#history.entries(query);
  }

  async entries(id: string): Promise<HistoryEntry[]> {
    return entriesNamed(this.#history, id);
  }

  async movesAfter(ids: readonly string[]): Promise<MovesAfter> {
    return this.#history.movesAfter(ids);
  }

  async kept(hash: string): Promise<Buffer> {
    return keptBytes(this.#history, hash);
  }

  async historySize(): Promise<{ entries: number; bytes: number }> {
    return this.#history.size();
  }

  async origin(path: VaultPath, hash: string): Promise<FileOrigin> {
    return this.#history.origin(path, hash);
  }

  async unpin(): Promise<number> {
    return this.#history.unpin();
  }

  async erase(erasure: Erasure, isDry: boolean): Promise<ErasedHistory> {
    return this.#inTurn(async () => this.#history.erase(erasure, isDry));
  }

  async undo(id: string, author: UndoAuthor): Promise<Undone> {
    const { actor, force, wasKilled = false, onProgress } = author;
    const history = this.#history;
    return this.#change(async ({ tree, made }) => {
      const entries = await entriesNamed(history, id);
      const [first] = entries;
      const undoes = entries.length === 1 && first !== undefined ? first.id : id;
      const writer = this.#writer(tree, { actor, call: "undo", batch: null, undoes }, made);
      const told = onProgress === undefined ? {} : { onProgress };
      const files = rowUndoFiles(this.#rows, this.#blobs, history);
      const parts = { files, history, writer, force, isAtomic: true, ...told };
      const skipped = await undoEntries(entries, parts, wasKilled);
      return { id: writer.done.length === 0 ? null : writer.id, changes: writer.done, skipped };
    }, true);
  }

  async stamp(path: VaultPath, decide: PlanStamp): Promise<StampResult> {
    return this.#change(async ({ tree }) => {
      const { row, bytes } = await this.#text(path);
      return stampRow({ tree, history: this.#history, row, bytes }, decide);
    }, true);
  }

  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The connections are the database's. */
  close(): void {
    this.#listeners.clear();
  }
}

function itemOf(row: TreeRow): VaultItem {
  const { kind, path, modified, created } = row;
  return {
    kind,
    path,
    size: row.kind === "file" ? row.facts.bytes : 0,
    version: row.kind === "file" ? row.hash : "",
    touched: modified * 1000,
    modified,
    created,
    isListed: isListed(path, kind),
    isReadOnly: false,
    ...(row.kind === "file" && row.facts.isPrivate !== undefined
      ? { isPrivate: row.facts.isPrivate }
      : {}),
  };
}
