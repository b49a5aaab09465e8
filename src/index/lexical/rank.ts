import { isStopWord } from "../../text/language.ts";
import { fold } from "../../text/words.ts";
import type { LineRange } from "../../vault/files/lines.ts";
import type { Query } from "../query.ts";
import {
  ASIDE,
  BEST_LINES_SHARE,
  COMPLETE,
  FILE,
  FILE_LENGTH_SHARE,
  GRAMS,
  HEADING,
  IN_HEADING,
  IN_NAME,
  IN_PATH,
  IN_TAGS,
  LENGTH_SHARE,
  LINE_LENGTH_SHARE,
  LITERAL,
  NAME,
  NAME_POWER,
  NEAR,
  NEARNESS,
  REPEATED_IN_FILES,
  REPEATED_LINE,
  REPEATED_ON_LINE,
  SATURATION,
  TITLE,
  WORDS,
} from "../ranking-weights.ts";
import { QueryScanner, type Place } from "./query-scanner.ts";
import { normalise } from "./terms.ts";
import type { WordGroup } from "./word-forms.ts";

/** A chunk to be ranked; all but its text normalised. */
export interface Candidate {
  readonly file: CandidateFile;
  readonly heading: string;
  /** What people do not read there: values of the frontmatter, targets of links. */
  readonly aside: string;
  readonly words: string;
  readonly text: string;
}

export interface CandidateFile {
  readonly path: string;
  /** One a line. */
  readonly names: string;
  readonly tags: string;
  readonly length: number;
}

export interface Ranked {
  readonly score: number;
  /** Offset in the chunk's lines, from 0, of those that match best. */
  readonly best: LineRange;
}

/** What a query finds in the names of a file. */
interface Named {
  readonly inName: ReadonlySet<number>;
  readonly inPath: ReadonlySet<number>;
  readonly inTags: ReadonlySet<number>;
  readonly likeness: number;
  /** The grams of the query that its names and tags have. */
  readonly grams: Uint8Array;
}

/** What a query finds in a chunk, before it is known what the rest of its file has. */
interface Found {
  readonly candidate: Candidate;
  readonly counts: readonly number[];
  /** What counts of the chunk alone. */
  readonly strength: number;
  readonly covered: number;
  readonly hasPhrases: boolean;
  readonly isLiteral: boolean;
  readonly places: readonly Place[];
  readonly named: Named;
}

/** The length of usual chunks and files of a vault, in characters. */
export interface UsualLengths {
  readonly chunk: number;
  readonly file: number;
}

/** Compares chunks with a query. */
export class Ranker {
  readonly #query: Query;
  readonly #groups: readonly WordGroup[];
  readonly #scanner: QueryScanner;
  readonly #usual: UsualLengths;
  readonly #total: number;
  /** The query as typed, when more than its words says something; and its words in a row. */
  readonly #literal: string | null;
  readonly #wordsInRow: string | null;
  readonly #named = new Map<string, Named>();

  constructor(query: Query, groups: readonly WordGroup[], usual: UsualLengths) {
    this.#query = query;
    this.#groups = groups;
    this.#scanner = new QueryScanner(groups);
    this.#usual = usual;
    this.#total = groups.reduce((sum, { weight }) => sum + weight, 0) || 1;
    const { literal } = query;
    const isShort = literal.length <= LONGEST_LITERAL;
    this.#literal = isShort && /[^\p{L}\p{N}\s]/u.test(literal) ? literal : null;
    this.#wordsInRow = isShort && /\s/u.test(literal) ? ` ${normalise(literal)} ` : null;
  }

  /** Whether it compares the texts as they are written: candidates need not have them else. */
  get readsText(): boolean {
    return this.#literal !== null;
  }

  /** Whether the chunk is excluded, or lacks a phrase that is all that was asked for. */
  refuses({ file, heading, words }: Candidate): boolean {
    const { excluded, onlyPhrases } = this.#query;
    if (excluded.length === 0 && !onlyPhrases) return false;
    const whole = spaced(`${file.path} ${file.names} ${heading} ${file.tags} ${words}`);
    if (excluded.some((run) => whole.includes(` ${run.join(" ")} `))) return true;
    return onlyPhrases && !this.#hasPhrases(whole);
  }

  #hasPhrases(whole: string): boolean {
    return this.#query.phrases.every((phrase) => whole.includes(` ${phrase.join(" ")} `));
  }

  /**
   * Ranks chunks, in the order given. The words that the chunks of a file have together count for each of them.
   * @returns null for a chunk that is excluded, lacks a phrase, or has nothing of the query
   */
  rank(candidates: readonly Candidate[]): (Ranked | null)[] {
    const all = candidates.map((candidate) => this.#find(candidate));
    const repeated = this.#repeatedLines(all);
    const found =
      repeated.size === 0 ? all : all.map((each) => each && this.#findBeside(repeated, each));
    const files = Map.groupBy(
      found.filter((each) => each !== null),
      ({ candidate }) => candidate.file.path,
    );
    const shares = new Map(
      [...files].map(([path, chunks]) => [path, this.#fileShare(chunks)] as const),
    );
    return found.map((each) => {
      if (each === null) return null;
      const share = shares.get(each.candidate.file.path) ?? 0;
      const plain = (each.strength + FILE * share) / ALL_PARTS;
      const rest = 1 - NAME * each.named.likeness ** NAME_POWER;
      const strength = 1 - (1 - plain) * rest * (each.isLiteral ? 1 - LITERAL : 1);
      const isComplete = each.covered >= this.#total * ALL && each.hasPhrases;
      const score = isComplete ? COMPLETE + strength * (1 - COMPLETE) : strength * COMPLETE;
      return { score, best: bestLines(each.candidate.words, each.places, this.#groups) };
    });
  }

  /**
   * Lines with words of the query that stand alike in many files, normalised: they are part of what files are made from, and tell none
   * from the others. A line that has the query as it was typed is meant.
   */
  #repeatedLines(found: readonly (Found | null)[]): ReadonlySet<string> {
    const files = new Map<string, Set<string>>();
    for (const each of found) {
      if (each === null) continue;
      const { words, file } = each.candidate;
      let lineEnd = -1;
      for (const { at } of each.places) {
        if (at < lineEnd) continue;
        const next = words.indexOf("\n", at);
        lineEnd = next < 0 ? words.length : next;
        const line = words.slice(words.lastIndexOf("\n", at) + 1, lineEnd);
        files.set(line, (files.get(line) ?? new Set()).add(file.path));
      }
    }
    const typed = normalise(this.#query.literal);
    const repeated = [...files].filter(
      ([line, paths]) => paths.size >= REPEATED_IN_FILES && !` ${line} `.includes(` ${typed} `),
    );
    return new Set(repeated.map(([line]) => line));
  }

  /** What is found beside repeated lines; a chunk that has nothing else counts for a little of what it says. */
  #findBeside(repeated: ReadonlySet<string>, whole: Found): Found {
    const { candidate } = whole;
    const lines = candidate.words.split("\n");
    if (!lines.some((line) => repeated.has(line))) return whole;
    const words = lines.map((line) => (repeated.has(line) ? " ".repeat(line.length) : line));
    const beside = this.#find({ ...candidate, words: words.join("\n") });
    return beside ?? { ...whole, strength: whole.strength * REPEATED_LINE, covered: 0 };
  }

  #find(candidate: Candidate): Found | null {
    if (this.refuses(candidate)) return null;
    const { file, heading, words, aside, text } = candidate;
    const named = this.#namedIn(file);
    const headed = this.#scanner.scan(heading);
    const title = this.#scanner.gramShareWith(named.grams);
    const inHeading = groupsAt(headed);
    const last = heading.lastIndexOf("\n") + 1;
    const alike =
      last === 0 ? this.#likenessOf(heading, headed) : this.#likeness(heading.slice(last));
    const isAside = aside === "" ? NONE : this.#groupsIn(aside);
    const places = this.#scanner.scan(words);
    const long = 1 - LENGTH_SHARE + (LENGTH_SHARE * words.length) / this.#usual.chunk;
    const worth = (times: number): number => times / (times + SATURATION);
    const counts: number[] = this.#groups.map(() => 0);
    for (const { group, share } of places) counts[group] = (counts[group] ?? 0) + share;
    let sum = 0;
    let covered = 0;
    for (const [at, { weight }] of this.#groups.entries()) {
      const beside =
        (named.inName.has(at) ? IN_NAME : 0) +
        (named.inPath.has(at) ? IN_PATH : 0) +
        (named.inTags.has(at) ? IN_TAGS : 0) +
        (inHeading.has(at) ? IN_HEADING : 0) +
        (isAside.has(at) ? ASIDE : 0);
      const times = (counts[at] ?? 0) / long + beside;
      if (times === 0) continue;
      // A value of the frontmatter, or where a link leads, is not what the note says.
      if (times > (isAside.has(at) ? ASIDE : 0)) covered += weight;
      sum += weight * worth(times);
    }
    if (sum === 0) return null;
    const grams = this.#scanner.gramShare((times) => worth(times / long));
    const hasPhrases =
      this.#query.phrases.length === 0 ||
      this.#hasPhrases(spaced(`${file.path} ${file.names} ${heading} ${words}`));
    const isLiteral = covered >= this.#total * ALL && this.#isLiteral(words, text);
    const strength =
      WORDS * (sum / this.#total) +
      GRAMS * grams +
      TITLE * title +
      HEADING * alike +
      NEARNESS * (closeness(places, this.#groups) / this.#total);
    return { candidate, counts, strength, covered, hasPhrases, isLiteral, places, named };
  }

  #isLiteral(words: string, text: string): boolean {
    if (this.#literal !== null) return fold(text).includes(this.#literal);
    return this.#wordsInRow !== null && ` ${words} `.includes(this.#wordsInRow);
  }

  #groupsIn(normalised: string): ReadonlySet<number> {
    return groupsAt(this.#scanner.scan(normalised));
  }

  #namedIn(file: CandidateFile): Named {
    const known = this.#named.get(file.path);
    if (known !== undefined) return known;
    const likeness = file.names
      .split("\n")
      .reduce((most, name) => Math.max(most, this.#likeness(name)), 0);
    this.#scanner.scan(`${file.names} ${file.tags}`);
    const named = {
      grams: this.#scanner.gramsFound(),
      inName: this.#groupsIn(file.names),
      inPath: this.#groupsIn(file.path),
      inTags: this.#groupsIn(file.tags),
      likeness,
    };
    this.#named.set(file.path, named);
    return named;
  }

  /** How alike a query and a name are, 0 to 1: how much of the query the name has, and how much of the name the query has. */
  #likeness(name: string): number {
    return name === "" ? 0 : this.#likenessOf(name, this.#scanner.scan(name));
  }

  /** @param places where words of the query stand in the name */
  #likenessOf(name: string, places: readonly Place[]): number {
    if (places.length === 0) return 0;
    const groups = new Set(places.map(({ group }) => group));
    let weight = 0;
    for (const group of groups) weight += this.#groups[group]?.weight ?? 0;
    const telling = name.split(" ").filter((word) => word !== "" && !isStopWord(word)).length;
    const asked = weight / this.#total;
    const named = Math.min(1, places.length / Math.max(1, telling));
    return (2 * asked * named) / (asked + named);
  }

  /** BM25 of all that the query finds in a file, as a share of the most there could be. */
  #fileShare(chunks: readonly Found[]): number {
    const [first] = chunks;
    if (first === undefined) return 0;
    const { file } = first.candidate;
    const long = 1 - FILE_LENGTH_SHARE + (FILE_LENGTH_SHARE * file.length) / this.#usual.file;
    let sum = 0;
    for (const [at, { weight }] of this.#groups.entries()) {
      const inText = chunks.reduce((times, { counts }) => times + (counts[at] ?? 0), 0);
      const times = inText / long + (first.named.inName.has(at) ? IN_NAME : 0);
      sum += (weight * times) / (times + SATURATION);
    }
    return sum / this.#total;
  }
}

const ALL_PARTS = WORDS + GRAMS + FILE + TITLE + HEADING + NEARNESS;
/** Sums of weights are not exact. */
const ALL = 0.999;
/** A longer query stands nowhere as it was typed. */
const LONGEST_LITERAL = 80;
const NONE: ReadonlySet<number> = new Set();

/** With a space at its ends and between all words, so that a run of words is a substring. */
function spaced(normalised: string): string {
  return ` ${normalised.replaceAll(/\s+/gu, " ")} `;
}

function groupsAt(places: readonly Place[]): ReadonlySet<number> {
  return places.length === 0 ? NONE : new Set(places.map(({ group }) => group));
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

/** The line with most of the query, as far as it is not much longer than the others, and its neighbours that have nearly as much. */
function bestLines(body: string, hits: readonly Place[], groups: readonly WordGroup[]): LineRange {
  const lengths = body.split("\n").map((line) => line.length);
  const usual = body.length / (lengths.filter((length) => length > 0).length || 1);
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
  // A line much longer than the others holds many words without being about them, and takes the room of several. A short one gains nothing.
  for (const [at, score] of scores.entries()) {
    const above = Math.max(0, (lengths[at] ?? 0) / usual - 1);
    scores[at] = (score ?? 0) / (1 + LINE_LENGTH_SHARE * above);
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
