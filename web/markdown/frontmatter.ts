/** A note in its two parts. */
export interface SplitNote {
  /** The lines of the frontmatter that are a key with a value on the same line, in order. */
  readonly fields: readonly (readonly [key: string, value: string])[];
  readonly body: string;
  /** How many lines stand before the body. */
  readonly linesBefore: number;
}

/** Parts a note from its frontmatter, which only shows: the service is what reads it. */
export function splitFrontmatter(text: string): SplitNote {
  const plain = text.replace(/^\u{FEFF}/u, "");
  const [whole, block] = /^---[ \t]*\r?\n([^]*?)^---[ \t]*(?:\r?\n|$)/mu.exec(plain) ?? [];
  if (whole === undefined || block === undefined || !plain.startsWith(whole)) {
    return { fields: [], body: plain, linesBefore: 0 };
  }
  const fields = block.split(/\r?\n/u).flatMap((line) => {
    const [, key, value] = /^([\w-]+):[ \t]+(\S.*)$/u.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [[key, unquoted(value)] as const];
  });
  return { fields, body: plain.slice(whole.length), linesBefore: whole.split("\n").length - 1 };
}

function unquoted(value: string): string {
  return /^(["']).*\1$/u.test(value.trim()) ? value.trim().slice(1, -1) : value.trim();
}
