import type { WordGroup } from "./word-forms.ts";

/** A place in a text where a form of a word of the query stands. */
export interface Place {
  readonly at: number;
  /** Which word of the query, by its number. */
  readonly group: number;
  /** How much this form of it counts, 1 for the word as typed. */
  readonly share: number;
}

/** Letters in a gram; the ends of a word count as one. */
const GRAM = 4;
const EDGE = 0x5f;
/** Slots of the hash tables: a power of two, far more than a query has grams. */
const SLOT_BITS = 12;
const SLOTS = 1 << SLOT_BITS;
const MOST_GRAMS = SLOTS / 4;

interface Form {
  readonly text: string;
  readonly group: number;
  readonly share: number;
  /** Of several words: how long the first is, and the one word that they are. */
  readonly apart?: { readonly first: number; readonly joined: string };
}

/**
 * Scans texts once, letter by letter, for two things: the words of a query in all their forms, and its grams, the runs of four letters in
 * its words. Grams find related words that no stemmer knows: `methylated` and `demethylation`, words without a space between
 * them, a plural in another language.
 */
export class QueryScanner {
  /** Forms by the hash of their letters, and a table of the hashes in use, which rules out most words faster. */
  readonly #forms = new Map<number, Form[]>();
  readonly #mayBeForm = new Uint8Array(SLOTS);
  /** The number of each gram plus one, by its code; 0 is free. */
  readonly #slots = new Uint16Array(SLOTS);
  readonly #codes = new Int32Array(SLOTS);
  readonly #mayBeGram = new Uint8Array(SLOTS);
  readonly #gramWeights: number[] = [];
  readonly #gramCounts: Uint16Array;
  readonly #gramTotal: number;

  constructor(groups: readonly WordGroup[]) {
    for (const [group, { word, weight, forms, apart }] of groups.entries()) {
      for (const [text, share] of forms) this.#addForm({ text, group, share });
      if (apart !== undefined) {
        const first = apart.words[0]?.length ?? 0;
        const text = apart.words.join(" ");
        this.#addForm({ text, group, share: 1, apart: { first, joined: word } });
      }
      this.#addGrams(word, weight);
    }
    this.#gramCounts = new Uint16Array(this.#gramWeights.length);
    this.#gramTotal = this.#gramWeights.reduce((sum, weight) => sum + weight, 0);
  }

  #addForm(form: Form): void {
    const hash = hashOf(form.text.slice(0, form.apart?.first));
    const same = this.#forms.get(hash) ?? [];
    const known = same.find(({ text }) => text === form.text);
    // A form of two words of the query counts for the one it is nearer to.
    if (known !== undefined && known.share >= form.share) return;
    const others = same.filter((each) => each !== known);
    // The longer one first: `40 mg` before `40`.
    this.#forms.set(hash, form.apart === undefined ? [...others, form] : [form, ...others]);
    this.#mayBeForm[hash & (SLOTS - 1)] = 1;
  }

  /** Divides the weight of a word among its grams, by the root of their number, so that no gram need be counted in advance. */
  #addGrams(word: string, weight: number): void {
    const codes = gramsOf(word);
    for (const code of codes) {
      const slot = this.#slotOf(code);
      let number = this.#slots[slot] ?? 0;
      if (number === 0) {
        if (this.#gramWeights.length >= MOST_GRAMS) return;
        number = this.#gramWeights.push(0);
        this.#slots[slot] = number;
        this.#codes[slot] = code;
        this.#mayBeGram[spread(code)] = 1;
      }
      const sofar = this.#gramWeights[number - 1] ?? 0;
      this.#gramWeights[number - 1] = sofar + weight / Math.sqrt(codes.length);
    }
  }

  #slotOf(code: number): number {
    let slot = spread(code);
    while (this.#slots[slot] !== 0 && this.#codes[slot] !== code) slot = (slot + 1) & (SLOTS - 1);
    return slot;
  }

  /**
   * Every place where a form of a word of the query stands, in order. Counts the grams of the text on the way.
   * @param folded a text as `fold` gives it
   */
  scan(folded: string): Place[] {
    const places: Place[] = [];
    const mayBeForm = this.#mayBeForm;
    const mayBeGram = this.#mayBeGram;
    this.#gramCounts.fill(0);
    let hash = HASH_START;
    let gram = EDGE;
    let start = 0;
    for (let at = 0; at <= folded.length; at += 1) {
      const code = at < folded.length ? folded.charCodeAt(at) : EDGE;
      const letter = code < 128 ? (ASCII[code] ?? EDGE) : foreignLetter(folded, at);
      if (letter === EDGE && at === start) {
        start = at + 1;
        continue;
      }
      gram = (gram << 8) | letter;
      if (mayBeGram[spread(gram)] === 1 && at - start >= GRAM - 2) this.#countGram(gram);
      if (letter !== EDGE) {
        hash = Math.imul(hash ^ letter, HASH_STEP);
        continue;
      }
      if (mayBeForm[hash & (SLOTS - 1)] === 1) {
        const form = this.#formAt(hash, folded, start, at);
        if (form !== null) places.push({ at: start, group: form.group, share: form.share });
      }
      hash = HASH_START;
      gram = EDGE;
      start = at + 1;
    }
    return places;
  }

  #formAt(hash: number, folded: string, start: number, end: number): Form | null {
    const forms = this.#forms.get(hash) ?? [];
    return (
      forms.find(
        ({ text, apart }) =>
          (apart?.first ?? text.length) === end - start &&
          folded.startsWith(text, start) &&
          (apart === undefined || standsApart(folded, start, text, apart.joined)),
      ) ?? null
    );
  }

  #countGram(code: number): void {
    const number = this.#slots[this.#slotOf(code)] ?? 0;
    if (number > 0) this.#gramCounts[number - 1] = (this.#gramCounts[number - 1] ?? 0) + 1;
  }

  /**
   * How much of the query's grams the text scanned last has, 0 to 1.
   * @param worth what a gram that stands there so many times is worth, 1 at most
   */
  gramShare(worth: (times: number) => number): number {
    const weights = this.#gramWeights;
    let sum = 0;
    for (let at = 0; at < weights.length; at += 1) {
      const times = this.#gramCounts[at] ?? 0;
      if (times > 0) sum += (weights[at] ?? 0) * worth(times);
    }
    return this.#gramTotal === 0 ? 0 : sum / this.#gramTotal;
  }

  /** Which grams the text scanned last has. */
  gramsFound(): Uint8Array {
    return Uint8Array.from(this.#gramCounts, (times) => (times > 0 ? 1 : 0));
  }

  /** How much of the query's grams the text scanned last has together with another, 0 to 1. */
  gramShareWith(others: Uint8Array): number {
    const weights = this.#gramWeights;
    let sum = 0;
    for (let at = 0; at < weights.length; at += 1)
      if (others[at] === 1 || (this.#gramCounts[at] ?? 0) > 0) sum += weights[at] ?? 0;
    return this.#gramTotal === 0 ? 0 : sum / this.#gramTotal;
  }
}

/** Whether words end there, and are not the parts that a normalised text has after their one word. */
function standsApart(folded: string, start: number, text: string, joined: string): boolean {
  const end = start + text.length;
  if (end < folded.length && letterAt(folded, end) !== EDGE) return false;
  return !` ${folded.slice(0, start)}`.endsWith(` ${joined} `);
}

const HASH_START = 0x811c9dc5 | 0;
const HASH_STEP = 0x01000193;

function hashOf(word: string): number {
  let hash = HASH_START;
  for (let at = 0; at < word.length; at += 1)
    hash = Math.imul(hash ^ letterAt(word, at), HASH_STEP);
  return hash;
}

/** The grams of one word, `_word_`, as numbers. A word too short for one has none. */
function gramsOf(word: string): number[] {
  const grams: number[] = [];
  let gram = EDGE;
  for (let at = 0; at <= word.length; at += 1) {
    gram = (gram << 8) | (at < word.length ? letterAt(word, at) : EDGE);
    if (at >= GRAM - 2) grams.push(gram);
  }
  return grams;
}

const LETTER = /[\p{L}\p{N}\p{Co}]/u;

/** What each ASCII character is in a gram: itself when it is a letter or digit, else `EDGE`. Folded text has no capitals. */
const ASCII = new Uint8Array(128).map((_, code) =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) ? code : EDGE,
);

/** A letter in eight bits, `EDGE` for what is none. */
function letterAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (ASCII[code] ?? EDGE) : foreignLetter(text, at);
}

/** Letters beyond ASCII share 128 numbers, which is exact enough to compare by. */
function foreignLetter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  // The second half of a surrogate pair is classified with its first.
  const first = code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
  const whole = String.fromCodePoint(text.codePointAt(first) ?? 0);
  return LETTER.test(whole) ? 128 + ((code ^ (code >> 7)) & 127) : EDGE;
}

/** A slot for a gram's code. */
function spread(code: number): number {
  return Math.imul(code, 0x9e3779b1) >>> (32 - SLOT_BITS);
}
