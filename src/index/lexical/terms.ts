import { fold } from "../../text/words.ts";

/** What a character is to a text that is cut into words. */
const NO_WORD = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const UNSPACED = 4;

/** Not the vowel signs of New Tai Lue, nor two Vedic signs: FTS5, whose Unicode is older, ends a word at them. */
const WORD = /(?![\u19b0-\u19c0\u19c8\u19c9\u1cf2\u1cf3])[\p{L}\p{N}\p{Co}\p{M}]/u;
/** Scripts without spaces between words, and Korean, which writes its particles together with the word before. */
const WITHOUT_SPACES =
  /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const NOT_CLASSIFIED = 255;
const classes = new Uint8Array(0x10000).fill(NOT_CLASSIFIED);

function classify(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  const known = classes[code] ?? NOT_CLASSIFIED;
  if (known !== NOT_CLASSIFIED && !isSurrogate) return known;
  // The second half of a surrogate pair is classified with its first.
  const first = code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
  const whole = String.fromCodePoint(text.codePointAt(Math.max(0, first)) ?? 0);
  const found = classOf(whole);
  if (!isSurrogate) classes[code] = found;
  return found;
}

function classOf(letter: string): number {
  if (!WORD.test(letter)) return NO_WORD;
  if (WITHOUT_SPACES.test(letter)) return UNSPACED;
  if (/\p{N}/u.test(letter)) return DIGIT;
  return /\p{Lu}/u.test(letter) ? UPPER : LOWER;
}

/** `C++`, `C#`, `F#`: without its signs such a name is one letter. */
const SIGNS: Readonly<Record<string, string>> = { "++": "plusplus", "#": "sharp" };
const LONGEST_UNIT = 4;
const HYPHENS = new Set(["-", "\u2010", "\u2011"]);

/**
 * A text as it is indexed and compared: its words folded, single spaces between them, its lines kept. Words that are written in several ways
 * stand there in each: `getUserName` also as `get user name`, `40mg` as `40 mg`, `1 000` as `1000`, `e-mail` as `email`; text without spaces as pairs of letters.
 */
export function normalise(text: string): string {
  const folded = fold(text);
  const isAligned = folded.length === text.length;
  const cut = (start: number, end: number): string =>
    isAligned ? folded.slice(start, end) : fold(text.slice(start, end));
  let out = "";
  let isLineStart = true;
  const push = (word: string): void => {
    out += isLineStart ? word : ` ${word}`;
    isLineStart = false;
  };
  /** The word before, when only a hyphen is between. */
  let joined: string | null = null;
  for (let at = 0; at < text.length;) {
    let kind = classify(text, at);
    if (kind === NO_WORD) {
      if (text.charCodeAt(at) === NEWLINE) {
        out += "\n";
        isLineStart = true;
      }
      at += 1;
      continue;
    }
    const start = at;
    let isMixed = false;
    let hasUnspaced = false;
    let before = NO_WORD;
    while (at < text.length && (kind = classify(text, at)) !== NO_WORD) {
      isMixed ||= before !== NO_WORD && kind !== before && before !== UPPER;
      isMixed ||= before === UPPER && (kind === DIGIT || (kind === LOWER && at - start > 1));
      hasUnspaced ||= kind === UNSPACED;
      before = kind;
      at += 1;
    }
    const word = cut(start, at);
    if (word === "") continue;
    if (hasUnspaced) splitUnspaced(text.slice(start, at)).forEach(push);
    else push(word);
    if (isMixed && !hasUnspaced) partsOf(text.slice(start, at)).forEach(push);
    if (before === DIGIT && at - start <= DIGITS_IN_GROUP) {
      const whole = groupedNumber(text, start);
      if (whole !== null) push(whole);
    }
    if (at - start === 1) {
      const sign = SIGNS[text.slice(at, at + 2)] ?? SIGNS[text[at] ?? ""];
      const isEnd = classify(text, at + (text[at] === "#" ? 1 : 2)) === NO_WORD;
      if (sign !== undefined && (isEnd || at + 2 >= text.length)) push(word + sign);
    }
    if (joined !== null) push(joined + word);
    const isJoin = HYPHENS.has(text[at] ?? "") && before !== DIGIT && !hasUnspaced;
    joined = isJoin && joined === null ? word : null;
    if (joined !== null && classify(text, at + 1) === NO_WORD) joined = null;
  }
  return out;
}

const DIGITS_IN_GROUP = 3;
/** `1 000`, `12,000`, `1.000.000`, `1’000`: digits in groups of three, with the same sign between all of them. */
const GROUPED =
  /(?<![\p{L}\p{N}]|\p{N}[ \u00a0\u202f.,'\u2019])[1-9]\d{0,2}([ \u00a0\u202f.,'\u2019])\d{3}(?:\1\d{3})*(?!\1?\p{N})/uy;
const EVERY_GROUPED = new RegExp(GROUPED.source, "gu");

/** A number that is written in groups, as one word; null when none begins here. */
function groupedNumber(text: string, at: number): string | null {
  GROUPED.lastIndex = at;
  const [grouped] = GROUPED.exec(text) ?? [];
  return grouped === undefined ? null : digitsOf(grouped).join("");
}

function digitsOf(grouped: string): string[] {
  return grouped.split(/\D/u);
}

const CAMEL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const WITH_UNIT = /^(\p{N}+)(\p{L}+)$/u;
/** `B12`, `v1`: also written `B 12`, and the number of a version alone. */
const NUMBERED = /^(\p{L}+)(\p{N}+)$/u;
/** `10h30`: also written `10:30`. */
const CLOCK_TIME = /^(\d{1,2})h(\d{2})$/iu;

/** The words that one word is made of; none when it is one. */
function partsOf(word: string): string[] {
  const [, number = "", unit = ""] = WITH_UNIT.exec(word) ?? [];
  if (number !== "" && unit.length <= LONGEST_UNIT) return [number, fold(unit)];
  const [, letters = "", digits = ""] = NUMBERED.exec(word) ?? [];
  if (letters !== "") return [fold(letters), digits];
  const [, hour = "", minute = ""] = CLOCK_TIME.exec(word) ?? [];
  if (hour !== "") return [hour, minute];
  const parts = word.split(CAMEL);
  return parts.length > 1 ? parts.map(fold) : [];
}

const RUN = new RegExp(`${WITHOUT_SPACES.source}+`, "gu");

/** Every two neighbouring letters of what has no spaces; one letter alone is itself, and so is what is between. */
function splitUnspaced(word: string): string[] {
  // Folding takes Korean syllables apart into letters.
  const spaced = fold(word)
    .normalize("NFC")
    .replace(RUN, (run) => {
      const letters = Array.from(run);
      const pairs = letters.slice(1).map((letter, at) => `${letters[at] ?? ""}${letter}`);
      return ` ${pairs.length === 0 ? run : pairs.join(" ")} `;
    });
  return spaced.split(" ").filter((part) => part !== "");
}

/** Whether a word is one letter of a script without spaces, which is indexed in pairs. */
export function isOneUnspaced(word: string): boolean {
  return word.length <= 2 && Array.from(word).length === 1 && WITHOUT_SPACES.test(word);
}

/** A letter with its sign, or a word. */
const TYPED = new RegExp(String.raw`(\p{L})(\+\+|#)(?![\p{L}\p{N}])|(?:${WORD.source})+`, "gu");
const HYPHENATED = /(?<![\p{L}\p{N}-])(\p{L}+)[-\u2010\u2011](\p{L}+)(?![\p{L}\p{N}-])/gu;

/** The words of a query, folded, in order; what each may be made of, and how it is also written. */
export interface QueryTerms {
  readonly words: readonly string[];
  readonly parts: ReadonlyMap<string, readonly string[]>;
  readonly joined: ReadonlyMap<string, string>;
}

/** Words as {@link normalise} gives them, but each in one way only: others count as forms of it. */
export function termsInQuery(text: string): QueryTerms {
  const words: string[] = [];
  const parts = new Map<string, readonly string[]>();
  const ungrouped = text.replaceAll(EVERY_GROUPED, (grouped) => {
    const groups = digitsOf(grouped);
    parts.set(groups.join(""), groups);
    return groups.join("");
  });
  for (const [token, letter = "", sign = ""] of ungrouped.matchAll(TYPED)) {
    const word = fold(token);
    if (sign !== "") words.push(fold(letter) + (SIGNS[sign] ?? ""));
    else if (WITHOUT_SPACES.test(token)) words.push(...splitUnspaced(token));
    else if (word !== "") {
      words.push(word);
      const made = partsOf(token);
      if (made.length > 0) parts.set(word, made);
    }
  }
  const joined = new Map<string, string>();
  for (const [, first = "", second = ""] of text.matchAll(HYPHENATED)) {
    const longer = first.length > second.length ? first : second;
    joined.set(fold(longer), fold(first + second));
  }
  return { words, parts, joined };
}

/** Calls back with every word of a normalised text. */
export function eachTerm(normalised: string, onTerm: (term: string) => void): void {
  let start = 0;
  for (let at = 0; at <= normalised.length; at += 1) {
    const code = at < normalised.length ? normalised.charCodeAt(at) : SPACE;
    if (code !== SPACE && code !== NEWLINE) continue;
    if (at > start) onTerm(normalised.slice(start, at));
    start = at + 1;
  }
}

const SPACE = 0x20;
const NEWLINE = 0x0a;
