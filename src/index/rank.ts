import type { LineRange } from "../vault/lines.ts";
import type { WordGroup } from "./candidates.ts";
import type { Query } from "./query.ts";
import { fold } from "./words.ts";

/** A chunk to be ranked. */
export interface Candidate {
  readonly id: number;
  readonly path: string;
  readonly headings: string;
  readonly text: string;
}

export interface Ranked {
  readonly score: number;
  /** Offset in the chunk's lines, from 0, of those that match best. */
  readonly best: LineRange;
}

const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
const USUAL_LENGTH = 900;

/** The words of a query by their forms, to look them up while going through a text. */
export class Ranker {
  readonly #query: Query;
  readonly #groups: readonly WordGroup[];
  readonly #byForm = new Map<string, { group: number; share: number }>();
  readonly #total: number;

  constructor(query: Query, groups: readonly WordGroup[]) {
    this.#query = query;
    this.#groups = groups;
    for (const [group, { forms }] of groups.entries()) {
      for (const [form, share] of forms) {
        const known = this.#byForm.get(form);
        if (known === undefined || known.share < share) this.#byForm.set(form, { group, share });
      }
    }
    this.#total = groups.reduce((sum, { weight }) => sum + weight, 0);
  }

  /** Null when the chunk is excluded, lacks a phrase, or has nothing of the query. */
  rank(chunk: Candidate): Ranked | null {
    const body = fold(chunk.text);
    const title = fold(`${chunk.path} ${chunk.headings}`);
    const whole = `${title}\n${body}`;
    if (this.#query.excluded.some((word) => hasWord(whole, word))) return null;
    const hasPhrases = this.#query.phrases.every((phrase) => phraseIn(whole, phrase));
    if (!hasPhrases && this.#query.onlyPhrases) return null;
    const counts = this.#groups.map(() => 0);
    const inTitle = this.#groups.map(() => 0);
    for (const { group, share } of this.#places(title)) {
      inTitle[group] = Math.max(inTitle[group] ?? 0, share);
    }
    const hits = this.#places(body);
    for (const { group, share } of hits) counts[group] = (counts[group] ?? 0) + share;
    let sum = 0;
    let covered = 0;
    const long = 1 - LENGTH_SHARE + (LENGTH_SHARE * body.length) / USUAL_LENGTH;
    for (const [at, { weight }] of this.#groups.entries()) {
      const times = (counts[at] ?? 0) + 1.5 * (inTitle[at] ?? 0);
      if (times === 0) continue;
      covered += weight;
      sum += (weight * times * (SATURATION + 1)) / (times + SATURATION * long);
    }
    if (covered === 0) return null;
    const total = this.#total || 1;
    const share = sum / (total * (SATURATION + 1));
    const near = closeness(hits, this.#groups) / total;
    const literal = this.#query.literal.includes(" ") || /[^\p{L}\p{N}]/u.test(this.#query.literal);
    const isLiteral = literal && body.includes(this.#query.literal);
    const strength = Math.min(1, 0.85 * share + 0.03 * near + (isLiteral ? 0.25 : 0));
    const isComplete = covered >= total * 0.999 && hasPhrases;
    const score = isComplete ? 0.5 + strength / 2 : strength / 2;
    return { score, best: bestLines(body, hits, this.#groups) };
  }

  /** Every place where a form of a word of the query stands, in order. */
  #places(text: string): Place[] {
    const places: Place[] = [];
    for (const [form, { group, share }] of this.#byForm) {
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
        const isWord = !isWordAt(text, at - 1) && !isWordAt(text, at + form.length);
        if (isWord) places.push({ at, group, share });
      }
    }
    return places.toSorted((a, b) => a.at - b.at);
  }
}

interface Place {
  readonly at: number;
  readonly group: number;
  readonly share: number;
}

const LETTER = /[\p{L}\p{N}\p{Co}]/u;
/** 1 for the ASCII letters and digits, of which most text is. */
const asciiWord = new Uint8Array(128);
for (const character of "abcdefghijklmnopqrstuvwxyz0123456789")
  asciiWord[character.charCodeAt(0)] = 1;

function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (Number.isNaN(code)) return false;
  return code < 128 ? asciiWord[code] === 1 : LETTER.test(text.charAt(at));
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

/** Characters: about eight words. */
const NEAR = 50;

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
    const again = seen.has(group) ? 0.2 : 1;
    seen.add(group);
    scores[line] = (scores[line] ?? 0) + share * again * (groups[group]?.weight ?? 0);
  }
  let start = 0;
  for (const [at, score] of scores.entries()) if ((score ?? 0) > (scores[start] ?? 0)) start = at;
  const most = scores[start] ?? 0;
  const isEnough = (at: number): boolean => most > 0 && (scores[at] ?? 0) >= most * 0.6;
  let end = start;
  while (isEnough(end + 1)) end += 1;
  while (start > 0 && isEnough(start - 1)) start -= 1;
  return { start, end };
}
