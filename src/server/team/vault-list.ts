import type { Language } from "../../text/language.ts";
import { messageHtml } from "../page/login-texts.ts";

const TEXTS: Readonly<
  Record<Language, Readonly<Record<"title" | "none" | "lost" | "back", string>>>
> = {
  en: {
    title: "Vaults",
    none: 'There is no vault yet. Make one: <code>curl -X POST …/api/vaults -d \'{"name": "notes"}\'</code>, with the token.',
    lost: "There is no vault of this name.",
    back: "All vaults",
  },
  fr: {
    title: "Coffres",
    none: 'Il n’y a pas encore de coffre. Pour en créer un : <code>curl -X POST …/api/vaults -d \'{"name": "notes"}\'</code>, avec le jeton.',
    lost: "Il n’y a pas de coffre de ce nom.",
    back: "Tous les coffres",
  },
};

/** The page at `/`. Names of vaults are small letters, digits and hyphens. */
export function vaultListHtml(lang: Language, names: readonly string[]): string {
  const { title, none } = TEXTS[lang];
  const items = names.map((name) => `<li><a href="/v/${name}/">${name}</a></li>`).join("");
  return messageHtml(lang, title, items === "" ? `<p>${none}</p>` : `<ul>${items}</ul>`);
}

export function noVaultHtml(lang: Language): string {
  const { lost, back } = TEXTS[lang];
  return messageHtml(lang, lost, `<p><a href="/">${back}</a></p>`);
}
