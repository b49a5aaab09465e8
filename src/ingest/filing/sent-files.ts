import { splitFrontmatter } from "../../vault/files/frontmatter.ts";

/*
 * Files that came with a note: their text is in the note's own file, whose frontmatter has their hashes, so that they are recognised when they
 * come again, wherever that file has been moved.
 */

/** A file whose text came with a note, by its content. */
export interface SentFile {
  readonly name: string;
  readonly sha256: string;
}

const KEY = /^\s*["']?files["']?\s*:/u;
const ENTRY = /^ *- sha256: ([0-9a-f]{64})$/gmu;
/** As many as fit into what is read of a note to recognise its files. */
const MOST = 20;
const MAX_NAME_LENGTH = 60;

/** The text with the hashes of these files; as it is when its own frontmatter has that key. */
export function withSentFiles(text: string, files: readonly SentFile[]): string {
  if (files.length === 0) return text;
  const { bom, block, body } = splitFrontmatter(text);
  const entries = files.slice(0, MOST).map(({ name, sha256 }) => {
    const shown = JSON.stringify(name.slice(0, MAX_NAME_LENGTH).toWellFormed());
    return `  - sha256: ${sha256}\n    name: ${shown}\n`;
  });
  const yaml = `files:\n${entries.join("")}`;
  if (block === null) return `${bom}---\n${yaml}---\n\n${body.replace(/^\n+/u, "")}`;
  if (block.yaml.split("\n").some((line) => KEY.test(line))) return text;
  return `${bom}${block.opening}${yaml}${block.yaml}${block.closing}${body}`;
}

/** The hashes of the files that came with a note, from its frontmatter. */
export function sentHashes(yaml: string): string[] {
  return [...yaml.matchAll(ENTRY)].flatMap(([, sha256 = ""]) => (sha256 === "" ? [] : [sha256]));
}
