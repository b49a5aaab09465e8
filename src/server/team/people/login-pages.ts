import type { Language } from "../../../text/language.ts";
import { CODE_MINUTES } from "../../auth/access.ts";
import { escaped, formPage } from "./form-page.ts";

type Text =
  | "login"
  | "withProvider"
  | "provider"
  | "withInvitation"
  | "link"
  | "open"
  | "operator"
  | "invited"
  | "name"
  | "badName"
  | "enter"
  | "as"
  | "other"
  | "dead"
  | "ask"
  | "unknown"
  | "failed"
  | "again";

const TEXTS: Readonly<Record<Language, Readonly<Record<Text, string>>>> = {
  en: {
    login: "Log in",
    withProvider: "Use the account that you have with your team.",
    provider: "Log in with your account",
    withInvitation: "You come in with the invitation link that somebody of your team sends you.",
    link: "Invitation link",
    open: "Open the invitation",
    operator: `If you run this service: <code>coffre serve</code> prints a link that lets one browser in, once, for ${CODE_MINUTES} minutes.`,
    invited: "You are invited to",
    name: "Your name, as the others will see it",
    badName: "A name has 1 to 200 characters, and not only spaces.",
    enter: "Come in",
    as: "You come in as",
    other: "Or without an account:",
    dead: "This invitation is not valid, or not any more.",
    ask: "An invitation works once. Ask whoever sent it for a new one.",
    unknown: "This account is not known here. Ask somebody of your team for an invitation link.",
    failed: "This login did not work, or took too long.",
    again: "Log in again",
  },
  fr: {
    login: "Se connecter",
    withProvider: "Utilisez le compte que vous avez dans votre équipe.",
    provider: "Se connecter avec son compte",
    withInvitation: "On entre avec le lien d’invitation que quelqu’un de votre équipe vous envoie.",
    link: "Lien d’invitation",
    open: "Ouvrir l’invitation",
    operator: `Si vous gérez ce service : <code>coffre serve</code> affiche un lien qui laisse entrer un navigateur, une fois, pendant ${CODE_MINUTES} minutes.`,
    invited: "Invitation au coffre",
    name: "Votre nom, tel que les autres le verront",
    badName: "Un nom a de 1 à 200 caractères, et pas que des espaces.",
    enter: "Entrer",
    as: "Vous entrez comme",
    other: "Ou sans compte :",
    dead: "Cette invitation n’est pas valable, ou ne l’est plus.",
    ask: "Une invitation sert une fois. Demandez-en une autre à qui vous l’a envoyée.",
    unknown:
      "Ce compte n’est pas connu ici. Demandez un lien d’invitation à quelqu’un de votre équipe.",
    failed: "Cette connexion n’a pas marché, ou a pris trop de temps.",
    again: "Se reconnecter",
  },
};

/** How somebody comes in who is not logged in. @param to where they wanted to go, a path of this service */
export function loginPageHtml(lang: Language, hasProvider: boolean, to: string): string {
  const text = TEXTS[lang];
  const provider = `<p>${text.withProvider}</p><p><a class="button" href="/login/oidc?to=${escaped(encodeURIComponent(to))}">${text.provider}</a></p>`;
  const form = `<form action="/invite" method="get"><label for="code">${text.link}</label><input id="code" name="code" autocomplete="off" required><button${second(hasProvider)}>${text.open}</button></form>`;
  const body = `${hasProvider ? provider : ""}<p>${text.withInvitation}</p>${form}<p>${text.operator}</p>`;
  return formPage(lang, text.login, body);
}

export interface InvitePageOptions {
  readonly code: string;
  readonly vault: string;
  /** Who accepts it, when that is known: who is logged in, or whom it lets in again. */
  readonly person: string | null;
  readonly hasProvider: boolean;
  /** The form was sent with a name that is none. */
  readonly isNameRefused?: boolean;
}

/** What somebody sees who follows an invitation: it is used only when they send the form. */
export function invitePageHtml(
  lang: Language,
  { code, vault, person, hasProvider, isNameRefused = false }: InvitePageOptions,
): string {
  const text = TEXTS[lang];
  const secret = `<input type="hidden" name="code" value="${escaped(code)}">`;
  const isOffered = hasProvider && person === null;
  const known = person === null ? "" : `<p>${text.as} <strong>${escaped(person)}</strong>.</p>`;
  const refused = isNameRefused ? `<p role="alert">${text.badName}</p>` : "";
  const name = `${refused}<label for="name">${text.name}</label><input id="name" name="name" maxlength="200" autocomplete="name" required>`;
  const form = `${known}<form action="/invite" method="post">${secret}${person === null ? name : ""}<button${second(isOffered)}>${text.enter}</button></form>`;
  const provider = `<p><a class="button" href="/login/oidc?invite=${escaped(encodeURIComponent(code))}">${text.provider}</a></p><p>${text.other}</p>`;
  return formPage(lang, `${text.invited} ${escaped(vault)}`, (isOffered ? provider : "") + form);
}

/** One button of a page is the way that most people take. */
function second(isSecond: boolean): string {
  return isSecond ? ' class="second"' : "";
}

/** Why a browser is not let in. */
export function refusedHtml(lang: Language, why: "dead" | "unknown" | "failed"): string {
  const text = TEXTS[lang];
  const advice = why === "dead" ? `<p>${text.ask}</p>` : "";
  return formPage(lang, text[why], `${advice}<p><a href="/login">${text.again}</a></p>`);
}
