import { languageOfText } from "../text/language.ts";
import type { Language } from "../text/language.ts";
import type { VaultReader } from "../vault/vault.ts";

/** That of the text, else of the vault's map, else English. */
export async function languageFor(text: string, vault: VaultReader): Promise<Language> {
  const own = languageOfText(text);
  if (own !== null) return own;
  try {
    const { lines } = (await vault.openText("overview.md")).head(8000);
    return languageOfText(lines.join("\n")) ?? "en";
  } catch {
    return "en";
  }
}
