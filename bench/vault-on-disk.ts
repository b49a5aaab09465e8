import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { openIndex } from "../src/index/create-index.ts";
import { readIndexable } from "../src/index/fill-index.ts";
import type { SearchIndex } from "../src/index/search-index.ts";
import { createVault } from "../src/vault/vault.ts";
import { generateVault } from "./generate-vault.ts";

/** Writes the generated vault out as files. */
export function writeVault(root: string, files: number): void {
  for (const { path: file, text } of generateVault(files)) {
    const full = path.join(root, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, text);
  }
}

/** The first index of a vault on disk: each file is read through the vault, as in daily use. */
export async function indexFiles(root: string, state: string): Promise<SearchIndex> {
  const vault = createVault({ root, state });
  const index = openIndex(state);
  await index.load(readIndexable(vault));
  vault.close();
  return index;
}
