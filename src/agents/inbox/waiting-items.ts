import { isStopWord } from "../../text/language.ts";
import { wordsOf } from "../../text/words.ts";
import { showPath, type VaultPath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import { foldersIn, INBOX, kindOfOriginal } from "./inbox.ts";

/** Newest first; older ones are not looked at, so that a full inbox does not slow a question down. */
const MAX_LOOKED_AT = 50;
const MAX_SHOWN = 3;
const MAX_LINES = 500;
/** Endings that words of one stem differ in. */
const MAX_ENDING = 2;
const MIN_STEM = 4;

/**
 * Folders of inbox items that have at least half of the words of a question, best first. `search` does not cover the inbox,
 * and somebody who has just handed over a note asks for it.
 */
export async function waitingItems(question: string, vault: VaultReader): Promise<string[]> {
  const asked = [...new Set(wordsOf(question))].filter((word) => !isStopWord(word));
  if (asked.length === 0) return [];
  const folders = (await foldersIn(vault, INBOX)).toSorted().toReversed().slice(0, MAX_LOOKED_AT);
  const found: { readonly folder: VaultPath; readonly count: number }[] = [];
  for (const folder of folders) {
    const words = await wordsIn(vault, folder);
    const count = asked.filter((word) => has(words, word)).length;
    if (count * 2 >= asked.length) found.push({ folder, count });
  }
  return found
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MAX_SHOWN)
    .map(({ folder }) => showPath(folder, "folder"));
}

async function wordsIn(vault: VaultReader, folder: VaultPath): Promise<ReadonlySet<string>> {
  const words = new Set<string>();
  for await (const { path } of vault.walk(folder)) {
    if (kindOfOriginal(path) !== "text") continue;
    const { lines } = (await vault.openText(path)).head(MAX_LINES);
    for (const word of wordsOf(lines.join("\n"))) words.add(word);
  }
  return words;
}

function has(words: ReadonlySet<string>, asked: string): boolean {
  if (words.has(asked)) return true;
  const stem = asked.slice(0, Math.max(MIN_STEM, asked.length - MAX_ENDING));
  if (stem.length < MIN_STEM) return false;
  for (const word of words) {
    if (word.startsWith(stem) && word.length <= stem.length + 2 * MAX_ENDING) return true;
  }
  return false;
}
