import type { LineRange } from "../vault/files/lines.ts";
import type { LineRun } from "../vault/files/text-file.ts";
import { isDropped, isMarkdown, type VaultPath } from "../vault/paths.ts";
import type { WrittenLink } from "./links-in.ts";
import type { Scope } from "./scope.ts";

/** A search, checked: no empty query, every scope a valid glob, dates as local days. */
export interface SearchRequest {
  readonly queries: readonly string[];
  readonly mode: "fast" | "deep";
  /** Which paths may answer, those of any of them; null for all. */
  readonly scope: readonly Scope[] | null;
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
  /** The lines of the chunk, without the frontmatter. */
  readonly lines: LineRange;
  /** How many lines the frontmatter of the file takes, blank lines after it included. */
  readonly frontmatter: number;
  /** The lines in it that match best: what to show when the chunk is long. */
  readonly best: LineRange;
  /** The headings above it, outermost first. */
  readonly headings: readonly string[];
  /** Which version of the file this is of: if the file is another by now, the lines may be others too. */
  readonly signature: string;
  /** Local day or time it speaks of: its dated heading, else the file's `updated`. */
  readonly date: string | null;
  /** The newest passage that makes it untrue; null for one that holds. */
  readonly replaced: Replacement | null;
}

/** A passage that makes another untrue, by its line `Replaces: [[…]]`. */
export interface Replacement {
  readonly path: VaultPath;
  readonly lines: LineRange;
  /** Like that of a hit. */
  readonly date: string | null;
  /** What was true before, as it says; null when it does not. */
  readonly value: string | null;
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

/** Consecutive lines of a file as it was indexed. */
export interface IndexedLines extends LineRun {
  readonly signature: string;
  /** Of the whole file. */
  readonly totalLines: number;
}

export interface FileChanges {
  readonly put: readonly IndexedFile[];
  readonly gone: readonly VaultPath[];
}

/** A step of a load: a file to put, one to remove, or to commit what came before. */
export type LoadStep = IndexedFile | { readonly gone: VaultPath } | "commit";

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
  /** Of its file. */
  readonly path: VaultPath;
  /** The headings above it, outermost first, as one line. */
  readonly title: string;
  readonly text: string;
}

/** A chunk with its score for one query. */
export interface SectionHit {
  readonly id: number;
  readonly hit: SearchHit;
}

/** Which chunks a search may answer with. */
export type SearchBounds = Pick<SearchRequest, "scope" | "from" | "to">;

/** A query as a model is asked it. */
export interface AskedQuery {
  /** For a model: without filters, exclusions and the quotes around phrases. */
  readonly question: string;
  /** What was typed, without the filters. */
  readonly words: string;
  /** The filters and exclusions, as they were typed. */
  readonly conditions: string;
}

/** The chunks of an index, for a model that finds by meaning. */
export interface Sections {
  /** A query taken apart; what is a filter depends on the keys that the files have. */
  asked(query: string): Promise<AskedQuery>;
  /**
   * All within the bounds.
   * @param conditions of a query: filters and exclusions, which must hold too
   */
  within(bounds: SearchBounds, conditions?: string): Promise<SectionKey[]>;
  /** In the order of `ids`; chunks that are gone are left out. */
  texts(ids: readonly number[]): Promise<SectionText[]>;
  /**
   * What the words of a request find among more candidates than `fast` ranks, which then score otherwise: for a search that puts what only this
   * finds below the rest.
   */
  wider(request: SearchRequest): Promise<readonly SearchHit[]>;
  /**
   * Chunks as hits of a query, in the order of `ids`. A chunk without any word of the query has score 0; one that the query excludes, that
   * its filters keep out, or that lacks a phrase it requires, is left out.
   */
  hits(ids: readonly number[], query: string): Promise<SectionHit[]>;
}

/** A link of one file to another. */
export interface FileLink extends WrittenLink {
  readonly from: VaultPath;
  /** The file that it means; null when there is none. */
  readonly to: VaultPath | null;
}

/** A name that a note gives itself, as the key of a link. */
export interface Alias {
  readonly key: string;
  readonly path: VaultPath;
}

/**
 * The links of the indexed files: wikilinks, markdown links, embeds. An index alone knows only the files it holds;
 * {@link file://./vault-links.ts} knows images and other files of the vault too.
 */
export interface Links {
  /** Those that stand in a file, in order. */
  from(path: VaultPath): Promise<FileLink[]>;
  /** Those of other files that mean a file, by their path and line. */
  to(path: VaultPath): Promise<FileLink[]>;
  /** Those to files that are not there, by their path and line. */
  dead(): Promise<FileLink[]>;
  /** The files with a link that has one of these keys; null while the index does not know all files. */
  linking(keys: ReadonlySet<string>): Promise<VaultPath[] | null>;
  /** Every alias as the key of a link, by the path of its note. */
  aliases(): Promise<Alias[]>;
}

/** A filter that the end of a query may become. */
export interface FilterCompletion {
  /** `status:`, `tag:work`, `project:"Istanbul by train"`: what replaces the end of the query. */
  readonly text: string;
  /** How many files have it. */
  readonly files: number;
}

/** A line `Replaces: [[…]] (old value)`. */
export interface StatedReplacement {
  readonly from: VaultPath;
  readonly line: number;
  /** The file that it means; null when there is none. */
  readonly to: VaultPath | null;
  readonly value: string | null;
}

/** Which passages other passages made untrue. */
export interface Replacements {
  /** Every such line, by its path and place. */
  stated(): Promise<StatedReplacement[]>;
  /** What replaces any of these lines, the newest first. The passage that they stand in does not replace itself. */
  of(path: VaultPath, lines: LineRange): Promise<Replacement[]>;
  /**
   * Hits of a request, each below what replaced it: that is put directly above it when it ranked lower or was not found by itself, unless a
   * scope, date, filter or excluded word of the request keeps it out. At most as many as the request wants, with scores that fall.
   */
  arranged(hits: readonly SearchHit[], request: SearchRequest): Promise<SearchHit[]>;
}

/** Something that has a name: a file by one of its names, a section by its heading. */
export interface NamedPlace {
  readonly path: VaultPath;
  readonly kind: "name" | "heading";
  readonly text: string;
  readonly line: number;
}

/** A value of a property, or a key, and how many files have it. */
export interface PropertyValue {
  readonly value: string;
  readonly files: number;
}

/** For somebody who types a name, a heading or a filter. */
export interface Places {
  /** Those with all words, the last of which may be begun only: names first, the shortest first. */
  find(text: string, limit: number): Promise<NamedPlace[]>;
  /**
   * The values of a key (`tag` for tags) that begin so, the most used first.
   * @param key null for the keys themselves
   */
  values(key: string | null, begun: string, limit: number): Promise<PropertyValue[]>;
}

/** An index for those who only search. */
export interface IndexReader {
  search(request: SearchRequest): Promise<SearchOutcome>;
  /**
   * Filters that the end of a query may become, at most so many: keys, or values of the key that was typed.
   * @param typed what stands after the last space that is not within quotes
   */
  completions(typed: string, most: number): Promise<FilterCompletion[]>;
  /** The lines of a file from `start` to `end`, as far as it has them; null when it is not indexed, or has none of them. */
  lines(path: VaultPath, range: LineRange): Promise<IndexedLines | null>;
  stats(): Promise<IndexStats>;
  readonly links: Links;
  readonly replacements: Pick<Replacements, "of" | "stated">;
  /** The tags of all files, without `#`, in order. */
  tags(): Promise<string[]>;
  readonly places: Places;
}

/** Finds chunks of files. Every change is seen by the searches after it. */
export interface SearchIndex extends IndexReader {
  /** Why the stored index could not be used and was replaced by an empty one; null when it was not. */
  readonly rebuilt: string | null;
  readonly sections: Sections;
  readonly replacements: Replacements;
  put(file: IndexedFile): Promise<void>;
  remove(path: VaultPath): Promise<void>;
  move(from: VaultPath, to: VaultPath): Promise<void>;
  /** Removes what is gone, then puts files: all of it, or nothing when it throws. */
  apply(changes: FileChanges): Promise<void>;
  /** Puts many files: the first index, or a new one. What is put is found after the next commit, at the latest at the end. */
  load(steps: AsyncIterable<LoadStep> | Iterable<LoadStep>): Promise<void>;
  clear(): Promise<void>;
  /** The signature of every indexed file. */
  signatures(): Promise<Map<VaultPath, string>>;
  /** A file as it was indexed; null when it is not. */
  file(path: VaultPath): Promise<IndexedFile | null>;
  close(): Promise<void>;
}

/** Changes of single files, as {@link SearchIndex.apply} makes them. */
export abstract class SingleFileChanges {
  abstract apply(changes: FileChanges): Promise<void>;
  abstract file(path: VaultPath): Promise<IndexedFile | null>;

  async put(file: IndexedFile): Promise<void> {
    await this.apply({ put: [file], gone: [] });
  }

  async remove(path: VaultPath): Promise<void> {
    await this.apply({ put: [], gone: [path] });
  }

  /** The path is searched too, and a name decides how a file is cut: it is indexed again, from the text stored in the index. */
  async move(from: VaultPath, to: VaultPath): Promise<void> {
    const file = await this.file(from);
    if (file !== null && from !== to)
      await this.apply({ put: [{ ...file, path: to }], gone: [from, to] });
  }
}

const ALWAYS_IN_CONTEXT = new Set(["overview.md", "profile.md"]);

/** By its name: the caller leaves out our own `tree.md`. Markdown, but for the root files that are always in the agents' context and the temporary `inbox/` and `drop/`. */
export function isIndexed(path: VaultPath): boolean {
  const isTemporary = path.startsWith("inbox/") || isDropped(path);
  return isMarkdown(path) && !ALWAYS_IN_CONTEXT.has(path) && !isTemporary;
}
