import { versionHash } from "../vault/files/version.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { LocalVault } from "../vault/vault.ts";
import type { ProcessedFile, ProcessedFiles } from "./processed-files.ts";
import { TimeSlice } from "./time-slice.ts";

/** Of files that were touched and have their old size and time, how many have another content than the one processed last. */
export async function countEdited(
  touched: readonly VaultPath[],
  { vault, processed }: { readonly vault: LocalVault; readonly processed: ProcessedFiles },
): Promise<number> {
  let edited = 0;
  const slice = new TimeSlice();
  for (const path of touched) {
    await slice.pause();
    const known = processed.get(path);
    if (known !== undefined && isEdited(vault, path, known)) edited += 1;
  }
  return edited;
}

function isEdited(vault: LocalVault, path: VaultPath, { facts, hash }: ProcessedFile): boolean {
  const measured = vault.measure(path)?.measured;
  if (measured === undefined) return true;
  if (hash !== null && measured.text !== null)
    return versionHash(Buffer.from(measured.text)) !== hash;
  // No hash is kept of other files: only what a listing says of them can be compared.
  const now = measured.facts;
  return now.kind !== facts.kind || now.tokens !== facts.tokens || now.width !== facts.width;
}
