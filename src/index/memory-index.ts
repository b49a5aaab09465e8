import { dayOf } from "../text/local-time.ts";
import { fold, wordsOf } from "../text/words.ts";
import { splitLines, type LineRange } from "../vault/files/lines.ts";
import type { VaultPath } from "../vault/paths.ts";
import { chunkLines } from "./chunk.ts";
import { parseQuery } from "./lexical/query.ts";
import type {
  IndexedFile,
  IndexStats,
  SearchHit,
  SearchIndex,
  SearchOutcome,
  SearchRequest,
} from "./search-index.ts";

interface MemoryChunk {
  readonly path: VaultPath;
  readonly signature: string;
  readonly lines: LineRange;
  readonly headings: readonly string[];
  readonly date: string | null;
  /** Folded words of each line, the headings' before them. */
  readonly words: readonly string[][];
  readonly text: string;
}

/** A small index that lives in memory: whole words, no stemming. For tests, and for a vault without a database. */
export class MemoryIndex implements SearchIndex {
  readonly #files = new Map<VaultPath, { file: IndexedFile; chunks: MemoryChunk[] }>();

  async put(file: IndexedFile): Promise<void> {
    this.#files.set(file.path, { file, chunks: chunksOf(file) });
  }

  async remove(path: VaultPath): Promise<void> {
    this.#files.delete(path);
  }

  async move(from: VaultPath, to: VaultPath): Promise<void> {
    const known = this.#files.get(from);
    if (known === undefined) return;
    this.#files.delete(from);
    await this.put({ ...known.file, path: to });
  }

  async search(request: SearchRequest): Promise<SearchOutcome> {
    const chunks = [...this.#files.values()]
      .filter(({ file }) => request.scope === null || request.scope(file.path))
      .flatMap((known) => known.chunks)
      .filter((chunk) => isWithin(chunk.date, request));
    const best = new Map<MemoryChunk, SearchHit>();
    for (const query of request.queries) {
      for (const [chunk, hit] of rank(chunks, query)) {
        if (hit.score > (best.get(chunk)?.score ?? 0)) best.set(chunk, hit);
      }
    }
    const hits = [...best.values()].toSorted((a, b) => b.score - a.score).slice(0, request.limit);
    const notes = request.mode === "deep" ? ["no model: lexical deep search"] : [];
    return { hits, notes };
  }

  stats(): IndexStats {
    const chunks = [...this.#files.values()].reduce((sum, known) => sum + known.chunks.length, 0);
    return { engine: "memory", files: this.#files.size, chunks };
  }

  close(): void {
    this.#files.clear();
  }
}

function isWithin(date: string | null, { from, to }: SearchRequest): boolean {
  if (from === null && to === null) return true;
  if (date === null) return false;
  const day = dayOf(date);
  return (from === null || day >= from) && (to === null || day <= to);
}

function chunksOf(file: IndexedFile): MemoryChunk[] {
  const lines = splitLines(file.text);
  return chunkLines(file.path, lines).map((chunk) => {
    const shown = lines.slice(chunk.lines.start - 1, chunk.lines.end);
    return {
      path: file.path,
      signature: file.signature,
      lines: chunk.lines,
      headings: chunk.headings,
      date: chunk.day ?? file.updated,
      words: [wordsOf(`${file.path} ${chunk.headings.join(" ")}`), ...shown.map(wordsOf)],
      text: fold(shown.join("\n")),
    };
  });
}

/** Share of the query's words found, weighted by how rare they are; a little more when the text has them as written. */
function* rank(chunks: readonly MemoryChunk[], text: string): Generator<[MemoryChunk, SearchHit]> {
  const query = parseQuery(text);
  const holds = (chunk: MemoryChunk, word: string): boolean =>
    chunk.words.some((line) => line.includes(word));
  const weights = new Map(
    query.words.map((word) => {
      const count = chunks.filter((chunk) => holds(chunk, word)).length;
      return [word, Math.log(1 + chunks.length / (1 + count))];
    }),
  );
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  for (const chunk of chunks) {
    if (query.excluded.some((word) => holds(chunk, word))) continue;
    if (!query.phrases.every((phrase) => chunk.text.includes(phrase.join(" ")))) continue;
    const scoreOf = (words: readonly string[]): number =>
      query.words.reduce(
        (sum, word) => sum + (words.includes(word) ? (weights.get(word) ?? 0) : 0),
        0,
      );
    const found = query.words.filter((word) => holds(chunk, word));
    if (found.length === 0) continue;
    const share = found.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0) / (total || 1);
    const bonus = chunk.text.includes(query.literal) ? 0.2 : 0;
    const lineScores = chunk.words.slice(1).map(scoreOf);
    const bestLine = chunk.lines.start + lineScores.indexOf(Math.max(...lineScores));
    const score = Math.min(
      1,
      0.8 * share * (found.length === query.words.length ? 1 : 0.8) + bonus,
    );
    yield [
      chunk,
      {
        path: chunk.path,
        score,
        lines: chunk.lines,
        best: { start: bestLine, end: bestLine },
        headings: chunk.headings,
        signature: chunk.signature,
        date: chunk.date,
      },
    ];
  }
}
