import type { Language } from "../../../text/language.ts";
import { LINK_MINUTES } from "../../../team/people/sessions.ts";
import { escaped, formPage } from "./form-page.ts";

const TEXTS: Readonly<
  Record<Language, Readonly<Record<"title" | "as" | "enter" | "dead" | "again", string>>>
> = {
  en: {
    title: "Log in on this device",
    as: "You come in as",
    enter: "Come in",
    dead: "This link is not valid, or not any more.",
    again: `A link works once, for ${LINK_MINUTES} minutes. Make another where you are logged in, in <em>Settings</em>.`,
  },
  fr: {
    title: "Se connecter sur cet appareil",
    as: "Vous entrez comme",
    enter: "Entrer",
    dead: "Ce lien n’est pas valable, ou ne l’est plus.",
    again: `Un lien sert une fois, pendant ${LINK_MINUTES} minutes. Créez-en un autre là où vous êtes connecté, dans les <em>Réglages</em>.`,
  },
};

/** The link that logs somebody in with one more browser. @param base the address of the service */
export function deviceLink(base: string, secret: string): string {
  return `${base}/device?code=${secret}`;
}

/** What somebody sees who follows such a link: it is used only when they send the form. */
export function devicePageHtml(lang: Language, code: string, person: string): string {
  const { title, as, enter } = TEXTS[lang];
  const secret = `<input type="hidden" name="code" value="${escaped(code)}">`;
  return formPage(
    lang,
    title,
    `<p>${as} <strong>${escaped(person)}</strong>.</p><form action="/device" method="post">${secret}<button>${enter}</button></form>`,
  );
}

export function deadDeviceHtml(lang: Language): string {
  const { dead, again } = TEXTS[lang];
  return formPage(lang, dead, `<p>${again}</p>`);
}
