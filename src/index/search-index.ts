import type { LineRange } from "../vault/files/lines.ts";
import { isDropped, isMarkdown, type VaultPath } from "../vault/paths.ts";

/** A search, checked: no empty query, every scope a valid glob, dates as local days. */
export interface SearchRequest {
  readonly queries: readonly string[];
  readonly mode: "fast" | "deep";
  /** Which paths may answer; null for all. See {@link file://./scope.ts}. */
  readonly scope: ((path: VaultPath) => boolean) | null;
  readonly limit: number;
  /** `YYYY-MM-DD`, inclusive; null for no bound. */
  readonly from: string | null;
  readonly to: string | null;
}

/** A section of a file that answers. */
export interface SearchHit {
  readonly path: VaultPath;
  /** 0 to 1; means the same from one search to the next. */
  readonly score: number;
  /** The lines of the chunk. */
  readonly lines: LineRange;
  /** The lines in it that match best: what to show when the chunk is long. */
  readonly best: LineRange;
  /** The headings above it, outermost first. */
  readonly headings: readonly string[];
  /** Which version of the file this is of: if the file is another by now, the lines may be others too. */
  readonly signature: string;
  /** Local day or time it speaks of: its dated heading, else the file's `updated`. */
  readonly date: string | null;
}

export interface SearchOutcome {
  readonly hits: readonly SearchHit[];
  /** What the caller should know of how the search was made: one line each. */
  readonly notes: readonly string[];
}

/** A markdown file as the index takes it: its whole text, frontmatter included. */
export interface IndexedFile {
  readonly path: VaultPath;
  readonly text: string;
  readonly updated: string | null;
  /** Which version of the file this is, to know later whether it changed. */
  readonly signature: string;
}

export interface IndexStats {
  readonly engine: string;
  readonly files: number;
  readonly chunks: number;
}

/** Finds sections of files. Every change is seen by the searches after it. */
export interface SearchIndex {
  put(file: IndexedFile): Promise<void>;
  remove(path: VaultPath): Promise<void>;
  move(from: VaultPath, to: VaultPath): Promise<void>;
  search(request: SearchRequest): Promise<SearchOutcome>;
  stats(): IndexStats;
  close(): void;
}

const ALWAYS_IN_CONTEXT = new Set(["overview.md", "tree.md", "profile.md"]);

/** Markdown, but for the root files that are always in the agents' context and the temporary `inbox/` and `drop/`. */
export function isIndexed(path: VaultPath): boolean {
  const isTemporary = path.startsWith("inbox/") || isDropped(path);
  return isMarkdown(path) && !ALWAYS_IN_CONTEXT.has(path) && !isTemporary;
}
