/*
 * Texts from before UTF-8 do not say how they are written. Each encoding is tried on the beginning of a text, and the result scored by how
 * much it looks like writing.
 */

export type OldEncoding =
  | "windows-1252"
  | "windows-1251"
  | "koi8-r"
  | "shift_jis"
  | "euc-jp"
  | "euc-kr"
  | "big5"
  | "gb18030"
  | "iso-2022-jp";

export function isOldEncoding(name: string): name is OldEncoding {
  return (
    name === "windows-1252" ||
    name === "iso-2022-jp" ||
    CANDIDATES.some(({ encoding }) => encoding === name)
  );
}

/** Bytes that are looked at. */
const SAMPLE = 32_768;
/** An encoding that makes less sense of a text is not its encoding. */
const LEAST_SCORE = 0.35;
/** What another encoding must have more than Latin-1, which is by far the most usual one. */
const LEAST_LEAD = 0.2;

interface Candidate {
  readonly encoding: OldEncoding;
  /** From −1 to 1, for a character beyond ASCII with the one before it. */
  readonly score: (sign: string, before: string, bytes: readonly number[]) => number;
}

const isLetter = (sign: string): boolean => /\p{L}/u.test(sign);
const isKana = (sign: string): boolean => /[\u3040-\u30ff\u3001\u3002\u30fc]/u.test(sign);

function cyrillic(sign: string, before: string): number {
  if (!/\p{Script=Cyrillic}/u.test(sign)) return /[«»—–№“”„’…]/u.test(sign) ? 0.5 : -1;
  const isUpper = sign !== sign.toLowerCase();
  if (!isUpper) return 1;
  const isInside = isLetter(before) && before === before.toLowerCase();
  return isInside ? -1 : 0.7;
}

/** Kana, and the kanji that schools teach, which each encoding puts first. */
const japanese =
  (first: number, last: number) =>
  (sign: string, _before: string, [lead = 0]: readonly number[]): number => {
    if (isKana(sign)) return 1;
    if (/[\uff61-\uff9f]/u.test(sign)) return -0.5;
    return lead >= first && lead <= last
      ? 0.6
      : /\p{P}|[\uff01-\uff5e\u3000]/u.test(sign)
        ? 0.3
        : -0.5;
  };

/** The characters of everyday texts, which each encoding puts first. */
const everyday =
  (first: number, last: number, script: RegExp) =>
  (sign: string, _before: string, [lead = 0]: readonly number[]): number => {
    if (/[\u3000-\u303f\uff01-\uff5e]/u.test(sign)) return 0.5;
    return script.test(sign) && lead >= first && lead <= last ? 1 : -0.5;
  };

/** Those that are stricter come first: of two that score the same, the first is taken. */
const CANDIDATES: readonly Candidate[] = [
  { encoding: "shift_jis", score: japanese(0x88, 0x97) },
  { encoding: "euc-jp", score: japanese(0xb0, 0xcf) },
  { encoding: "euc-kr", score: everyday(0xb0, 0xc8, /\p{Script=Hangul}/u) },
  { encoding: "big5", score: everyday(0xa4, 0xc6, /\p{Script=Han}/u) },
  { encoding: "gb18030", score: everyday(0xb0, 0xd7, /\p{Script=Han}/u) },
  { encoding: "windows-1251", score: cyrillic },
  { encoding: "koi8-r", score: cyrillic },
];

/** The encoding of bytes that are not UTF-8; null when none makes a text of them. */
export function oldEncodingOf(bytes: Uint8Array): OldEncoding | null {
  const sample = bytes.subarray(0, SAMPLE);
  const latin = bytes.some((byte) => UNDEFINED.has(byte)) ? null : latinScore(sample);
  let best: { encoding: OldEncoding; score: number } | null = null;
  for (const candidate of CANDIDATES) {
    const score = scoreOf(sample, candidate);
    if (score !== null && score > (best?.score ?? LEAST_SCORE))
      best = { encoding: candidate.encoding, score };
  }
  if (best !== null && (latin === null || best.score > latin + LEAST_LEAD)) return best.encoding;
  return latin === null ? null : "windows-1252";
}

/** Positions that windows-1252 leaves empty. */
const UNDEFINED = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

/** Accented letters stand among plain ones. */
function latinScore(sample: Uint8Array): number {
  const text = new TextDecoder("windows-1252").decode(sample);
  let sum = 0;
  let count = 0;
  for (const [at, sign] of text.split("").entries()) {
    if (sign < "\u0080") continue;
    count += 1;
    const around = `${text[at - 1] ?? " "}${text[at + 1] ?? " "}`;
    if (/[À-ÖØ-öø-ÿŒœŠšŽžŸ]/u.test(sign))
      sum += /[a-z]/iu.test(around) ? 1 : /^\s\s$/u.test(around) ? 0.5 : -0.5;
    else sum += /[€«»’‘“”–—…°§œ\u00a0£©®²³½]/u.test(sign) ? 0.7 : -0.7;
  }
  return count === 0 ? 1 : sum / count;
}

function scoreOf(sample: Uint8Array, { encoding, score }: Candidate): number | null {
  let text: string;
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    // The sample may end within a character.
    text = decoder.decode(sample, { stream: true });
  } catch {
    return null;
  }
  let sum = 0;
  let count = 0;
  let at = 0;
  let before = " ";
  const isSingle = encoding === "windows-1251" || encoding === "koi8-r";
  for (const sign of text) {
    const isPlain = (sample[at] ?? 0) < 0x80;
    const isHalfWidth = encoding === "shift_jis" && /[\uff61-\uff9f]/u.test(sign);
    const size = isPlain || isSingle || isHalfWidth ? 1 : 2;
    if (!isPlain) {
      sum += score(sign, before, [sample[at] ?? 0, sample[at + 1] ?? 0]);
      count += 1;
    }
    before = sign;
    at += size;
  }
  return count === 0 ? null : sum / count;
}
