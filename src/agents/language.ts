import type { Lang } from "../vault/templates/template.ts";
import type { VaultReader } from "../vault/vault.ts";

const FRENCH = new Set(
  "le la les un une des du de et est sont pour pas que qui dans avec sur au aux ce cette ces je j il elle nous vous on ne se mon ma mes son sa ses où mais ou par plus très fait être avoir quand quel quelle".split(
    " ",
  ),
);
const ENGLISH = new Set(
  "the a an and is are was were for not that which who in with on at to of this these i he she we you they it my his her our your but or by more very has have be been when what where from".split(
    " ",
  ),
);

/** French or English, by the small words no text does without; null when there is no telling. */
export function languageOfText(text: string): Lang | null {
  let [french, english] = [0, 0];
  for (const [word] of text
    .slice(0, 4000)
    .toLowerCase()
    .matchAll(/\p{L}+/gu)) {
    if (FRENCH.has(word)) french += 1;
    if (ENGLISH.has(word)) english += 1;
    if (/[àâçéèêëîïôùûœ]/u.test(word)) french += 0.5;
  }
  if (french === english) return null;
  return french > english ? "fr" : "en";
}

/** That of the text, else of the vault's map, else English. */
export async function languageFor(text: string, vault: VaultReader): Promise<Lang> {
  const own = languageOfText(text);
  if (own !== null) return own;
  try {
    const { lines } = (await vault.openText("overview.md")).head(8000);
    return languageOfText(lines.join("\n")) ?? "en";
  } catch {
    return "en";
  }
}
