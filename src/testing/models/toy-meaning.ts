import { createHash } from "node:crypto";

import { wordsOf } from "../../text/words.ts";

/** Words that mean the same to the models of the tests. */
export const SYNONYMS: readonly (readonly string[])[] = [
  ["averse", "pluie"],
  ["auto", "voiture"],
  ["docteur", "medecin"],
];

export const TOY_DIMENSIONS = 64;

/** Where a word points: the same for synonyms, and nearly square to all others. */
export function toyWordVector(word: string): Float32Array {
  const known = SYNONYMS.find((group) => group.includes(word));
  const digest = createHash("sha512")
    .update(known?.[0] ?? word)
    .digest();
  return Float32Array.from(digest, (byte) => byte / 127.5 - 1);
}

/** Where a text points: the sum of its words. A model that reads as a child does, and always the same. */
export function toyVector(text: string): Float32Array {
  const sum = new Float32Array(TOY_DIMENSIONS);
  for (const word of wordsOf(text)) {
    for (const [at, value] of toyWordVector(word).entries()) sum[at] = (sum[at] ?? 0) + value;
  }
  return sum;
}
