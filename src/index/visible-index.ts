import type { LineRange } from "../vault/files/lines.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { VisibleVault } from "../vault/visible/visible-vault.ts";
import type {
  FileLink,
  FilterCompletion,
  IndexedLines,
  IndexReader,
  IndexStats,
  Links,
  Places,
  Replacement,
  StatedReplacement,
  SearchHit,
  SearchOutcome,
  SearchRequest,
} from "./search-index.ts";

/** More than these are never asked for, however much of what is found is hidden. */
const MOST_HITS = 5000;

/**
 * An index without what a caller may not see: what {@link vault} does not show is not found, counted or linked. How rare a word is, is counted
 * over all notes, which changes no more than scores.
 */
export class VisibleIndex implements IndexReader {
  readonly #base: IndexReader;
  readonly #vault: Pick<VisibleVault, "find" | "seesVersions">;

  /** @param vault what the caller sees */
  constructor(base: IndexReader, vault: Pick<VisibleVault, "find" | "seesVersions">) {
    this.#base = base;
    this.#vault = vault;
  }

  async #sees(path: VaultPath): Promise<boolean> {
    return (await this.#vault.find(path)).kind !== "missing";
  }

  async #seen<T>(all: readonly T[], pathOf: (each: T) => VaultPath): Promise<T[]> {
    const known = new Map<VaultPath, boolean>();
    const seen: T[] = [];
    for (const each of all) {
      const path = pathOf(each);
      const isSeen = known.get(path) ?? (await this.#sees(path));
      known.set(path, isSeen);
      if (isSeen) seen.push(each);
    }
    return seen;
  }

  /** Asks for more while hidden hits leave too few. */
  async search(request: SearchRequest): Promise<SearchOutcome> {
    for (let limit = request.limit; ; limit *= 4) {
      const found = await this.#base.search({ ...request, limit });
      // Most hits are only counted: looking up every file of them took most of a search.
      const versions = new Map(found.hits.map(({ path, signature }) => [path, signature]));
      const known = await this.#vault.seesVersions(versions);
      const seen = found.hits.filter(({ path }) => known.has(path));
      const isAll = found.hits.length < limit || limit >= MOST_HITS;
      if (seen.length < request.limit && !isAll) continue;
      const hits: SearchHit[] = [];
      for (const hit of seen.slice(0, request.limit)) {
        const isReplacedUnseen = hit.replaced !== null && !(await this.#sees(hit.replaced.path));
        hits.push(isReplacedUnseen ? { ...hit, replaced: null } : hit);
      }
      return { hits, notes: found.notes.map(uncounted) };
    }
  }

  /** None: their counts are of all files. */
  async completions(): Promise<FilterCompletion[]> {
    return [];
  }

  async lines(path: VaultPath, range: LineRange): Promise<IndexedLines | null> {
    return (await this.#sees(path)) ? this.#base.lines(path, range) : null;
  }

  /** What the engine is; its sizes are of all files. */
  async stats(): Promise<IndexStats> {
    const { engine } = await this.#base.stats();
    return { engine, files: 0, chunks: 0, bytes: 0 };
  }

  /** None: an index does not say which files have a tag. */
  async tags(): Promise<string[]> {
    return [];
  }

  readonly places: Places = {
    find: async (text, limit) =>
      this.#seen(await this.#base.places.find(text, limit), ({ path }) => path),
    values: async () => [],
  };

  readonly replacements: IndexReader["replacements"] = {
    stated: async (): Promise<StatedReplacement[]> => {
      const stated = await this.#seen(await this.#base.replacements.stated(), ({ from }) => from);
      return this.#seen(stated, ({ from, to }) => to ?? from);
    },
    of: async (path, lines): Promise<Replacement[]> =>
      (await this.#sees(path))
        ? this.#seen(await this.#base.replacements.of(path, lines), (each) => each.path)
        : [],
  };

  readonly links: Links = {
    from: async (path): Promise<FileLink[]> => {
      if (!(await this.#sees(path))) return [];
      const links: FileLink[] = [];
      for (const link of await this.#base.links.from(path)) {
        const isSeen = link.to === null || (await this.#sees(link.to));
        links.push(isSeen ? link : { ...link, to: null });
      }
      return links;
    },
    to: async (path) =>
      (await this.#sees(path))
        ? this.#seen(await this.#base.links.to(path), ({ from }) => from)
        : [],
    dead: async () => this.#seen(await this.#base.links.dead(), ({ from }) => from),
    linking: async (keys) => {
      const files = await this.#base.links.linking(keys);
      return files === null ? null : this.#seen(files, (file) => file);
    },
    aliases: async () => this.#seen(await this.#base.links.aliases(), ({ path }) => path),
  };
}

/** A number of files or sections counts the hidden ones too. */
function uncounted(note: string): string {
  return note.replace(/^\d+ (file|section)s? (?:is|are) /u, "some $1s are ");
}
