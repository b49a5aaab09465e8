import { readPairs, splitFrontmatter } from "../../vault/files/frontmatter.ts";
import { headingsOf } from "../../vault/files/headings.ts";
import { localTime } from "../../text/local-time.ts";
import { fenced } from "../convert/markdown-table.ts";

/** Where a note comes from. */
export interface NoteSource {
  readonly name: string;
  readonly mimeType: string;
  readonly sha256: string;
  readonly date: Date;
  /** The name of the original kept beside the note. */
  readonly original?: string | undefined;
  /** The name of the mail or archive it was in. */
  readonly within?: string | undefined;
  /** Something of it could not be read here and now. */
  readonly isPartial?: boolean | undefined;
}

export interface NoteParts {
  readonly source: NoteSource;
  readonly title: string;
  readonly markdown: string;
  readonly notices: readonly string[];
}

/** The whole text of a note: who it is from, marked as not to be trusted, a title, what should be known of it, and its text. */
export function noteText({ source, title, markdown, notices }: NoteParts): string {
  const { keys, body } = ownKeys(markdown);
  const heading = hasTitle(body) ? "" : `# ${oneLine(title).slice(0, LONGEST_TITLE)}\n\n`;
  const warnings = notices.map((notice) => `> ${oneLine(notice)}\n`).join("");
  const front = [
    "---",
    ...keys,
    "source:",
    `  name: ${JSON.stringify(source.name)}`,
    `  type: ${source.mimeType}`,
    `  sha256: ${source.sha256}`,
    `  date: ${localTime(source.date)}`,
    ...(source.original === undefined ? [] : [`  original: ${JSON.stringify(source.original)}`]),
    ...(source.within === undefined ? [] : [`  within: ${JSON.stringify(source.within)}`]),
    ...(source.isPartial === true ? ["  partial: true"] : []),
    "untrusted: true",
    "---",
  ];
  const text = `${heading}${warnings}${warnings === "" ? "" : "\n"}${body}`.trim();
  return `${front.join("\n")}\n\n${text}\n`;
}

const OURS = new Set(["source", "untrusted"]);

/**
 * The frontmatter a markdown file brings along. Keys that would say where it comes from, or that it can be trusted, are not taken: such a
 * block is shown in the text, as is one that is not valid.
 */
function ownKeys(markdown: string): { keys: string[]; body: string } {
  const { block, body } = splitFrontmatter(markdown);
  if (block === null) return { keys: [], body: body.trim() };
  const pairs = readPairs(block.yaml);
  const isTaken =
    Array.isArray(pairs) && pairs.every(({ key, indent }) => !OURS.has(key) && indent === "");
  const yaml = block.yaml.replace(/\n+$/u, "");
  if (isTaken) return { keys: yaml === "" ? [] : [yaml], body: body.trim() };
  return { keys: [], body: `${fenced(yaml, "yaml")}\n\n${body.trim()}` };
}

/** True when the text begins with its title, markers of pages aside. */
function hasTitle(body: string): boolean {
  const lines = body.split("\n");
  const start = lines.findIndex((line) => line.trim() !== "" && !/^<!-- \w+ \d+ -->$/u.test(line));
  const [first] = headingsOf(lines, 0);
  return first !== undefined && first.level === 1 && first.line === start + 1;
}

/** The first heading of a text, for documents that do not say what they are called. */
export function firstHeading(markdown: string): string | null {
  const [first] = headingsOf(splitFrontmatter(markdown).body.split("\n", 200), 0);
  return first === undefined ? null : plain(first.text) || null;
}

/** Longer headings are no titles, and take long to look through. */
const LONGEST_TITLE = 200;

/** A heading without its links and emphasis. */
function plain(markdown: string): string {
  return markdown
    .slice(0, LONGEST_TITLE)
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replaceAll(/\\([\\`*_[\]<>])/gu, "$1")
    .replaceAll(/\*\*|__/gu, "")
    .trim();
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}
