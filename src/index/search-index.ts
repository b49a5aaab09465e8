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

export interface FileChanges {
  readonly put: readonly IndexedFile[];
  readonly gone: readonly VaultPath[];
}

export interface IndexStats {
  readonly engine: string;
  readonly files: number;
  readonly chunks: number;
  /** On disk. */
  readonly bytes: number;
}

/** A chunk, as a model that finds by meaning refers to it. */
export interface SectionKey {
  /** Valid until the chunk changes. */
  readonly id: number;
  /** Hash of headings and text without the keys of the background job: chunks that say the same share one vector. */
  readonly meaning: string;
}

/** What a model reads of a chunk. */
export interface SectionText extends SectionKey {
  /** The headings above it, outermost first, as one line. */
  readonly title: string;
  readonly text: string;
}

/** A chunk with its score for one query. */
export interface SectionHit {
  readonly id: number;
  readonly hit: SearchHit;
  readonly text: string;
}

/** Which chunks a search may answer with. */
export type SearchBounds = Pick<SearchRequest, "scope" | "from" | "to">;

/** The chunks of an index, for a model that finds by meaning. */
export interface Sections {
  /** All within the bounds. */
  within(bounds: SearchBounds): Promise<SectionKey[]>;
  /** In the order of `ids`; chunks that are gone are left out. */
  texts(ids: readonly number[]): Promise<SectionText[]>;
  /**
   * Chunks as hits of a query, in the order of `ids`. A chunk without any word of the query has score 0; one that the query excludes, or that
   * lacks a phrase it requires, is left out.
   */
  hits(ids: readonly number[], query: string): Promise<SectionHit[]>;
}

/** An index for those who only search. */
export interface IndexReader {
  search(request: SearchRequest): Promise<SearchOutcome>;
  stats(): Promise<IndexStats>;
}

/** Finds chunks of files. Every change is seen by the searches after it. */
export interface SearchIndex extends IndexReader {
  /** Why the stored index could not be used and was replaced by an empty one; null when it was not. */
  readonly rebuilt: string | null;
  readonly sections: Sections;
  put(file: IndexedFile): Promise<void>;
  remove(path: VaultPath): Promise<void>;
  move(from: VaultPath, to: VaultPath): Promise<void>;
  /** Removes what is gone, then puts files: all of it, or nothing when it throws. */
  apply(changes: FileChanges): Promise<void>;
  /** Puts many files: the first index, or a new one. */
  load(files: AsyncIterable<IndexedFile> | Iterable<IndexedFile>): Promise<void>;
  clear(): Promise<void>;
  /** The signature of every indexed file. */
  signatures(): Promise<Map<VaultPath, string>>;
  /** A file as it was indexed; null when it is not. */
  file(path: VaultPath): Promise<IndexedFile | null>;
  close(): Promise<void>;
}

const ALWAYS_IN_CONTEXT = new Set(["overview.md", "tree.md", "profile.md"]);

/** Markdown, but for the root files that are always in the agents' context and the temporary `inbox/` and `drop/`. */
export function isIndexed(path: VaultPath): boolean {
  const isTemporary = path.startsWith("inbox/") || isDropped(path);
  return isMarkdown(path) && !ALWAYS_IN_CONTEXT.has(path) && !isTemporary;
}
