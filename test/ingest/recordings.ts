import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";

/** What Debian's packages `asterisk-core-sounds-en-wav` and `asterisk-core-sounds-en` install: prompts of a telephone system, spoken by a person, at 8 kHz, and their texts. */
const SOUNDS = "/usr/share/asterisk/sounds/en_US_f_Allison";
const TEXTS = "/usr/share/doc/asterisk-core-sounds-en/core-sounds-en.txt.gz";

/** The folder that `npm ci --prefix test/ingest/moonshine` fills. */
export const MOONSHINE = path.join(
  import.meta.dirname,
  "moonshine/node_modules/@usefulsensors/moonshine-js",
);

export interface Spoken {
  readonly name: string;
  readonly file: string;
  readonly words: readonly string[];
}

export function hasRecordings(): boolean {
  return existsSync(SOUNDS);
}

export function hasTextsOfRecordings(): boolean {
  return existsSync(TEXTS);
}

/** Recordings with what is said in them, of at least four words; those whose text only describes a sound, or has signs that are spoken otherwise, are left out. */
export function recordings(): Spoken[] {
  const lines = gunzipSync(readFileSync(TEXTS)).toString("utf8").split("\n");
  return lines.flatMap((line) => {
    const [, name = "", text = ""] = /^([\w/-]+): (.*)$/u.exec(line) ?? [];
    const words = wordsOf(text);
    const file = path.join(SOUNDS, `${name}.wav`);
    const isUsable = words.length >= 4 && !/[[\]()<>#*]/u.test(text) && existsSync(file);
    return isUsable ? [{ name, file, words }] : [];
  });
}

const DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** As they sound: small letters, digits as words, `voice mail` and `voicemail` alike two. */
export function wordsOf(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replaceAll(/\d/gu, (digit) => ` ${DIGITS[Number(digit)]} `)
    .replaceAll("voicemail", "voice mail")
    .replaceAll(/[^a-z']+/gu, " ");
  return plain.split(" ").filter((word) => word !== "");
}

/** The least number of words to replace, add or leave out to get from one to the other. */
export function wrongWords(said: readonly string[], heard: readonly string[]): number {
  let above = Array.from({ length: heard.length + 1 }, (_, at) => at);
  for (const [row, word] of said.entries()) {
    const line = [row + 1];
    for (const [at, other] of heard.entries()) {
      const swapped = (above[at] ?? 0) + (word === other ? 0 : 1);
      line.push(Math.min(swapped, (above[at + 1] ?? 0) + 1, (line[at] ?? 0) + 1));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}
