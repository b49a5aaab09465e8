/** A key of the frontmatter with what it has: one value, those of a list, or none. */
export interface Property {
  readonly key: string;
  readonly values: readonly string[];
  readonly isList: boolean;
}

/** A note in its two parts. */
export interface SplitNote {
  /** In order; without those that one line of text cannot say, which stay as they are: blocks of text, and what is nested deeper. */
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
    return { properties: [], body: plain, linesBefore: 0 };
  }
  return {
    properties: propertiesIn(block.split(/\r?\n/u)),
    body: plain.slice(whole.length),
    linesBefore: whole.split("\n").length - 1,
  };
}

const KEY = /^("[^"\\]+"|'[^']+'|[\p{L}\p{N}_][^:#]*?)[ \t]*:(?:[ \t]+(.*)|[ \t]*)$/u;

/** A key with the text on its line, and the lines below that belong to it. */
interface Entry {
  readonly key: string;
  readonly text: string;
  readonly below: string[];
}

function propertiesIn(lines: readonly string[]): Property[] {
  const entries: Entry[] = [];
  for (const line of lines) {
    const isBelow = /^(?:\s|-(?:\s|$))/u.test(line);
    const [, key, text = ""] = isBelow ? [] : (KEY.exec(line) ?? []);
    if (key !== undefined) {
      entries.push({ key: key.replace(/^(["'])(.*)\1$/u, "$2"), text: text.trim(), below: [] });
    } else if (!/^\s*(?:#|$)/u.test(line)) entries.at(-1)?.below.push(line);
  }
  return entries.flatMap((entry) => propertyOf(entry) ?? []);
}

/** Null for a value that takes several lines and is no list of simple ones. */
function propertyOf({ key, text, below }: Entry): Property | null {
  if (text === "" || text.startsWith("#")) {
    const items = below.map((line) => /^\s*-[ \t]+(.+)$/u.exec(line)?.[1]?.trim() ?? "");
    return listOf(key, items, below.length > 0 || isListKey(key));
  }
  if (below.length > 0) return null;
  const [, inside] = /^\[(?!\[)(.*)\](?:\s+#.*)?$/u.exec(text) ?? [];
  if (inside !== undefined) return listOf(key, partsOf(inside), true);
  const value = scalarIn(text);
  return value === null ? null : { key, values: [value], isList: false };
}

function listOf(key: string, items: readonly string[], isList: boolean): Property | null {
  const values = items.map((item) => (isNested(item) ? null : scalarIn(item)));
  const known = values.filter((value) => value !== null);
  return known.length === values.length ? { key, values: known, isList } : null;
}

function isNested(item: string): boolean {
  return item === "" || /^(?:-\s|\[(?!\[)|[^"'\s][^"']*:(?:\s|$))/u.test(item);
}

/** The text of a value as it is written in YAML; null for one that is not plain text. */
function scalarIn(text: string): string | null {
  const [, double, single] =
    /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')(?:\s+#.*)?$/u.exec(text) ?? [];
  if (double !== undefined) return unescaped(double);
  if (single !== undefined) return single.replaceAll("''", "'");
  if (/^[|>&*!{"'`@%]/u.test(text)) return null;
  return text.replace(/\s+#.*$/u, "");
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}

/** The keys that Obsidian and others keep lists under. */
export function isListKey(key: string): boolean {
  return /^(?:tags|aliases|cssclasses)$/iu.test(key);
}

/** The values of a list in one line, as they are written: `a, "b, c"`. */
export function partsOf(line: string): string[] {
  return (line.match(/\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,]+)/gu) ?? [])
    .map((value) => value.trim())
    .filter((value) => value !== "");
}
