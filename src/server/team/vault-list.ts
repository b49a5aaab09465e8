import type { Language } from "../../text/language.ts";
import { messageHtml } from "../page/login-texts.ts";
import { escaped, formPage } from "./people/form-page.ts";

const TEXTS: Readonly<
  Record<
    Language,
    Readonly<Record<"title" | "none" | "invited" | "lost" | "back" | "leave", string>>
  >
> = {
  en: {
    title: "Vaults",
    none: 'There is no vault yet. Make one: <code>curl -X POST …/api/vaults -d \'{"name": "notes"}\'</code>, with the token.',
    invited: "You have no vault yet. Ask an owner of one for an invitation.",
    lost: "There is no vault of this name.",
    back: "All vaults",
    leave: "Log out",
  },
  fr: {
    title: "Coffres",
    none: 'Il n’y a pas encore de coffre. Pour en créer un : <code>curl -X POST …/api/vaults -d \'{"name": "notes"}\'</code>, avec le jeton.',
    invited: "Vous n’avez pas encore de coffre. Demandez une invitation à un propriétaire.",
    lost: "Il n’y a pas de coffre de ce nom.",
    back: "Tous les coffres",
    leave: "Se déconnecter",
  },
};

/**
 * The page at `/`. Names of vaults are small letters, digits and hyphens.
 * @param who the name of the person; null for whoever runs the service
 */
export function vaultListHtml(
  lang: Language,
  names: readonly string[],
  who: string | null,
): string {
  const { title, none, invited, leave } = TEXTS[lang];
  const items = names.map((name) => `<li><a href="/v/${name}/">${name}</a></li>`).join("");
  const empty = who === null ? none : invited;
  const list = items === "" ? `<p>${empty}</p>` : `<ul>${items}</ul>`;
  const name = who === null ? "" : `<strong>${escaped(who)}</strong>`;
  const form = `<form class="row" action="/logout" method="post">${name}<button class="quiet">${leave}</button></form>`;
  return formPage(lang, title, list + form);
}

export function noVaultHtml(lang: Language): string {
  const { lost, back } = TEXTS[lang];
  return messageHtml(lang, lost, `<p><a href="/">${back}</a></p>`);
}
