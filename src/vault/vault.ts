import { DiskVault } from "./disk-vault.ts";
import type { TextFile, WholeText } from "./files/text-file.ts";
import type { FileVersion } from "./files/version.ts";
import type { KeepLimits } from "./history/history.ts";
import type { Change, ChangeAuthor, HistoryEntry, HistoryQuery } from "./history/history-types.ts";
import type { Listed } from "./listing.ts";
import type { VaultPath } from "./paths.ts";
import type { VaultScanner } from "./scan.ts";
import type { Totals, TreeNode } from "./tree/totals.ts";
import type { StampResult, StampTimes, Unstamped } from "./write/stamper.ts";
import type { Writer } from "./write/writer.ts";

/** Something in the vault. */
export interface VaultItem {
  readonly kind: "file" | "folder" | "other";
  /** Links followed: two names of one file have the same. */
  readonly path: VaultPath;
  /** Bytes. */
  readonly size: number;
  /** Differs when the file differs; only to compare. */
  readonly version: string;
  /** Time of the last change: milliseconds since 1970. */
  readonly modified: number;
}

/**
 * Reading, without any way to change something: all that a read-only caller is given. This and {@link Vault} speak of no folder on a disk: any
 * implementation passes `src/testing/suites/vault-suite.ts`.
 */
export interface VaultReader {
  find(path: VaultPath): Promise<VaultItem | { readonly kind: "missing" }>;
  /** Like `find`, for what must exist: `not_found` names near paths. */
  get(path: VaultPath): Promise<VaultItem>;
  /** What is directly in a folder, folders first. */
  list(path: VaultPath): Promise<Listed[]>;
  /** Every file under a folder. */
  walk(path: VaultPath): AsyncIterable<Listed>;
  /** Throws `not_a_file`, `not_text` or `too_large` for anything but a text file. */
  openText(path: VaultPath): Promise<TextFile>;
  /** The first bytes of a file, at most `most` of them, and its size. */
  readBytes(path: VaultPath, most: number): Promise<{ bytes: Buffer; size: number }>;
  /** Tokens and last change of a file or folder and all under it. */
  shape(path: VaultPath): Promise<TreeNode>;
}

export interface UndoAuthor {
  readonly actor: string;
  readonly force: boolean;
  /** Its process was killed: skips changes that were recorded and never made, and those that were taken back already. */
  readonly wasKilled?: boolean;
}

/** The vault: a {@link VaultReader} that can also change, with a history of every change. */
export interface Vault extends VaultReader, VaultScanner {
  /** Empty until the first `scan` or `restore`; then `refresh` must follow every change made by other programs. */
  readonly totals: Pick<Totals, "isWarm" | "scan" | "restore" | "get" | "refresh" | "set">;
  /**
   * Runs `work` alone among all writers of this vault, in all processes. Its changes form one history entry, whose id is returned; null when
   * it changed nothing.
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
   * For the background job: updates its keys in one markdown file, alone among all writers. Not recorded in the history, because the person's
   * text stays the same.
   */
  stamp(path: VaultPath, decide: (file: Unstamped) => StampTimes): Promise<StampResult>;
  /** For the background job: writes `tree.md`. False when it has this text already. */
  writeTree(text: string): Promise<boolean>;
  /** Finishes a move whose process was killed when the file had its new name and still its old one. */
  finishMoves(): Promise<void>;
  /** For the background job: removes from the vault the leftovers of killed processes that `scan` reported. */
  sweep(leftovers: readonly string[]): Promise<void>;
  /** Recovers now what other programs wrote to files that were replaced a moment ago. Returns the paths it was written to. */
  finishLateWrites(): Promise<VaultPath[]>;
  /** Calls `listener` after every change made through this vault. Returns how to stop. */
  onChange(listener: (change: Change) => void): () => void;
  close(): void;
}

/** A vault in a folder of this machine. */
export interface LocalVault extends Vault {
  /** The real folder of the notes, links followed. */
  readonly root: string;
  /** Where history and caches are kept. */
  readonly state: string;
}

/** The first and last bytes of a file too large to be read whole. */
export interface FileEnds {
  /** Links followed. */
  readonly path: VaultPath;
  /** Bytes of the whole file. */
  readonly size: number;
  readonly version: FileVersion;
  /** Lines of the whole file, when they were counted before; else null. */
  readonly lines: number | null;
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** What `change` hands to its work: the writer, and the present text of what it is about to change. */
export interface VaultWriter {
  readonly writer: Pick<Writer, "id" | "done" | "create" | "update" | "splice" | "move" | "remove">;
  readonly readWhole: (path: VaultPath) => Promise<WholeText>;
  /** Creates a folder that is missing. */
  readonly makeFolder: (path: VaultPath) => Promise<void>;
  /** The first and last bytes of a file, at most `window` of each. */
  readonly readEnds: (path: VaultPath, window: number) => Promise<FileEnds>;
}

export interface VaultOptions {
  /** The folder of notes. It must exist. */
  readonly root: string;
  /** Where history and caches are kept: outside the vault. Created when first needed. */
  readonly state: string;
  readonly now?: () => Date;
  readonly keep?: KeepLimits;
}

/** Opens a folder of notes as a vault. Throws when the folder is missing or the state folder lies inside it. */
export function createVault(options: VaultOptions): LocalVault {
  return new DiskVault(options);
}
