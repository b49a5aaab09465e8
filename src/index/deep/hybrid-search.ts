import type { VaultPath } from "../../vault/paths.ts";
import type { Budget } from "./time-budget.ts";
import type { DeepModel, Expansion } from "./deep-model.ts";
import { fuseRanks, mergeGuarded, type RankedList } from "./fusion.ts";
import { plainQuestion } from "../lexical/query.ts";
import type { SearchHit, SearchOutcome, SearchRequest } from "../search-index.ts";
import type { SqliteIndex } from "../lexical/sqlite-index.ts";
import type { VectorStore } from "./vectors/vector-store.ts";

export interface DeepParts {
  readonly index: SqliteIndex;
  readonly model: DeepModel;
  readonly store: VectorStore;
  readonly budget: Budget;
}

/** How many of each list are looked at. */
const CANDIDATES = 50;
/** How many are read by the reranker. */
const RERANKED = 40;
/** What the query as it was typed counts beside other ways to ask. */
const ORIGINAL = 2;
const EXPANDED = 1;
/** Other wordings must be there by this share of the time: the rereading needs some too. */
const WORDINGS_BY = 0.5;
/** As good a match by words as this, so far ahead of the next, needs no other way to ask. */
const STRONG = 0.85;
const STRONG_LEAD = 0.15;

/** A way to ask. */
interface Way {
  /** As it was typed, with what it excludes. */
  readonly query: string;
  readonly text: string;
  readonly weight: number;
}

/** A section that was found, in whichever way. */
interface Finding {
  readonly hit: SearchHit;
  /** Null until somebody needs it. */
  readonly text: string | null;
  /** By words, 0 to 1. */
  readonly words: number;
  /** By meaning, 0 to 1. */
  readonly meaning: number;
}

/** One deep search: by words, by meaning, by other ways to ask; put together, and read again by a model where there is one. */
export class DeepSearch {
  readonly #request: SearchRequest;
  readonly #parts: DeepParts;
  /** All that was found, by its place. */
  readonly #findings = new Map<string, Finding>();
  readonly #lists: RankedList<string>[] = [];
  /** Sections that can be found by words only, as yet. */
  #unknown = 0;

  constructor(request: SearchRequest, parts: DeepParts) {
    this.#request = request;
    this.#parts = parts;
  }

  async run(): Promise<SearchOutcome> {
    const { index, budget } = this.#parts;
    const most = Math.max(this.#request.limit, CANDIDATES);
    const fast = await index.search({ ...this.#request, mode: "fast", limit: most });
    const guarded = this.#byWords(fast.hits);
    const wider = await index.search({ ...this.#request, mode: "deep", limit: most });
    this.#lists.push({ items: this.#byWords(wider.hits), weight: ORIGINAL });
    const asked = this.#request.queries.map((query): Way => {
      return { query, text: plainQuestion(query), weight: ORIGINAL };
    });
    await this.#byFiles(asked.map((way) => ({ ...way, text: way.query })));
    await this.#byMeaning(asked);
    if (!isStrong(fast.hits)) await this.#inOtherWords(asked);
    const order = await this.#reranked(fuseRanks(this.#lists));
    const merged = mergeGuarded(order, guarded, this.#request.limit);
    return { hits: this.#hits(merged), notes: [...budget.notes(), ...this.#notes()] };
  }

  #notes(): string[] {
    if (this.#unknown === 0) return [];
    const sections = this.#unknown === 1 ? "section is" : "sections are";
    return [`${this.#unknown} ${sections} still to be embedded: found by words only`];
  }

  #byWords(hits: readonly SearchHit[]): string[] {
    return hits.map((hit) => this.#note({ hit, text: null, words: hit.score, meaning: 0 }));
  }

  /** Adds to what is known of a section; its place. */
  #note(found: Finding): string {
    const place = `${found.hit.path}:${found.hit.lines.start}`;
    const known = this.#findings.get(place) ?? found;
    this.#findings.set(place, {
      // A search by words knows which of its lines match best.
      hit: known.words > 0 ? known.hit : found.hit,
      text: known.text ?? found.text,
      words: Math.max(known.words, found.words),
      meaning: Math.max(known.meaning, found.meaning),
    });
    return place;
  }

  /** Last of all ways, since a model may take seconds to think of them: the others must not wait for it in vain. */
  async #inOtherWords(asked: readonly Way[]): Promise<void> {
    const { budget } = this.#parts;
    const { expand } = this.#parts.model;
    if (expand === undefined) return;
    const ways: (Way & Pick<Expansion, "kind">)[] = [];
    for (const { query, text: question } of asked) {
      if (question === "") continue;
      const found = await budget.run("other wordings", () => expand(question), WORDINGS_BY);
      for (const { kind, text } of found ?? []) ways.push({ query, kind, text, weight: EXPANDED });
    }
    await this.#byFiles(ways.filter(({ kind }) => kind === "lex"));
    await this.#byMeaning(ways.filter(({ kind }) => kind !== "lex"));
  }

  /** Files that the model's own search by words finds; the best section of each. */
  async #byFiles(ways: readonly Way[]): Promise<void> {
    const { index, budget } = this.#parts;
    const { filesWith } = this.#parts.model;
    if (filesWith === undefined) return;
    const scope = this.#request.scope ?? (() => true);
    for (const { text, weight } of ways) {
      const files = await budget.run("the model's own search by words", async () =>
        filesWith(text, scope, CANDIDATES),
      );
      if (files === null || files.length === 0) continue;
      const wanted = new Set<VaultPath>(files);
      const { hits } = await index.search({
        ...this.#request,
        mode: "fast",
        queries: [text],
        scope: (path) => wanted.has(path),
        limit: CANDIDATES,
      });
      const best = files.flatMap((file) => hits.find(({ path }) => path === file) ?? []);
      this.#lists.push({ items: this.#byWords(best), weight });
    }
  }

  async #byMeaning(ways: readonly Way[]): Promise<void> {
    const { model, store, index, budget } = this.#parts;
    const meant = ways.filter(({ text }) => text !== "");
    if (meant.length === 0) return;
    const texts = meant.map(({ text }) => ({ title: "", text }));
    const lists = await budget.run("the search by meaning", async () => {
      const vectors = await model.embedder.embed(texts, "query", budget.signal);
      const sections = index.sections.within(this.#request);
      this.#unknown = sections.filter(({ meaning }) => !store.has(meaning)).length;
      return store.nearest(vectors, sections, CANDIDATES);
    });
    for (const [at, near] of (lists ?? []).entries()) {
      const { query, weight } = meant[at] ?? { query: "", weight: 0 };
      const nearness = new Map(near.map((each) => [each.id, each.nearness]));
      const found = index.sections.found([...nearness.keys()], query);
      const items = found
        .toSorted((a, b) => (nearness.get(b.id) ?? 0) - (nearness.get(a.id) ?? 0))
        .map(({ id, hit, text }) =>
          this.#note({ hit, text, words: hit.score, meaning: (nearness.get(id) ?? 0) / 2 }),
        );
      this.#lists.push({ items, weight });
    }
  }

  /** The first of them in the order of a model that reads query and section together, mixed with the order they had. */
  async #reranked(order: readonly string[]): Promise<string[]> {
    const { model, budget } = this.#parts;
    const { rerank } = model;
    const read = order.slice(0, RERANKED).flatMap((place) => {
      const finding = this.#findings.get(place);
      return finding === undefined ? [] : [{ place, finding, worth: 0 }];
    });
    if (rerank === undefined || read.length < 2) return [...order];
    const texts = read.map(({ finding }) => this.#textOf(finding));
    for (const query of this.#request.queries) {
      const question = plainQuestion(query);
      if (question === "") continue;
      const scores = await budget.run("the rereading", () => rerank(question, texts));
      if (scores === null) continue;
      for (const [at, each] of read.entries()) each.worth = Math.max(each.worth, scores[at] ?? 0);
    }
    for (const { finding, worth } of read) this.#note({ ...finding, meaning: worth });
    const mixed = read
      .map((each, at) => ({ ...each, value: mix(at + 1, each.worth) }))
      .toSorted((a, b) => b.value - a.value)
      .map(({ place }) => place);
    return [...mixed, ...order.slice(RERANKED)];
  }

  #textOf({ hit, text }: Finding): string {
    if (text !== null) return text;
    const file = this.#parts.index.file(hit.path);
    const lines = file?.text.split("\n") ?? [];
    return lines.slice(hit.lines.start - 1, hit.lines.end).join("\n");
  }

  /** Scores fall with the rank: what stands above is worth no less than what stands below. */
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
  if (first === undefined || first.score < STRONG) return false;
  return first.score - (second?.score ?? 0) >= STRONG_LEAD;
}

/** As QMD mixes them: the higher a section stood, the less a reader may move it. */
function mix(rank: number, worth: number): number {
  const share = rank <= 3 ? 0.75 : rank <= 10 ? 0.6 : 0.4;
  return share / rank + (1 - share) * worth;
}
