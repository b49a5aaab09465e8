import { ExpectedError } from "../errors.ts";
import { localDay } from "../text/local-time.ts";
import { charactersFor } from "../text/tokens.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { VaultReader } from "../vault/vault.ts";
import { fenced } from "./fence.ts";

const PAGES: readonly VaultPath[] = ["overview.md", "tree.md", "profile.md"];
/** Of each page, in tokens: a map that does not fit on a screen is still a map. */
const MOST_OF_A_PAGE = 3000;

/** What every run begins with: the day, the map of the vault, its shape, and who the person is. */
export async function firstContext(vault: VaultReader, now: Date): Promise<string> {
  const weekday = new Intl.DateTimeFormat("en", { weekday: "long" }).format(now);
  const parts = [`Today is ${weekday} ${localDay(now)}.`];
  for (const page of PAGES) {
    const text = await readPage(vault, page);
    parts.push(text === null ? `vault/${page} does not exist.` : `vault/${page}:\n${text}`);
  }
  return parts.join("\n\n");
}

async function readPage(vault: VaultReader, page: VaultPath): Promise<string | null> {
  try {
    const file = await vault.openText(page);
    const { lines } = file.head(charactersFor(MOST_OF_A_PAGE));
    const left = file.totalLines - lines.length;
    const more = left > 0 ? `\n… ${left} more lines: read vault/${page}` : "";
    return fenced(page.replace(".md", ""), lines.join("\n") + more);
  } catch (error) {
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}
