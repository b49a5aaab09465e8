import { bomLength } from "../../text/utf8.ts";
import { splitFrontmatter } from "../../vault/files/frontmatter.ts";
import { isMarkedFile } from "../../vault/files/untrusted-mark.ts";
import type { ChangeAuthor } from "../../vault/history/history-types.ts";
import { isMarkdown, type VaultPath } from "../../vault/paths.ts";
import type { CallersVault, VaultReader } from "../../vault/vault.ts";

/*
 * Text from outside: `untrusted: true` in a note's frontmatter, as ingest writes it too; and whatever lies in the places for raw material.
 */

const KEY = /^\s*["']?untrusted["']?\s*:/iu;

/** The text with the mark, whatever its own frontmatter says of it. */
export function marked(text: string): string {
  const { bom, block, body } = splitFrontmatter(text);
  if (block === null) return `${bom}---\nuntrusted: true\n---\n\n${body.replace(/^\n+/u, "")}`;
  const yaml = block.yaml.split("\n").filter((line) => !KEY.test(line));
  return `${bom}${block.opening}untrusted: true\n${yaml.join("\n")}${block.closing}${body}`;
}

/** Where raw material lies: mails, documents, transcripts, and what waits. */
export function isRawPlace(path: VaultPath): boolean {
  return /^(?:inbox|drop)\/|(?:^|\/)bucket\//u.test(path);
}

/** Whether the text of a file may be written by others. A file that is not there, or no text, has none. */
export async function isFromOutside(vault: VaultReader, path: VaultPath): Promise<boolean> {
  if (isRawPlace(path)) return true;
  return isMarkdown(path) && isMarkedFile(vault, path);
}

/** Marks notes that were added by one that carries text from outside, whatever its model wrote into them. */
export async function markAdded(
  vault: CallersVault,
  author: ChangeAuthor,
  paths: readonly VaultPath[],
): Promise<void> {
  for (const path of paths) {
    if (!isMarkdown(path) || !isRawPlace(path)) continue;
    if ((await vault.find(path)).kind !== "file" || (await isMarkedFile(vault, path))) continue;
    await vault.change(author, async ({ writer, readWhole }) => {
      const seen = await readWhole(path);
      const bom = seen.bytes.subarray(0, bomLength(seen.bytes));
      await writer.update(seen, Buffer.concat([bom, Buffer.from(marked(seen.text))]));
    });
  }
}
