/** The estimate used everywhere, in JavaScript string length. */
const CHARACTERS_PER_TOKEN = 4;

/** Rounded up. */
export function countTokens(text: string): number {
  return tokensForLength(text.length);
}

export function tokensForLength(length: number): number {
  return Math.ceil(length / CHARACTERS_PER_TOKEN);
}

/** How long a text of so many tokens may be. */
export function charactersFor(tokens: number): number {
  return tokens * CHARACTERS_PER_TOKEN;
}

function oneDecimal(value: number): string {
  return value.toFixed(1).replace(/\.0$/u, "");
}

/** `380`, `18.3k`, `1.2M`: exact below a thousand, then one decimal, no trailing `.0`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  // 999,950 would round to "1000k": it belongs to the next unit.
  return tokens < 999_950 ? `${oneDecimal(tokens / 1e3)}k` : `${oneDecimal(tokens / 1e6)}M`;
}

/** `812 B`, `214 kB`, `1.4 MB`, `2 GB`: decimal units. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1e3)} kB`;
  return bytes < 999_950_000 ? `${oneDecimal(bytes / 1e6)} MB` : `${oneDecimal(bytes / 1e9)} GB`;
}
