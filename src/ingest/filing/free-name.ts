import { joinPath, type VaultPath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";

/**
 * `stem`, with a number when one is needed: nothing in the folder is called so with any of these endings.
 * @param endings `.md`, `.pdf`; a name that ends with the stem itself has the ending ``
 */
export async function freeName(
  vault: VaultReader,
  folder: VaultPath,
  stem: string,
  endings: readonly string[] = [""],
): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? stem : `${stem}-${number}`;
    const places = endings.map((ending) => joinPath(folder, name + ending));
    const found = await Promise.all(places.map(async (place) => vault.find(place)));
    if (found.every(({ kind }) => kind === "missing")) return name;
  }
}
