import { DiskVault } from "./disk-vault.ts";
import type { TextFile, WholeText } from "./files/text-file.ts";
import type { MeasuredFile } from "./files/measure.ts";
import type { FileVersion } from "./files/version.ts";
import type { ErasedHistory, Erasure } from "./history/erase-history.ts";
import type { KeepLimits } from "./history/history.ts";
import type {
  Change,
  ChangeAuthor,
  FileOrigin,
  HistoryEntry,
  HistoryQuery,
} from "./history/history-types.ts";
import type { MovesAfter } from "./history/moved-places.ts";
import type { IgnoreRules } from "./ignore-rules.ts";
import type { KnownTime } from "./known-time.ts";
import type { Listed } from "./listing.ts";
import type { VaultPath } from "./paths.ts";
import type { Scanned } from "./scan.ts";
import type { Totals, TreeNode } from "./tree/totals.ts";
import type { PlanStamp, StampResult } from "./write/stamper.ts";
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
  /** Differs also when a file was edited and given its old time again, moved, or only its mode changed: then its content decides. */
  readonly touched: number;
  /** Time of the last change: milliseconds since 1970. */
  readonly modified: number;
  /** The same of its creation, where the disk knows it; 0 where not. */
  readonly created: number;
  /** False when it can be read, and an ignore file keeps it out of lists and index. */
  readonly isListed: boolean;
  /** Its owner may not write it. */
  readonly isReadOnly: boolean;
  /** Whether this version of a note says of itself that it is private, where that is known without reading it. */
  readonly isPrivate?: boolean;
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
  /**
   * Tokens and last change of a file or folder and all under it.
   * @param how `glance`: while a service measures the vault for the first time, what can be listed at once, and no more; else all is read
   */
  shape(path: VaultPath, how?: "glance"): Promise<TreeNode>;
  /**
   * Whether a path is the listing that we generate: `tree.md`, unless something of the person's is there. When it is not on the disk, `get`,
   * `openText`, `readBytes` and `shape` give it all the same; `find`, `list` and `walk` do not show it.
   */
  isGenerated(path: VaultPath): Promise<boolean>;
}

export interface UndoAuthor {
  readonly actor: string;
  readonly force: boolean;
  /** Its process was killed: skips changes that were recorded and never made, and those that were taken back already. */
  readonly wasKilled?: boolean;
  /** Called with how many of how many changes are taken back. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** What an undo did. */
export interface Undone {
  /** Of the undo's own entry; null when it changed nothing. */
  readonly id: string | null;
  readonly changes: readonly Change[];
  /** Files that changed since, and so were left as they are. */
  readonly skipped: readonly VaultPath[];
}

/** A vault as callers are given it: to read, change and take back. */
export interface CallersVault extends VaultReader {
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
  /** What was moved since these entries were recorded, hidden places included: only for a gate to judge them by. */
  movesAfter(ids: readonly string[]): Promise<MovesAfter>;
  /** Takes back an entry or a batch, newest change first; all of it or nothing. Only of stamps, those whose file changed since are skipped. */
  undo(id: string, author: UndoAuthor): Promise<Undone>;
  /** Calls `listener` after every change made through this vault. Returns how to stop. */
  onChange(listener: (change: Change) => void): () => void;
}

/** The whole vault, with its history. */
export interface Vault extends CallersVault {
  /**
   * Every file and folder without opening any: signatures show what changed. One list, because a promise for each of 100,000 files would
   * cost more than finding it.
   */
  scan(): Promise<readonly Scanned[]>;
  /** Bytes the history kept. */
  kept(hash: string): Promise<Buffer>;
  historySize(): Promise<{ entries: number; bytes: number }>;
  /** For the background job: how a file came to be as it is, with this hash of the person's part of it. */
  origin(path: VaultPath, hash: string): Promise<FileOrigin>;
  /** Lets go of old bytes that are kept however old they become. Returns how many entries of the history had some. */
  unpin(): Promise<number>;
  /** Removes from the history what must not exist, for good. @param isDry only counts what there is */
  erase(erasure: Erasure, isDry: boolean): Promise<ErasedHistory>;
  /**
   * For the background job: updates its keys in one markdown file, alone among all writers. Recorded in the history only when the plan says
   * so, because the person's text stays the same.
   */
  stamp(path: VaultPath, decide: PlanStamp): Promise<StampResult>;
  close(): void;
}

/** A file that was found and read once. */
export interface MeasuredItem {
  readonly item: VaultItem;
  readonly measured: MeasuredFile;
}

/** A vault whose files other programs may change: a background job follows them, and writes what is generated. */
export interface JobVault extends Vault {
  /** Empty until the first `scan` or `restore`; then `refresh` must follow every change made by other programs. */
  readonly totals: Pick<
    Totals,
    | "isWarm"
    | "isAwaited"
    | "scan"
    | "restore"
    | "get"
    | "isLink"
    | "has"
    | "folders"
    | "prepareNear"
    | "refresh"
    | "read"
    | "refreshFolder"
    | "set"
  >;
  /**
   * For the background job: writes `tree.md`. False when it has this text already, or is the person's.
   * @param make called when no other change is being made; null writes nothing
   */
  writeTree(make: () => string | null): Promise<boolean>;
  /** Finishes a move whose process was killed when the file had its new name and still its old one. */
  finishMoves(): Promise<void>;
  /** For the background job: removes from the vault the leftovers of killed processes that `scan` reported. */
  sweep(leftovers: readonly string[]): Promise<void>;
  /** Recovers now what other programs wrote to files that were replaced a moment ago. Returns the paths it was written to. */
  finishLateWrites(): Promise<VaultPath[]>;
}

/** A vault in a folder of this machine. */
export interface LocalVault extends JobVault {
  /** Reads one file, for a thread that has no totals; null when it is not there, or no file. */
  measure(path: VaultPath): MeasuredItem | null;
  /** The real folder of the notes, links followed. */
  readonly root: string;
  /** Where history and caches are kept. */
  readonly state: string;
  /** Why nothing may be written at present: every change is refused with this. Null when all is well. */
  writeProblem(): string | null;
  /** For the watcher: what is not followed. */
  readonly ignore: IgnoreRules;
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
  readonly writer: Pick<Writer, "id" | "create" | "update" | "splice" | "move" | "remove"> & {
    /** What it changed so far. */
    readonly done: readonly Change[];
  };
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
  /** Asked before every write; a reason refuses it. */
  readonly refuse?: () => string | null;
  /** For those who look without a background job: what it knew of the times of notes. */
  readonly knownTime?: KnownTime | undefined;
}

/** Opens a folder of notes as a vault. Throws when the folder is missing or the state folder lies inside it. */
export function createVault(options: VaultOptions): LocalVault {
  return new DiskVault(options);
}
