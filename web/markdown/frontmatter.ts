/** A key of the frontmatter with what it has: one value, or those of a list. */
export interface Property {
  readonly key: string;
  readonly values: readonly string[];
  readonly isList: boolean;
}

/** A note in its two parts. */
export interface SplitNote {
  /** The lines of the frontmatter that are a key with a value on the same line, in order. */
  readonly fields: readonly (readonly [key: string, value: string])[];
  /** The same with lists; without what is nested deeper. */
  readonly properties: readonly Property[];
  readonly body: string;
  /** How many lines stand before the body. */
  readonly linesBefore: number;
}

/** Parts a note from its frontmatter, which only shows: the service is what reads it. */
export function splitFrontmatter(text: string): SplitNote {
  const plain = text.replace(/^\u{FEFF}/u, "");
  const [whole, block] = /^---[ \t]*\r?\n([^]*?)^---[ \t]*(?:\r?\n|$)/mu.exec(plain) ?? [];
  if (whole === undefined || block === undefined || !plain.startsWith(whole)) {
    return { fields: [], properties: [], body: plain, linesBefore: 0 };
  }
  const lines = block.split(/\r?\n/u);
  const fields = lines.flatMap((line) => {
    const [, key, value] = KEY.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [[key, unquoted(value)] as const];
  });
  return {
    fields,
    properties: propertiesIn(lines),
    body: plain.slice(whole.length),
    linesBefore: whole.split("\n").length - 1,
  };
}

const KEY = /^([\p{L}\p{N}_-]+):[ \t]+(\S.*)$/u;

function propertiesIn(lines: readonly string[]): Property[] {
  const found: { key: string; values: string[]; isList: boolean }[] = [];
  // The key whose list may go on in the next lines.
  let open: (typeof found)[number] | null = null;
  for (const line of lines) {
    const [, item] = /^\s*-[ \t]+(\S.*)$/u.exec(line) ?? [];
    if (item !== undefined && open !== null) {
      if (open.values.length === 0) found.push(open);
      open.values.push(unquoted(item));
      continue;
    }
    const [, bare] = /^([\p{L}\p{N}_-]+):[ \t]*$/u.exec(line) ?? [];
    open = bare === undefined ? null : { key: bare, values: [], isList: true };
    const [, key, value = ""] = KEY.exec(line) ?? [];
    if (key === undefined) continue;
    const [, inside] = /^\[(?!\[)(.*)\]$/u.exec(value.trim()) ?? [];
    if (inside === undefined) found.push({ key, values: [unquoted(value)], isList: false });
    else found.push({ key, values: listed(inside), isList: true });
  }
  return found;
}

/** The values of `[a, "b, c"]`. */
function listed(inside: string): string[] {
  return (inside.match(/\s*(?:"[^"]*"|'[^']*'|[^,]+)/gu) ?? [])
    .map((value) => unquoted(value.trim()))
    .filter((value) => value !== "");
}

function unquoted(value: string): string {
  return /^(["']).*\1$/u.test(value.trim()) ? value.trim().slice(1, -1) : value.trim();
}
