import { english } from "./english.ts";
import { french } from "./french.ts";
import { chooseLanguage } from "./language.ts";

export const language = chooseLanguage(navigator.languages);

/** All that the page says, in the language of the browser. */
export const texts = { en: english, fr: french }[language];
