import { ExpectedError } from "../../errors.ts";
import { isStopWord } from "../../text/language.ts";
import { wordsOf } from "../../text/words.ts";
import { frontmatterLines } from "../../vault/files/headings.ts";
import { formatRange } from "../../vault/files/lines.ts";
import { showPath, type VaultPath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import type { Source } from "../contract.ts";

/** `search` does not cover them, since agents always have them before them; the nearer to the person first. */
const PAGES: readonly VaultPath[] = ["profile.md", "overview.md"];
/** Characters of each page that are looked through. */
const MAX_LOOKED_AT = 40_000;
const MAX_FOUND = 3;
const BEGINS_BLOCK = /^\s*(?:[-*+]|\d+[.)])\s|^#/u;

/** The words of a question that say what it is about. */
export function askedWords(question: string): ReadonlySet<string> {
  return new Set(wordsOf(question).filter((word) => !isStopWord(word)));
}

export function hasAll(text: string, asked: ReadonlySet<string>): boolean {
  const words = new Set(wordsOf(text));
  return asked.size > 0 && [...asked].every((word) => words.has(word));
}

/** Paragraphs and list items of these pages that have all words of a question as they were typed. */
export async function unsearchedPassages(
  asked: ReadonlySet<string>,
  vault: VaultReader,
): Promise<Source[]> {
  const found: Source[] = [];
  for (const path of PAGES) {
    const lines = await linesOf(path, vault);
    for (const { start, end } of blocksOf(lines)) {
      if (!hasAll(lines.slice(start - 1, end).join("\n"), asked)) continue;
      found.push({ path: showPath(path), lines: formatRange({ start, end }) });
    }
  }
  return found.slice(0, MAX_FOUND);
}

async function linesOf(path: VaultPath, vault: VaultReader): Promise<readonly string[]> {
  try {
    return (await vault.openText(path)).head(MAX_LOOKED_AT).lines;
  } catch (error) {
    if (error instanceof ExpectedError) return [];
    throw error;
  }
}

/** Runs of lines without an empty one, each list item and heading by itself; not the frontmatter. */
function blocksOf(lines: readonly string[]): { readonly start: number; readonly end: number }[] {
  const blocks: { start: number; end: number }[] = [];
  let isOpen = false;
  for (const [at, line] of lines.entries()) {
    if (at < frontmatterLines(lines)) continue;
    const last = blocks.at(-1);
    if (line.trim() === "") isOpen = false;
    else if (isOpen && last !== undefined && !BEGINS_BLOCK.test(line)) last.end = at + 1;
    else {
      blocks.push({ start: at + 1, end: at + 1 });
      isOpen = !line.startsWith("#");
    }
  }
  return blocks;
}
