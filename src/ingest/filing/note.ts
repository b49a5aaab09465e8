import path from "node:path";

import { readPairs, splitFrontmatter } from "../../vault/files/frontmatter.ts";
import { headingsOf } from "../../vault/files/headings.ts";
import { localTime } from "../../text/local-time.ts";
import type { VaultPath } from "../../vault/paths.ts";
import type { Failure } from "../contract.ts";
import { baseOf } from "../convert/converted.ts";
import { fenced } from "../convert/markdown-table.ts";
import type { Filed } from "./filing.ts";
import { MAX_TITLE_LENGTH, type Gathered } from "./gather.ts";

/** What a note says beside what was gathered. */
export interface NoteParts {
  readonly markdown: string;
  readonly now: Date;
  /** The name of the original kept beside the note. */
  readonly original: string | null;
  /** The name of the mail or archive it was in. */
  readonly within: string | null;
}

/** The whole text of a note: who it is from, marked as not to be trusted, a title, what should be known of it, and its text. */
export function noteText(
  { file, kind, sha256, title, notices, converted }: Gathered,
  { markdown, now, original, within }: NoteParts,
): string {
  const { keys, body } = ownKeys(markdown);
  const heading = hasTitle(body) ? "" : `# ${oneLine(title).slice(0, MAX_TITLE_LENGTH)}\n\n`;
  const warnings = notices.map((notice) => `> ${oneLine(notice)}\n`).join("");
  const front = [
    "---",
    ...keys,
    "source:",
    `  name: ${JSON.stringify(baseOf(file.name))}`,
    `  type: ${kind.mimeType}`,
    `  sha256: ${sha256}`,
    `  date: ${localTime(now)}`,
    ...(original === null ? [] : [`  original: ${JSON.stringify(original)}`]),
    ...(within === null ? [] : [`  within: ${JSON.stringify(baseOf(within))}`]),
    ...(converted?.isPartial === true ? ["  partial: true"] : []),
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

/**
 * What was in a mail, as links to what became of it, and why the rest is missing. Empty when nothing was.
 * @param folder where the mail's note is
 */
export function attachmentList(
  inside: readonly Filed[],
  failures: readonly Failure[],
  folder: VaultPath,
): string {
  const links = inside.map(({ name, paths, duplicateOf }) => {
    const place = duplicateOf ?? paths[0];
    const label = name.replaceAll(/[[\]\\]/gu, String.raw`\$&`);
    return place === undefined
      ? `- ${label}`
      : `- [${label}](${encodeURI(path.posix.relative(folder, place))})`;
  });
  const missing = failures.map(({ message }) => `- ${oneLine(message)}`);
  const lines = [...links, ...missing];
  return lines.length === 0 ? "" : `\n\n## Attachments\n\n${lines.join("\n")}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}
