import type { VaultPath } from "../../vault/paths.ts";
import {
  calibrated,
  fuseScores,
  leftOpen,
  mergeGuarded,
  sharesOfBest,
  trustIn,
  type ScoredList,
} from "../fusion.ts";
import {
  BY_FILES,
  HYBRID_CANDIDATES,
  KEPT_BY_RERANKER,
  NEAREST,
  OTHER_WORDING,
  RERANKED,
  TRUSTED_BY,
  STRONG_LEAD,
  STRONG_SCORE,
} from "../ranking-weights.ts";
import { isInScope } from "../scope.ts";
import type {
  AskedQuery,
  SearchHit,
  SearchIndex,
  SearchOutcome,
  SearchRequest,
} from "../search-index.ts";
import type { DeepModel, Expansion } from "./deep-model.ts";
import type { EmbeddingQueue } from "./embedding-queue.ts";
import type { NearSection, VectorStore } from "./vectors/vector-store.ts";

export interface HybridParts {
  readonly index: SearchIndex;
  readonly model: DeepModel;
  readonly store: VectorStore;
  readonly queue: Pick<EmbeddingQueue, "isWithheld">;
  readonly budget: Budget;
}

/** Other wordings must be ready after this share of the time budget: the reranker needs time too. */
const WORDINGS_BY = 0.5;

/** Milliseconds. A timer may fire slightly early: less time than this counts as none. */
const MIN_TIME = 2;

/** One wording of a query. */
interface Wording {
  /** As it was typed, with its filters and what it excludes. */
  readonly query: string;
  readonly asked: AskedQuery;
  readonly text: string;
  readonly weight: number;
}

/** A section that was found, by any of the searches. */
interface Finding {
  readonly hit: SearchHit;
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
  readonly #lists: ScoredList<string>[] = [];
  /** The best that `fast` found, and how much it leaves to the meaning. */
  #best: readonly string[] = [];
  #open = 1;
  /** Scores as shares of the best, by place; empty once a model has reordered them. */
  #shares: ReadonlyMap<string, number> = new Map();
  /** Sections without a vector so far, which only a search by words can find. */
  readonly #notEmbedded = new Set<number>();

  constructor(request: SearchRequest, parts: HybridParts) {
    this.#request = request;
    this.#parts = parts;
  }

  async run(): Promise<SearchOutcome> {
    const { index, budget } = this.#parts;
    const most = Math.max(this.#request.limit, HYBRID_CANDIDATES);
    const fast = await index.search({ ...this.#request, mode: "fast", limit: most });
    const guarded = this.#byWords(fast.hits);
    this.#best = guarded.slice(0, TRUSTED_BY);
    this.#open = leftOpen(fast.hits[0]?.score ?? 0, STRONG_SCORE);
    const wider = await index.sections.wider({ ...this.#request, limit: most });
    this.#addByWords(fast.hits, wider);
    const typed = await Promise.all(
      this.#request.queries.map(async (query): Promise<Wording> => {
        const asked = await index.sections.asked(query);
        return { query, asked, text: asked.question, weight: 1 };
      }),
    );
    await this.#byFiles(typed.map((wording) => ({ ...wording, text: wording.asked.words })));
    await this.#byMeaning(typed);
    if (!isStrong(fast.hits)) await this.#inOtherWords(typed);
    const sums = fuseScores(this.#lists);
    this.#shares = sharesOfBest(sums);
    const order = await this.#reranked([...sums.keys()], typed);
    const merged = mergeGuarded(order, guarded, this.#request.limit);
    const hits = await index.replacements.arranged(this.#hits(merged), this.#request);
    return { hits, notes: [...budget.notes(), ...this.#notes()] };
  }

  #notes(): string[] {
    const { size } = this.#notEmbedded;
    if (size === 0) return [];
    const sections = size === 1 ? "section is" : "sections are";
    return [`${size} ${sections} still to be embedded: found by words only`];
  }

  /** What only the wider search found stands below: among more candidates the same words score otherwise. */
  #addByWords(fast: readonly SearchHit[], wider: readonly SearchHit[]): void {
    const scores = new Map(fast.map((hit) => [this.#byWords([hit])[0] ?? "", hit.score]));
    const lowest = fast.at(-1)?.score ?? 1;
    for (const hit of wider) {
      const [place = ""] = this.#byWords([hit]);
      if (!scores.has(place)) scores.set(place, Math.min(hit.score, lowest));
    }
    this.#lists.push({ scores: sharesOfBest(scores), weight: 1 });
  }

  #byWords(hits: readonly SearchHit[]): string[] {
    return hits.map((hit) => this.#note({ hit, words: hit.score, meaning: 0 }));
  }

  /** Adds to what is known of a section; returns its place. */
  #note(found: Finding): string {
    const place = `${found.hit.path}:${found.hit.lines.start}`;
    const known = this.#findings.get(place) ?? found;
    this.#findings.set(place, {
      // Only a search by words knows which of its lines match best.
      hit: known.words > 0 ? known.hit : found.hit,
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
    for (const { query, asked, text: question } of typed) {
      if (question === "") continue;
      const found = await budget.run("other wordings", () => expand(question), WORDINGS_BY);
      for (const { kind, text } of found ?? [])
        others.push({ query, asked, kind, text, weight: OTHER_WORDING });
    }
    await this.#byFiles(others.filter(({ kind }) => kind === "lex"));
    await this.#byMeaning(others.filter(({ kind }) => kind !== "lex"));
  }

  /** Files that the model's own search by words finds; the best section of each. */
  async #byFiles(wordings: readonly Wording[]): Promise<void> {
    const { index, budget } = this.#parts;
    const { filesWith } = this.#parts.model;
    if (filesWith === undefined) return;
    const isWanted = (path: VaultPath): boolean => isInScope(this.#request.scope, path);
    for (const { asked, text, weight } of wordings) {
      if (asked.question === "") continue;
      const files = await budget.run("the model's own search by words", async () =>
        filesWith(text, isWanted, HYBRID_CANDIDATES),
      );
      if (files === null || files.length === 0) continue;
      const { hits } = await index.search({
        ...this.#request,
        mode: "fast",
        queries: [`${text} ${asked.conditions}`],
        scope: files.map((file) => ({ start: file, matches: null })),
        limit: HYBRID_CANDIDATES,
      });
      const best = files.flatMap((file) => hits.find(({ path }) => path === file) ?? []);
      const scores = this.#byWords(best).map(
        (place, rank) => [place, 1 - rank / HYBRID_CANDIDATES] as const,
      );
      this.#lists.push({ scores: new Map(scores), weight: weight * BY_FILES });
    }
  }

  async #byMeaning(wordings: readonly Wording[]): Promise<void> {
    const { model, index, budget } = this.#parts;
    const asked = wordings.filter(({ text }) => text !== "");
    if (asked.length === 0) return;
    const texts = asked.map(({ text }) => ({ title: "", text }));
    const lists = await budget.run("the search by meaning", async () => {
      const vectors = await model.embedder.embed(texts, "query", budget.signal);
      return this.#nearest(asked, vectors);
    });
    for (const [at, near] of (lists ?? []).entries()) {
      const { query, weight } = asked[at] ?? { query: "", weight: 0 };
      const nearness = new Map(near.map((each) => [each.id, each.nearness]));
      const worth = calibrated(nearness);
      const found = await index.sections.hits([...nearness.keys()], query);
      const places = found.map(({ id, hit }) => {
        const meaning = (nearness.get(id) ?? 0) / 2;
        return [id, this.#note({ hit, words: hit.score, meaning })] as const;
      });
      const of = (values: ReadonlyMap<number, number>): Map<string, number> =>
        new Map(places.map(([id, place]) => [place, values.get(id) ?? 0]));
      const trust = trustIn(of(nearness), this.#best);
      this.#lists.push({ scores: of(worth), weight: weight * this.#open * trust });
    }
  }

  /** The sections nearest to each wording, only of those that its filters and exclusions let through: others would take their places. */
  async #nearest(
    wordings: readonly Wording[],
    vectors: readonly Float32Array[],
  ): Promise<NearSection[][]> {
    const { store, queue, index } = this.#parts;
    const lists: NearSection[][] = wordings.map(() => []);
    const alike = Map.groupBy(wordings.keys(), (at) => wordings[at]?.asked.conditions ?? "");
    for (const [conditions, places] of alike) {
      const sections = await index.sections.within(this.#request, conditions);
      for (const { id, meaning } of sections)
        if (!store.has(meaning) && !queue.isWithheld(meaning)) this.#notEmbedded.add(id);
      const some = places.flatMap((at) => vectors[at] ?? []);
      const found = await store.nearest(some, sections, NEAREST);
      for (const [nth, at] of places.entries()) lists[at] = found[nth] ?? [];
    }
    return lists;
  }

  /** The first of them reordered by a model that reads query and section together, blended with the order they had. */
  async #reranked(order: readonly string[], typed: readonly Wording[]): Promise<string[]> {
    const { model, index, budget } = this.#parts;
    const { rerank } = model;
    const read = order.slice(0, RERANKED).flatMap((place) => {
      const finding = this.#findings.get(place);
      return finding === undefined ? [] : [{ place, finding, worth: 0 }];
    });
    if (rerank === undefined || read.length < 2) return [...order];
    const texts = await Promise.all(
      read.map(async ({ finding: { hit } }) => {
        const found = await index.lines(hit.path, hit.lines);
        return found?.lines.join("\n") ?? "";
      }),
    );
    for (const { text: question } of typed) {
      if (question === "") continue;
      const scores = await budget.run("the rereading", () => rerank(question, texts));
      if (scores === null) continue;
      for (const [at, each] of read.entries()) each.worth = Math.max(each.worth, scores[at] ?? 0);
    }
    for (const { finding, worth } of read) this.#note({ ...finding, meaning: worth });
    this.#shares = new Map();
    const blended = read
      .map((each, at) => ({ ...each, value: blend(at + 1, each.worth) }))
      .toSorted((a, b) => b.value - a.value)
      .map(({ place }) => place);
    return [...blended, ...order.slice(RERANKED)];
  }

  /** Scores fall with the rank: each is at least as high as the one below. */
  #hits(places: readonly string[]): SearchHit[] {
    const own = ({ words, meaning }: Finding): number => Math.max(words, meaning);
    const findings = places.flatMap((place) => this.#findings.get(place) ?? []);
    const top = Math.max(0, ...findings.map(own));
    let floor = Number.MIN_VALUE;
    return places
      .toReversed()
      .flatMap((place): SearchHit[] => {
        const finding = this.#findings.get(place);
        if (finding === undefined) return [];
        // What has words of the query is as far below the best as its sum is, so that an answer shows as much of it.
        const share = finding.words > 0 ? this.#shares.get(place) : undefined;
        floor = Math.min(1, Math.max(floor, share === undefined ? own(finding) : top * share));
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
  const { third, tenth, later } = KEPT_BY_RERANKER;
  const share = rank <= 3 ? third : rank <= 10 ? tenth : later;
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
