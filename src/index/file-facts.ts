import { findBlock } from "../vault/files/frontmatter.ts";
import { nameOf, type VaultPath } from "../vault/paths.ts";
import { findTomlBlock } from "../vault/files/toml-block.ts";
import { addProperty, propertiesIn, type Property } from "./frontmatter-properties.ts";

/** What a file says of itself, apart from its text. */
export interface FileFacts {
  /** What it is called: its name, its title, its aliases. */
  readonly names: readonly string[];
  /** Of its frontmatter; null when it has none. */
  readonly title: string | null;
  /** Those of its frontmatter and of its text, without `#`. */
  readonly tags: readonly string[];
  /** Keys of its frontmatter that a person wrote, one for each value, names and tags included. */
  readonly properties: readonly Property[];
  /** How many characters its frontmatter takes, blank lines after it included. */
  readonly frontmatter: number;
}

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

export function factsOf(path: VaultPath, text: string): FileFacts {
  const toml = findTomlBlock(text);
  const block = toml ?? findBlock(text);
  const kind = toml === null ? "yaml" : "toml";
  const properties = block === null ? [] : propertiesIn(text.slice(block.open, block.close), kind);
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

const FIELD = /^(\p{L}[\p{L}\p{N}_-]{0,29})\s*:\s+(\S.{0,199})$/u;

/** The fields of a task: `status: en-cours | prio: haute` below its heading. */
export function fieldsIn(path: VaultPath, text: string): Property[] {
  if (nameOf(path) !== "tasks.md") return [];
  const found: Property[] = [];
  for (const line of text.split("\n")) {
    const fields = line.split(/\s+\|\s+/u).map((part) => FIELD.exec(part.trim()));
    if (fields.some((field) => field === null)) continue;
    for (const field of fields) addProperty(found, field?.[1] ?? "", field?.[2] ?? "");
  }
  return found;
}

/** By which other names links may mean a note. */
export function aliasesOf({ properties }: Pick<FileFacts, "properties">): string[] {
  return properties.filter(({ key }) => /^alias(?:es)?$/iu.test(key)).map(({ value }) => value);
}
