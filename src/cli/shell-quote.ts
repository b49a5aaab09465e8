const PLAIN = /^[\p{L}\p{N}_@%+=:,./-]+$/u;

/** A word as it must be typed in a shell to mean itself. */
export function shellQuote(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
