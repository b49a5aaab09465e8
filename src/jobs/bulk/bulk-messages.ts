import { ExpectedError } from "../../errors.ts";
import type { FileChanges } from "../../index/search-index.ts";
import type { Left } from "../../vault/files/frontmatter.ts";
import type { FileFacts } from "../../vault/files/measure.ts";
import type { VaultPath } from "../../vault/paths.ts";
import type { VaultItem } from "../../vault/vault.ts";

/** What the thread is started with. */
export interface BulkPlace {
  readonly root: string;
  readonly state: string;
}

/** To the thread. */
export type BulkOrder =
  /** Read these files and put them into the index; `isFirst` when it holds none yet. */
  | { readonly kind: "read"; readonly paths: readonly VaultPath[]; readonly isFirst: boolean }
  /** Small changes of the index, made before the files that are still to be read. */
  | { readonly kind: "apply"; readonly id: number; readonly changes: FileChanges }
  | { readonly kind: "close" };

/** What decides about the frontmatter of a markdown file. */
export interface NoteFacts {
  readonly hash: string;
  readonly carriesKeys: boolean;
  /** Its front matter is of another kind than ours. */
  readonly isOther: boolean;
  readonly left: Left | null;
  /** Local time at which it was made. */
  readonly created: string;
}

/** A file that the thread read, and put into the index if it belongs there. */
export interface BulkFile {
  readonly path: VaultPath;
  /** Null when it is not there, or no file. */
  readonly item: VaultItem | null;
  readonly facts: FileFacts | null;
  /** Null for what is not markdown, and for text too large to be held whole. */
  readonly note: NoteFacts | null;
  readonly isPut: boolean;
  /** Why it could not be read or put. */
  readonly failure: BulkFailure | null;
}

/** An error of the thread: what an error says beside its message is lost between threads. */
export interface BulkFailure {
  readonly message: string;
  /** It is to be tried again until there is room. */
  readonly isDiskFull: boolean;
}

export function errorOf({ message, isDiskFull }: BulkFailure): Error {
  return isDiskFull ? new ExpectedError("disk_full", message) : new Error(message);
}

/** From the thread. */
export type BulkReply =
  /** These files are in the index by now. */
  | { readonly kind: "files"; readonly files: readonly BulkFile[] }
  | { readonly kind: "applied"; readonly id: number; readonly failure: BulkFailure | null }
  /** All is done that these many orders asked for. */
  | { readonly kind: "idle"; readonly orders: number }
  | { readonly kind: "closed" };

export function pathsOf(files: readonly BulkFile[]): VaultPath[] {
  return files.map(({ path }) => path);
}
