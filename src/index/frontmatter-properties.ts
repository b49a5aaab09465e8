import { jobLine } from "../text/job-keys.ts";
import { FlowList, withoutComment, type FrontmatterKind } from "./frontmatter-values.ts";

/** A key of a file's frontmatter, or of a task's line, with one of its values. */
export interface Property {
  readonly key: string;
  readonly value: string;
}

/** `key: value`, `"key": value`. */
const YAML_KEY = /^(?:"([^"]+)"|'([^']+)'|([^\s#:'"[\]{}-][^:]*?))\s*:(?:\s+(.*)|)$/u;
/** Those of a table are taken for the file's: Zola has tags in one. */
const TOML_KEY = /^\s*(?:"([^"]+)"|'([^']+)'|([\p{L}\p{N}_.-]+))\s*=\s*(.*)$/u;
const TOML_TEXT = /^(?:"""|''')/u;
const ITEM_LINE = /^\s*-\s+(.*)$/u;
/** The text of a YAML value begins on the next line. */
const TEXT_BELOW = /^[>|][+-]?\d?$/u;

/**
 * The keys of a frontmatter that are a person's, each with its values: lists, in any form, give one for each item. Reads lines, not YAML or TOML:
 * cheap enough for every file, and a block that is not valid still gives what it has.
 */
export function propertiesIn(block: string, kind: FrontmatterKind): Property[] {
  const reader = new PropertyReader(kind);
  const read = kind === "yaml" ? readYaml : readToml;
  for (const line of block.split(/\r?\n/u)) read(reader, line);
  reader.end();
  return reader.found;
}

/** Of a key with a value as it is written, quotes included. */
export function addProperty(found: Property[], key: string, written: string): void {
  const value = written.trim().replace(/^(["'])(.*)\1$/u, "$2");
  if (value !== "") found.push({ key, value });
}

function readYaml(reader: PropertyReader, line: string): void {
  const [whole, double, single, plain, written = ""] = YAML_KEY.exec(line) ?? [];
  if (whole !== undefined) {
    // Of a key of the job, only what a person wrote there.
    reader.begin(jobLine(line) === null ? (double ?? single ?? plain ?? "").trim() : null);
    if (TEXT_BELOW.test(withoutComment(written.trim(), "yaml"))) reader.isText = true;
    else reader.value(written.trim());
    return;
  }
  if (reader.goesOn(line)) return;
  const item = ITEM_LINE.exec(line)?.[1];
  if (item !== undefined) reader.item(item);
  // A value of its own lines belongs to the key above; deeper keys are values of it too.
  else if (/^\s/u.test(line)) reader.value(line.trim().replace(/^[^\s:]+:\s+/u, ""));
}

function readToml(reader: PropertyReader, line: string): void {
  if (reader.goesOn(line)) return;
  const [whole, double, single, plain, written = ""] = TOML_KEY.exec(line) ?? [];
  if (whole === undefined) return;
  reader.begin(double ?? single ?? plain ?? "");
  reader.value(written.trim());
}

/** Puts values to the key above them, line by line. */
class PropertyReader {
  readonly found: Property[] = [];
  /** Whether the lines below the key are a text, with no comments in it. */
  isText = false;
  readonly #kind: FrontmatterKind;
  #key: string | null = null;
  /** A list in brackets that is not closed yet. */
  #list: FlowList | null = null;
  /** What ends a TOML text of several lines. */
  #ending: string | null = null;

  constructor(kind: FrontmatterKind) {
    this.#kind = kind;
  }

  /** @param key null for one whose values do not count */
  begin(key: string | null): void {
    this.end();
    this.#key = key;
    this.isText = false;
  }

  item(written: string): void {
    this.#add(this.isText ? written : withoutComment(written, this.#kind));
  }

  value(written: string): void {
    const ending = this.#kind === "toml" ? TOML_TEXT.exec(written)?.[0] : undefined;
    if (ending !== undefined) {
      this.#ending = ending;
      this.#readText(written.slice(ending.length));
      return;
    }
    // YAML takes `[[a note]]` for a list in a list.
    const isLink = this.#kind === "yaml" && written.startsWith("[[");
    const list = new FlowList(this.#kind);
    const rest = this.isText || isLink || !written.startsWith("[") ? written : list.read(written);
    if (rest === null) this.#list = list;
    else if (rest === "") this.#addAll(list.items);
    // `[a link](https://…)` is no list.
    else this.item(written);
  }

  /** Whether a line belongs to a value that was begun above. */
  goesOn(line: string): boolean {
    const list = this.#list;
    if (list !== null && list.read(line) !== null) {
      this.#addAll(list.items);
      this.#list = null;
    } else if (this.#ending !== null) this.#readText(line);
    else return list !== null;
    return true;
  }

  /** Takes what a list has that is not closed. */
  end(): void {
    this.#addAll(this.#list?.unclosed() ?? []);
    this.#list = null;
    this.#ending = null;
  }

  #readText(line: string): void {
    const end = line.indexOf(this.#ending ?? "");
    this.#add(end < 0 ? line : line.slice(0, end));
    if (end >= 0) this.#ending = null;
  }

  #addAll(items: readonly string[]): void {
    for (const item of items) this.#add(item);
  }

  #add(written: string): void {
    if (this.#key !== null) addProperty(this.found, this.#key, written);
  }
}
