import type { VaultPath } from "../../vault/paths.ts";
import { fuseRanks, mergeGuarded, type RankedList } from "../fusion.ts";
import { plainQuestion } from "../lexical/query.ts";
import {
  HYBRID_CANDIDATES,
  HYBRID_RANK_SMOOTHING,
  OTHER_WORDING,
  RERANKED,
  STRONG_LEAD,
  STRONG_SCORE,
  TYPED_QUERY,
} from "../ranking-weights.ts";
import type { SearchHit, SearchIndex, SearchOutcome, SearchRequest } from "../search-index.ts";
import type { DeepModel, Expansion } from "./deep-model.ts";
import type { VectorStore } from "./vectors/vector-store.ts";

export interface HybridParts {
  readonly index: SearchIndex;
  readonly model: DeepModel;
  readonly store: VectorStore;
  readonly budget: Budget;
}

/** Other wordings must be ready after this share of the time budget: the reranker needs time too. */
const WORDINGS_BY = 0.5;

/** Milliseconds. A timer may fire slightly early: less time than this counts as none. */
const MIN_TIME = 2;

/** One wording of a query. */
interface Wording {
  /** As it was typed, with what it excludes. */
  readonly query: string;
  readonly text: string;
  readonly weight: number;
}

/** A section that was found, by any of the searches. */
interface Finding {
  readonly hit: SearchHit;
  /** Null when the search that found it did not read it. */
  readonly text: string | null;
  /** By words, 0 to 1. */
  readonly words: number;
  /** By meaning, 0 to 1. */
  readonly meaning: number;
}

/** One deep search: merges searches by words, by meaning and in other wordings, and reranks them where there is a model for it. */
export class HybridSearch {
  readonly #request: SearchRequest;
  readonly #parts: HybridParts;
  /** All that was found, by path and line. */
  readonly #findings = new Map<string, Finding>();
  readonly #lists: RankedList<string>[] = [];
  /** Sections without a vector so far, which only a search by words can find. */
  #notEmbedded = 0;

  constructor(request: SearchRequest, parts: HybridParts) {
    this.#request = request;
    this.#parts = parts;
  }

  async run(): Promise<SearchOutcome> {
    const { index, budget } = this.#parts;
    const most = Math.max(this.#request.limit, HYBRID_CANDIDATES);
    const fast = await index.search({ ...this.#request, mode: "fast", limit: most });
    const guarded = this.#byWords(fast.hits);
    const wider = await index.search({ ...this.#request, mode: "deep", limit: most });
    this.#lists.push({ items: this.#byWords(wider.hits), weight: TYPED_QUERY });
    const typed = this.#request.queries.map((query): Wording => {
      return { query, text: plainQuestion(query), weight: TYPED_QUERY };
    });
    await this.#byFiles(typed.map((wording) => ({ ...wording, text: wording.query })));
    await this.#byMeaning(typed);
    if (!isStrong(fast.hits)) await this.#inOtherWords(typed);
    const order = await this.#reranked(fuseRanks(this.#lists, HYBRID_RANK_SMOOTHING));
    const merged = mergeGuarded(order, guarded, this.#request.limit);
    return { hits: this.#hits(merged), notes: [...budget.notes(), ...this.#notes()] };
  }

  #notes(): string[] {
    if (this.#notEmbedded === 0) return [];
    const sections = this.#notEmbedded === 1 ? "section is" : "sections are";
    return [`${this.#notEmbedded} ${sections} still to be embedded: found by words only`];
  }

  #byWords(hits: readonly SearchHit[]): string[] {
    return hits.map((hit) => this.#note({ hit, text: null, words: hit.score, meaning: 0 }));
  }

  /** Adds to what is known of a section; returns its place. */
  #note(found: Finding): string {
    const place = `${found.hit.path}:${found.hit.lines.start}`;
    const known = this.#findings.get(place) ?? found;
    this.#findings.set(place, {
      // Only a search by words knows which of its lines match best.
      hit: known.words > 0 ? known.hit : found.hit,
      text: known.text ?? found.text,
      words: Math.max(known.words, found.words),
      meaning: Math.max(known.meaning, found.meaning),
    });
    return place;
  }

  /** Runs last: a model may take seconds to write other wordings, and the other searches must not wait for it. */
  async #inOtherWords(typed: readonly Wording[]): Promise<void> {
    const { budget } = this.#parts;
    const { expand } = this.#parts.model;
    if (expand === undefined) return;
    const others: (Wording & Pick<Expansion, "kind">)[] = [];
    for (const { query, text: question } of typed) {
      if (question === "") continue;
      const found = await budget.run("other wordings", () => expand(question), WORDINGS_BY);
      for (const { kind, text } of found ?? [])
        others.push({ query, kind, text, weight: OTHER_WORDING });
    }
    await this.#byFiles(others.filter(({ kind }) => kind === "lex"));
    await this.#byMeaning(others.filter(({ kind }) => kind !== "lex"));
  }

  /** Files that the model's own search by words finds; the best section of each. */
  async #byFiles(wordings: readonly Wording[]): Promise<void> {
    const { index, budget } = this.#parts;
    const { filesWith } = this.#parts.model;
    if (filesWith === undefined) return;
    const scope = this.#request.scope ?? (() => true);
    for (const { text, weight } of wordings) {
      const files = await budget.run("the model's own search by words", async () =>
        filesWith(text, scope, HYBRID_CANDIDATES),
      );
      if (files === null || files.length === 0) continue;
      const wanted = new Set<VaultPath>(files);
      const { hits } = await index.search({
        ...this.#request,
        mode: "fast",
        queries: [text],
        scope: (path) => wanted.has(path),
        limit: HYBRID_CANDIDATES,
      });
      const best = files.flatMap((file) => hits.find(({ path }) => path === file) ?? []);
      this.#lists.push({ items: this.#byWords(best), weight });
    }
  }

  async #byMeaning(wordings: readonly Wording[]): Promise<void> {
    const { model, store, index, budget } = this.#parts;
    const asked = wordings.filter(({ text }) => text !== "");
    if (asked.length === 0) return;
    const texts = asked.map(({ text }) => ({ title: "", text }));
    const lists = await budget.run("the search by meaning", async () => {
      const vectors = await model.embedder.embed(texts, "query", budget.signal);
      const sections = await index.sections.within(this.#request);
      this.#notEmbedded = sections.filter(({ meaning }) => !store.has(meaning)).length;
      return store.nearest(vectors, sections, HYBRID_CANDIDATES);
    });
    for (const [at, near] of (lists ?? []).entries()) {
      const { query, weight } = asked[at] ?? { query: "", weight: 0 };
      const nearness = new Map(near.map((each) => [each.id, each.nearness]));
      const found = await index.sections.hits([...nearness.keys()], query);
      const items = found
        .toSorted((a, b) => (nearness.get(b.id) ?? 0) - (nearness.get(a.id) ?? 0))
        .map(({ id, hit, text }) =>
          this.#note({ hit, text, words: hit.score, meaning: (nearness.get(id) ?? 0) / 2 }),
        );
      this.#lists.push({ items, weight });
    }
  }

  /** The first of them reordered by a model that reads query and section together, blended with the order they had. */
  async #reranked(order: readonly string[]): Promise<string[]> {
    const { model, budget } = this.#parts;
    const { rerank } = model;
    const read = order.slice(0, RERANKED).flatMap((place) => {
      const finding = this.#findings.get(place);
      return finding === undefined ? [] : [{ place, finding, worth: 0 }];
    });
    if (rerank === undefined || read.length < 2) return [...order];
    const texts = await Promise.all(read.map(async ({ finding }) => this.#textOf(finding)));
    for (const query of this.#request.queries) {
      const question = plainQuestion(query);
      if (question === "") continue;
      const scores = await budget.run("the rereading", () => rerank(question, texts));
      if (scores === null) continue;
      for (const [at, each] of read.entries()) each.worth = Math.max(each.worth, scores[at] ?? 0);
    }
    for (const { finding, worth } of read) this.#note({ ...finding, meaning: worth });
    const blended = read
      .map((each, at) => ({ ...each, value: blend(at + 1, each.worth) }))
      .toSorted((a, b) => b.value - a.value)
      .map(({ place }) => place);
    return [...blended, ...order.slice(RERANKED)];
  }

  async #textOf({ hit, text }: Finding): Promise<string> {
    if (text !== null) return text;
    const file = await this.#parts.index.file(hit.path);
    const lines = file?.text.split("\n") ?? [];
    return lines.slice(hit.lines.start - 1, hit.lines.end).join("\n");
  }

  /** Scores fall with the rank: each is at least as high as the one below. */
  #hits(places: readonly string[]): SearchHit[] {
    let floor = Number.MIN_VALUE;
    return places
      .toReversed()
      .flatMap((place): SearchHit[] => {
        const finding = this.#findings.get(place);
        if (finding === undefined) return [];
        floor = Math.min(1, Math.max(floor, finding.words, finding.meaning));
        return [{ ...finding.hit, score: floor }];
      })
      .toReversed();
  }
}

function isStrong(hits: readonly SearchHit[]): boolean {
  const [first, second] = hits;
  if (first === undefined || first.score < STRONG_SCORE) return false;
  return first.score - (second?.score ?? 0) >= STRONG_LEAD;
}

/** As QMD does: the higher a section stood, the less the reranker may move it. */
function blend(rank: number, worth: number): number {
  const share = rank <= 3 ? 0.75 : rank <= 10 ? 0.6 : 0.4;
  return share / rank + (1 - share) * worth;
}

/** The time a search may take. Stages that do not fit are skipped, and named in the notes. */
export class Budget {
  readonly #milliseconds: number;
  readonly #started = performance.now();
  readonly #skipped: string[] = [];
  readonly #failures: string[] = [];
  /** Aborted when the time is over. */
  readonly signal: AbortSignal;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
    this.signal = AbortSignal.timeout(milliseconds);
  }

  /**
   * Runs a stage; null when there is no time for it, when it takes too long, or when it fails.
   * @param share of the whole time by which it must end, to leave time for later stages
   */
  async run<T>(stage: string, work: () => Promise<T>, share = 1): Promise<T | null> {
    const left = this.#left(share);
    if (left < MIN_TIME) return this.#skip(stage);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(this.#skip(stage)), left);
    });
    try {
      return await Promise.race([work(), late]);
    } catch (error) {
      if (this.#left(share) <= 0) return this.#skip(stage);
      const why = error instanceof Error ? error.message : String(error);
      this.#failures.push(`${stage} failed: ${why}`);
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  /** One line for all stages that were skipped, and one for each that failed. */
  notes(): string[] {
    const seconds = Math.round(this.#milliseconds / 100) / 10;
    const skipped = [...new Set(this.#skipped)].join(", ");
    const late = skipped === "" ? [] : [`deep search has ${seconds} s: left out ${skipped}`];
    return [...late, ...new Set(this.#failures)];
  }

  #left(share: number): number {
    return this.#milliseconds * share - (performance.now() - this.#started);
  }

  #skip(stage: string): null {
    this.#skipped.push(stage);
    return null;
  }
}
