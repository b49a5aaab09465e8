import { ExpectedError } from "../../errors.ts";
import { parsePath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";

export interface FilePart {
  readonly path: string;
  readonly lines?: string;
}

/** Splits `notes.md:9-14` into file and lines. A file that is really called so is meant as a whole. */
export async function splitRange(word: string, vault: VaultReader): Promise<FilePart> {
  const match = /^(.+):(\d[\d-]*)$/su.exec(word);
  const [, path, lines] = match ?? [];
  if (path === undefined || lines === undefined || (await exists(word, vault)))
    return { path: word };
  return { path, lines };
}

async function exists(word: string, vault: VaultReader): Promise<boolean> {
  try {
    return (await vault.find(parsePath(word).path)).kind !== "missing";
  } catch (error) {
    if (error instanceof ExpectedError) return false;
    throw error;
  }
}
