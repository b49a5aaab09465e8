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
  const isFree = async (name: string): Promise<boolean> => {
    for (const ending of endings) {
      if ((await vault.find(joinPath(folder, name + ending))).kind !== "missing") return false;
    }
    return true;
  };
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? stem : `${stem}-${number}`;
    if (await isFree(name)) return name;
  }
}
