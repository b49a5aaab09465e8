import { ExpectedError } from "../../errors.ts";
import type { VaultPath } from "../paths.ts";
import type { VaultReader } from "../vault.ts";
import { splitFrontmatter } from "./frontmatter.ts";

/*
 * `untrusted: true` in a note's frontmatter says that others wrote it.
 */

const MARKED = /^\s*["']?untrusted["']?\s*:\s*["']?(?:true|yes|on|1)\b/iu;
/** Characters: more than the frontmatter of any note of ours. */
const HEAD = 16_000;

/** Whether a note says that others wrote it. Read loosely: a mark that is oddly written counts. */
export function isMarked(text: string): boolean {
  const lines = splitFrontmatter(text).block?.yaml.split("\n") ?? [];
  return lines.some((line) => MARKED.test(line));
}

/** The same of a file; one that is not there, or no text, has no mark. */
export async function isMarkedFile(vault: VaultReader, path: VaultPath): Promise<boolean> {
  try {
    return isMarked((await vault.openText(path)).head(HEAD).lines.join("\n"));
  } catch (error) {
    if (error instanceof ExpectedError) return false;
    throw error;
  }
}
