import { fold } from "../../text/words.ts";
import type { LineRange } from "../../vault/files/lines.ts";
import type { Query } from "./query.ts";
import {
  BEST_LINES_SHARE,
  COMPLETE,
  GRAMS,
  IN_TITLE,
  LENGTH_SHARE,
  LITERAL,
  NEAR,
  NEARNESS,
  REPEATED_ON_LINE,
  SATURATION,
  TITLE,
  WORDS,
} from "../ranking-weights.ts";
import { QueryScanner, type Place } from "./query-scanner.ts";
import type { WordGroup } from "./word-forms.ts";

/** A chunk to be ranked. */
export interface Candidate {
  readonly path: string;
  readonly headings: string;
  readonly text: string;
}

export interface Ranked {
  readonly score: number;
  /** Offset in the chunk's lines, from 0, of those that match best. */
  readonly best: LineRange;
}

/** Compares chunks with a query. */
export class Ranker {
  readonly #query: Query;
  readonly #groups: readonly WordGroup[];
  readonly #scanner: QueryScanner;
  readonly #usualLength: number;
  readonly #total: number;
  readonly #isWorthLiterally: boolean;

  /** @param usualLength of a chunk of this vault, on average */
  constructor(query: Query, groups: readonly WordGroup[], usualLength: number) {
    this.#query = query;
    this.#groups = groups;
    this.#scanner = new QueryScanner(groups);
    this.#usualLength = usualLength;
    this.#total = groups.reduce((sum, { weight }) => sum + weight, 0) || 1;
    this.#isWorthLiterally = /[^\p{L}\p{N}]/u.test(query.literal);
  }

  /** Whether the chunk is excluded, or lacks a phrase that is all that was asked for. */
  refuses(chunk: Candidate): boolean {
    return this.#isRefused(fold(`${chunk.path} ${chunk.headings}\n${chunk.text}`));
  }

  #isRefused(whole: string): boolean {
    if (this.#query.excluded.some((word) => hasWord(whole, word))) return true;
    return this.#query.onlyPhrases && !this.#hasPhrases(whole);
  }

  #hasPhrases(whole: string): boolean {
    return this.#query.phrases.every((phrase) => phraseIn(whole, phrase));
  }

  /** Null when the chunk is excluded, lacks a phrase, or has nothing of the query. */
  rank(chunk: Candidate): Ranked | null {
    const body = fold(chunk.text);
    const title = fold(`${chunk.path} ${chunk.headings}`);
    const whole = `${title}\n${body}`;
    if (this.#isRefused(whole)) return null;
    const hasPhrases = this.#hasPhrases(whole);
    const named = new Set(this.#scanner.scan(title).map(({ group }) => group));
    const titleShare = this.#scanner.gramShare(() => 1);
    const places = this.#scanner.scan(body);
    const long = 1 - LENGTH_SHARE + (LENGTH_SHARE * body.length) / this.#usualLength;
    const worth = (times: number): number => times / (times + SATURATION * long);
    const { share, covered } = this.#wordShare(places, named, worth);
    if (covered === 0) return null;
    const isLiteral = this.#isWorthLiterally && body.includes(this.#query.literal);
    const strength = Math.min(
      1,
      WORDS * share +
        GRAMS * this.#scanner.gramShare(worth) +
        TITLE * titleShare +
        NEARNESS * (closeness(places, this.#groups) / this.#total) +
        (isLiteral ? LITERAL : 0),
    );
    const isComplete = covered >= this.#total * 0.999 && hasPhrases;
    const score = isComplete ? COMPLETE + strength * (1 - COMPLETE) : strength * COMPLETE;
    return { score, best: bestLines(body, places, this.#groups) };
  }

  /** BM25 over the words, as a share of the most there could be; and what the words weigh that were found, in text or title. */
  #wordShare(
    places: readonly Place[],
    named: ReadonlySet<number>,
    worth: (times: number) => number,
  ): { share: number; covered: number } {
    const counts: number[] = this.#groups.map((_, at) => (named.has(at) ? IN_TITLE : 0));
    for (const { group, share } of places) counts[group] = (counts[group] ?? 0) + share;
    let sum = 0;
    let covered = 0;
    for (const [at, { weight }] of this.#groups.entries()) {
      const times = counts[at] ?? 0;
      if (times === 0) continue;
      covered += weight;
      sum += weight * worth(times);
    }
    return { share: sum / this.#total, covered };
  }
}

function hasWord(text: string, word: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, "u").test(text);
}

function phraseIn(text: string, phrase: readonly string[]): boolean {
  return new RegExp(
    `(?<![\\p{L}\\p{N}])${phrase.join("[^\\p{L}\\p{N}]+")}(?![\\p{L}\\p{N}])`,
    "u",
  ).test(text);
}

/** What pairs of different words that stand near each other weigh: each word once, by its nearest other. */
function closeness(hits: readonly Place[], groups: readonly WordGroup[]): number {
  const best = groups.map(() => 0);
  for (let at = 1; at < hits.length; at += 1) {
    const [a, b] = [hits[at - 1], hits[at]];
    if (a === undefined || b === undefined || a.group === b.group) continue;
    const gap = b.at - a.at;
    if (gap > NEAR) continue;
    const closeBy = 1 - gap / NEAR;
    best[a.group] = Math.max(best[a.group] ?? 0, closeBy);
    best[b.group] = Math.max(best[b.group] ?? 0, closeBy);
  }
  return best.reduce((sum, value, at) => sum + value * (groups[at]?.weight ?? 0), 0);
}

/** The line with most of the query, and its neighbours that have nearly as much. */
function bestLines(body: string, hits: readonly Place[], groups: readonly WordGroup[]): LineRange {
  const scores: number[] = [];
  let line = 0;
  let lineEnd = body.indexOf("\n");
  let seen = new Set<number>();
  for (const { at, group, share } of hits) {
    while (lineEnd >= 0 && at > lineEnd) {
      line += 1;
      lineEnd = body.indexOf("\n", lineEnd + 1);
      seen = new Set();
    }
    const times = seen.has(group) ? REPEATED_ON_LINE : 1;
    seen.add(group);
    scores[line] = (scores[line] ?? 0) + share * times * (groups[group]?.weight ?? 0);
  }
  let start = 0;
  for (const [at, score] of scores.entries()) if ((score ?? 0) > (scores[start] ?? 0)) start = at;
  const most = scores[start] ?? 0;
  const isEnough = (at: number): boolean =>
    most > 0 && (scores[at] ?? 0) >= most * BEST_LINES_SHARE;
  let end = start;
  while (isEnough(end + 1)) end += 1;
  while (start > 0 && isEnough(start - 1)) start -= 1;
  return { start, end };
}
