import type { VaultPath } from "../paths.ts";
import type { FileVersion } from "../files/version.ts";

/**
 * Throws when its caller may not add something at a path, alter what is there, or take it away. Paths have links followed, so that another name
 * does not bypass it.
 */
export type ChangeGuard = (deed: "add" | "alter" | "take", path: VaultPath) => void;

/** Who changes the vault, by which call, and the batch (an agent's run) it belongs to. */
export interface ChangeAuthor {
  readonly actor: string;
  readonly call: string;
  readonly batch: string | null;
  /** The entry or batch that this one undoes. */
  readonly undoes?: string;
  /** Its old bytes are kept until {@link History.unpin}, however old they become. */
  readonly isPinned?: boolean;
  /** Called before every change; without it, everything is allowed. */
  readonly guard?: ChangeGuard;
}

/** Old and new bytes by their hash: the whole of a small file. */
export interface KeptWhole {
  readonly wholeBefore: string;
  readonly wholeAfter: string;
}

/**
 * What was replaced in a large file, so that a line added to a 50 MB changelog does not keep 50 MB. The background job may change
 * the frontmatter above it meanwhile, so what stands around it is kept too.
 */
export interface KeptSplice {
  /** Offset in the file. */
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
  readonly insertedBytes: number;
  /** The bytes on each side, in base64. */
  readonly before: string;
  readonly after: string;
  /** Length of the frontmatter, and of the file, after the change. */
  readonly headBytes: number;
  readonly fileBytes: number;
}

/** Something a delete took away: the file, link or folder itself first, then all that was under it. */
export type RemovedItem = {
  /** Names as they were on disk, from the removed thing on: `notes`, `notes/a.md`. */
  readonly name: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
} & (
  | { readonly kind: "folder" }
  | { readonly kind: "link"; readonly target: string }
  | {
      readonly kind: "file";
      readonly bytes: string;
      readonly size: number;
      readonly modified: number;
    }
);

/** A change of nothing but the names in a note's links: it says what it said, so `updated` stays. */
export interface Relinking {
  /** The hashes of the person's part before and after. */
  readonly relinked?: { readonly before: string; readonly after: string };
}

export type Change =
  | {
      readonly kind: "create";
      readonly path: VaultPath;
      /** The new bytes; null when they are too many to keep only for showing. */
      readonly after: string | null;
      readonly version: FileVersion;
      readonly madeFolders: readonly VaultPath[];
    }
  | (Relinking & {
      readonly kind: "modify";
      readonly path: VaultPath;
      readonly kept: KeptWhole | KeptSplice;
      readonly version: FileVersion;
      /** When the file had last changed before, in milliseconds since 1970; releases up to 0.1 kept it of no change. */
      readonly modified?: number;
    })
  | {
      readonly kind: "remove";
      readonly path: VaultPath;
      readonly items: readonly RemovedItem[];
    }
  /** A removed thing put back: the undo of `remove`. */
  | {
      readonly kind: "restore";
      readonly path: VaultPath;
      readonly items: readonly RemovedItem[];
      readonly madeFolders: readonly VaultPath[];
    }
  | {
      readonly kind: "move";
      readonly path: VaultPath;
      /** Its name on disk before, which may be of another Unicode form than `path`. */
      readonly onDisk: string;
      readonly to: VaultPath;
      readonly madeFolders: readonly VaultPath[];
    };

export interface HistoryEntry {
  readonly id: string;
  readonly at: Date;
  readonly actor: string;
  readonly call: string;
  readonly batch: string | null;
  readonly undoes: string | null;
  readonly undoneBy: string | null;
  readonly changes: readonly Change[];
}

export interface HistoryQuery {
  /** Only what touched this file, or something under this folder; null for everything. */
  readonly path: VaultPath | null;
  /** Only entries of this call. */
  readonly call?: string;
  readonly limit: number;
}

/** How a file came to be as it is, as far as the history knows. */
export type FileOrigin = "made" | "stamp undone" | null;
