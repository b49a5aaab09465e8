const PLAIN = /^[\p{L}\p{N}_@%+=:,./-]+$/u;

/** A word as it must be typed in a shell to mean itself. */
export function shellQuote(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Words as one line for the shell of a platform. */
export function commandLine(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map(platform === "win32" ? windowsQuote : shellQuote).join(" ");
}

/** For paths, which hold no quotes there. */
function windowsQuote(word: string): string {
  return /^[\p{L}\p{N}_@+=:,./\\-]+$/u.test(word) ? word : `"${word}"`;
}
