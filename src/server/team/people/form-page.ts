import type { Language } from "../../../text/language.ts";
import { messageHtml } from "../../page/login-texts.ts";

/** With the policy of all our answers browsers would not say where a form comes from, and it would be refused as if sent by another site. */
export function formPage(lang: Language, title: string, body: string): string {
  return messageHtml(lang, title, body, '<meta name="referrer" content="same-origin">');
}

/** Text as HTML shows it. */
export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
