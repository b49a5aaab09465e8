import { isJobKey } from "../text/job-keys.ts";
import { findBlock } from "../vault/files/frontmatter.ts";
import { nameOf, type VaultPath } from "../vault/paths.ts";

/** A key of a file's frontmatter, or of a task's line, with one of its values. */
export interface Property {
  readonly key: string;
  readonly value: string;
}

/** What a file says of itself, apart from its text. */
export interface FileFacts {
  /** What it is called: its name, its title, its aliases. */
  readonly names: readonly string[];
  /** Of its frontmatter; null when it has none. */
  readonly title: string | null;
  /** Those of its frontmatter and of its text, without `#`. */
  readonly tags: readonly string[];
  /** Keys of its frontmatter that are not the background job's, one for each value, names and tags included. */
  readonly properties: readonly Property[];
  /** How many characters its frontmatter takes, blank lines after it included. */
  readonly frontmatter: number;
}

const KEY_LINE = /^([^\s#:'"[\]{}-][^:]*?)\s*:(?:\s+(.*)|)$/u;
const ITEM_LINE = /^\s*-\s+(.*)$/u;
const NAME_KEYS: ReadonlySet<string> = new Set(["title", "titre", "alias", "aliases", "name"]);
const TITLE_KEYS: ReadonlySet<string> = new Set(["title", "titre"]);
const TAG_KEYS: ReadonlySet<string> = new Set(["tag", "tags"]);
/** A heading that the text begins with. */
const TITLE_LINE = /^# +(.*)/u;
/** Files whose headings name their tasks and days. */
const LISTS: ReadonlySet<string> = new Set(["tasks.md", "changelog.md"]);
/** Names that say nothing: such a file is called like its folder. */
const GENERIC: ReadonlySet<string> = new Set(["index", "readme", "_index"]);
const INLINE_TAG = /(?<=^|[\s(])#(\p{L}[\p{L}\p{N}_/-]*)/gu;
const CODE = /^ {0,3}(?:`{3,}|~{3,})[\s\S]*?(?:^ {0,3}(?:`{3,}|~{3,})\s*$|(?![\s\S]))|`[^`\n]*`/gmu;

/** Reads lines, not YAML: cheap enough for every file, and a block that is not valid YAML still gives what it has. */
export function factsOf(path: VaultPath, text: string): FileFacts {
  const block = findBlock(text);
  const properties = block === null ? [] : propertiesIn(text.slice(block.open, block.close));
  const end = block?.end ?? 0;
  const blank = block === null ? 0 : (/^\s*\n/u.exec(text.slice(end))?.[0].length ?? 0);
  const valuesOf = (keys: ReadonlySet<string>): string[] =>
    properties.filter(({ key }) => keys.has(key.toLowerCase())).map(({ value }) => value);
  const inline = text.includes("#")
    ? [...text.slice(end).replace(CODE, "").matchAll(INLINE_TAG)].map(([, tag]) => tag ?? "")
    : [];
  const isList = LISTS.has(nameOf(path));
  const heading = isList ? "" : (TITLE_LINE.exec(text.slice(end + blank))?.[1]?.trim() ?? "");
  const tags = valuesOf(TAG_KEYS).flatMap((value) => value.split(/[,\s]+/u));
  return {
    names: [...new Set([ownName(path), ...valuesOf(NAME_KEYS), heading])].filter(
      (name) => name !== "",
    ),
    tags: [...new Set([...tags, ...inline].map((tag) => tag.replace(/^#/u, "")))].filter(
      (tag) => tag !== "",
    ),
    title: valuesOf(TITLE_KEYS)[0] ?? null,
    properties,
    frontmatter: end + blank,
  };
}

function ownName(path: VaultPath): string {
  const name = nameOf(path).replace(/\.md$/iu, "");
  const folder = path.split("/").at(-2);
  return GENERIC.has(name.toLowerCase()) && folder !== undefined ? folder : name;
}

/** The top-level keys of a frontmatter; lists, in either form, give a property for each item. */
function propertiesIn(yaml: string): Property[] {
  const found: Property[] = [];
  let key: string | null = null;
  for (const line of yaml.split(/\r?\n/u)) {
    const item = ITEM_LINE.exec(line)?.[1];
    if (item !== undefined) {
      if (key !== null) push(found, key, item);
      continue;
    }
    const match = KEY_LINE.exec(line);
    if (match === null) {
      // A value of its own lines belongs to the key above; deeper keys are values of it too.
      const more = line.trim();
      if (key !== null && more !== "" && /^\s/u.test(line))
        push(found, key, more.replace(/^[^\s:]+:\s+/u, ""));
      continue;
    }
    key = match[1]?.trim() ?? "";
    if (isJobKey(key)) key = null;
    const value = match[2]?.trim() ?? "";
    if (key === null || value === "" || /^[>|][+-]?\d?$/u.test(value)) continue;
    const list = /^\[(.*)\]$/u.exec(value)?.[1];
    if (list === undefined || value.startsWith("[[")) push(found, key, value);
    else for (const each of list.split(",")) push(found, key, each);
  }
  return found;
}

function push(found: Property[], key: string, written: string): void {
  const value = written.trim().replace(/^(["'])(.*)\1$/u, "$2");
  if (value !== "") found.push({ key, value });
}

const FIELD = /^(\p{L}[\p{L}\p{N}_-]{0,29})\s*:\s+(\S.{0,199})$/u;

/** The fields of a task: `status: en-cours | prio: haute` below its heading. */
export function fieldsIn(path: VaultPath, text: string): Property[] {
  if (nameOf(path) !== "tasks.md") return [];
  const found: Property[] = [];
  for (const line of text.split("\n")) {
    const fields = line.split(/\s+\|\s+/u).map((part) => FIELD.exec(part.trim()));
    if (fields.some((field) => field === null)) continue;
    for (const field of fields) push(found, field?.[1] ?? "", field?.[2] ?? "");
  }
  return found;
}

/** By which other names links may mean a note. */
export function aliasesOf({ properties }: Pick<FileFacts, "properties">): string[] {
  return properties.filter(({ key }) => /^alias(?:es)?$/iu.test(key)).map(({ value }) => value);
}
