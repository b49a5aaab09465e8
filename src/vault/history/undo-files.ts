import type { VaultPath } from "../paths.ts";
import type { Splice } from "../write/splice.ts";
import type { SeenFile } from "../write/writer.ts";
import type { Change, Relinking, RemovedItem } from "./history-types.ts";

/** Something that has a name in the vault. */
export interface UndoEntry {
  readonly kind: "file" | "folder" | "link" | "other";
  readonly path: VaultPath;
}

/** A file that was found, links followed. */
export interface UndoLocated {
  readonly path: VaultPath;
}

/** A file whose parts can be read. */
export interface OpenedFile<L> {
  readonly located: L;
  readonly size: number;
  /** So many bytes from an offset on, or fewer at the end of the file. */
  bytes(at: number, length: number): Buffer;
}

/**
 * What an undo sees of the files.
 * @typeParam E something by its name
 * @typeParam L a file that was found
 */
export interface UndoFiles<E extends UndoEntry, L> {
  /** Null when nothing has that name; a link is taken as it is. */
  lookup(path: VaultPath): Promise<E | null>;
  readWhole(path: VaultPath): Promise<{ readonly located: L; readonly bytes: Buffer }>;
  read<T>(path: VaultPath, use: (file: OpenedFile<L>) => T): Promise<T>;
  /** What is directly in a folder, dotfiles included. */
  namesIn(folder: E): Promise<string[]>;
  /** Whether there are only folders in a folder, at any depth; dotfiles count. */
  holdsNoFile(folder: E): Promise<boolean>;
  /** Whether something is still what was kept of it, by the text of its files. */
  isStillKept(entry: E, items: readonly RemovedItem[]): Promise<boolean>;
  seen(located: L): SeenFile;
}

/** A file as it was found, with all its bytes, and those it is to have. */
export interface FoundReplacement<L> {
  readonly located: L;
  readonly before: Buffer;
  readonly after: Buffer;
  /** The time of change it is to have, in milliseconds since 1970; left out, that of the write. */
  readonly modified?: number | undefined;
}

/** What an undo does to the files. */
export interface UndoWriter<E extends UndoEntry, L> {
  readonly id: string;
  readonly done: readonly Change[];
  /** Changes that were recorded, made in part, and could not be taken back. */
  readonly half: number;
  create(path: VaultPath, bytes: Buffer): Promise<void>;
  replace(seen: SeenFile, before: Buffer, bytes: Buffer, how?: Relinking): Promise<void>;
  /** Returns those that another program changed meanwhile: they are left as they are. */
  replaceAll(files: readonly FoundReplacement<L>[]): Promise<VaultPath[]>;
  splice(seen: SeenFile, splice: Splice, how?: Relinking): Promise<void>;
  moveEntry(entry: E, to: VaultPath, onDisk?: string): Promise<VaultPath>;
  removeEntry(entry: E): Promise<readonly RemovedItem[]>;
  restore(path: VaultPath, items: readonly RemovedItem[]): Promise<void>;
}
