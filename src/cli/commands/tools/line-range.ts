import { ExpectedError } from "../../../errors.ts";
import type { VaultClient } from "../../../server/client/vault-client.ts";

export interface FileLines {
  readonly path: string;
  readonly lines?: string;
}

/** Splits `notes.md:9-14` into file and lines. A file that is really called so is meant as a whole. */
export async function splitRange(word: string, client: VaultClient): Promise<FileLines> {
  const [, path, lines] = /^(.+):(\d[\d-]*)$/su.exec(word) ?? [];
  if (path === undefined || lines === undefined || (await exists(word, client))) {
    return { path: word };
  }
  return { path, lines };
}

async function exists(word: string, client: VaultClient): Promise<boolean> {
  try {
    return (await client.entryAt(word)).kind !== "missing";
  } catch (error) {
    if (error instanceof ExpectedError) return false;
    throw error;
  }
}
