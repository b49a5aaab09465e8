import { dayOf } from "../text/local-time.ts";
import { fold, wordsOf } from "../text/words.ts";
import type { VaultPath } from "../vault/paths.ts";
import { chunksOf, type ChunkText } from "./chunk-text.ts";
import { fuseQueries } from "./fusion.ts";
import { parseQuery } from "./lexical/query.ts";
import type {
  FileChanges,
  IndexedFile,
  IndexStats,
  SearchBounds,
  SearchHit,
  SearchIndex,
  SearchOutcome,
  SearchRequest,
  SectionHit,
  Sections,
} from "./search-index.ts";

interface MemoryChunk extends ChunkText {
  readonly id: number;
  readonly file: IndexedFile;
  readonly date: string | null;
  /** Folded words of each line, those of path and headings before them. */
  readonly words: readonly string[][];
  readonly folded: string;
}

/** A small index that lives in memory: whole words, no stemming. For tests, and for a vault without a database. */
export class MemoryIndex implements SearchIndex {
  readonly rebuilt = null;
  readonly #files = new Map<VaultPath, { file: IndexedFile; chunks: MemoryChunk[] }>();
  #lastId = 0;

  readonly sections: Sections = {
    within: async (bounds) => this.#within(bounds).map(({ id, meaning }) => ({ id, meaning })),
    texts: async (ids) =>
      this.#byId(ids).map(({ id, meaning, headings, body }) => ({
        id,
        meaning,
        title: headings.join(" > "),
        text: body,
      })),
    hits: async (ids, query) => rank(this.#byId(ids), query, { isWordRequired: false }),
  };

  async put(file: IndexedFile): Promise<void> {
    const chunks = chunksOf(file).map((chunk): MemoryChunk => {
      this.#lastId += 1;
      const lines = chunk.text.split("\n");
      return {
        ...chunk,
        id: this.#lastId,
        file,
        date: chunk.day ?? file.updated,
        words: [wordsOf(`${file.path} ${chunk.headings.join(" ")}`), ...lines.map(wordsOf)],
        folded: fold(chunk.text),
      };
    });
    this.#files.set(file.path, { file, chunks });
  }

  async remove(path: VaultPath): Promise<void> {
    this.#files.delete(path);
  }

  async move(from: VaultPath, to: VaultPath): Promise<void> {
    const file = await this.file(from);
    if (file !== null) await this.apply({ put: [{ ...file, path: to }], gone: [from] });
  }

  async apply({ put, gone }: FileChanges): Promise<void> {
    for (const path of gone) await this.remove(path);
    await this.load(put);
  }

  async load(files: AsyncIterable<IndexedFile> | Iterable<IndexedFile>): Promise<void> {
    for await (const file of files) await this.put(file);
  }

  async clear(): Promise<void> {
    this.#files.clear();
  }

  async signatures(): Promise<Map<VaultPath, string>> {
    return new Map([...this.#files].map(([path, { file }]) => [path, file.signature]));
  }

  async file(path: VaultPath): Promise<IndexedFile | null> {
    return this.#files.get(path)?.file ?? null;
  }

  async search(request: SearchRequest): Promise<SearchOutcome> {
    const chunks = this.#within(request);
    const lists = request.queries.map((query) => rank(chunks, query, { isWordRequired: true }));
    const notes = request.mode === "deep" ? ["no model: lexical deep search"] : [];
    return { hits: fuseQueries(lists).slice(0, request.limit), notes };
  }

  async stats(): Promise<IndexStats> {
    const chunks = [...this.#files.values()].reduce((sum, known) => sum + known.chunks.length, 0);
    return { engine: "memory", files: this.#files.size, chunks, bytes: 0 };
  }

  async close(): Promise<void> {
    this.#files.clear();
  }

  #within({ scope, from, to }: SearchBounds): MemoryChunk[] {
    return [...this.#files.values()]
      .filter(({ file }) => scope === null || scope(file.path))
      .flatMap(({ chunks }) => chunks)
      .filter(({ date }) => {
        const day = dayOf(date ?? "");
        return (from === null || day >= from) && (to === null || (day !== "" && day <= to));
      });
  }

  #byId(ids: readonly number[]): MemoryChunk[] {
    const chunks = [...this.#files.values()].flatMap((known) => known.chunks);
    const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }
}

/**
 * Share of the query's words found, weighted by how rare they are; a little more when the text has them as typed.
 * @param isWordRequired false to keep chunks that have no word of the query
 */
function rank(
  chunks: readonly MemoryChunk[],
  text: string,
  { isWordRequired }: { isWordRequired: boolean },
): SectionHit[] {
  const query = parseQuery(text);
  const holds = (chunk: MemoryChunk, word: string): boolean =>
    chunk.words.some((line) => line.includes(word));
  const weights = new Map(
    query.words.map((word) => {
      const count = chunks.filter((chunk) => holds(chunk, word)).length;
      return [word, Math.log(1 + chunks.length / (1 + count))];
    }),
  );
  const weigh = (words: readonly string[]): number =>
    words.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
  const total = weigh(query.words) || 1;
  return chunks.flatMap((chunk) => {
    if (query.excluded.some((word) => holds(chunk, word))) return [];
    if (!query.phrases.every((phrase) => chunk.folded.includes(phrase.join(" ")))) return [];
    const found = query.words.filter((word) => holds(chunk, word));
    if (found.length === 0 && isWordRequired) return [];
    const isComplete = found.length === query.words.length;
    const bonus = chunk.folded.includes(query.literal) ? 0.2 : 0;
    const score = Math.min(1, 0.8 * (weigh(found) / total) * (isComplete ? 1 : 0.8) + bonus);
    const lineScores = chunk.words
      .slice(1)
      .map((line) => weigh(query.words.filter((word) => line.includes(word))));
    const best = chunk.lines.start + lineScores.indexOf(Math.max(...lineScores));
    const hit: SearchHit = {
      path: chunk.file.path,
      score: found.length === 0 ? 0 : score,
      lines: chunk.lines,
      best: { start: best, end: best },
      headings: chunk.headings,
      signature: chunk.file.signature,
      date: chunk.date,
    };
    return [{ id: chunk.id, hit, text: chunk.text }];
  });
}
