import type { Translator } from "../../src/texts/translator.ts";
import { forPeople } from "./for-people.ts";
import { chooseLanguage, chooseLocale } from "./language.ts";

export const language = chooseLanguage(navigator.languages);

/** For dates and numbers. */
export const locale = chooseLocale(navigator.languages, language);

// Only the language that is read is loaded. Waited for here, so that every other module finds its texts there.
/** All that the page says, in the language of the browser. */
export const texts =
  language === "fr"
    ? (await import("../../src/texts/page/french.ts")).french
    : (await import("../../src/texts/page/english.ts")).english;

/** Null when the page is read in the language of the service. Its sentences are many, and loaded when the first is met. */
async function translator(): Promise<Translator | null> {
  if (language === "en") return null;
  try {
    return (await import("./service-french.ts")).french;
  } catch {
    // The service went away right after it said this: rather its own words than none.
    return null;
  }
}

/** What the service refused, in the language of the browser: the service itself speaks English. */
export async function errorText(code: string, detail: string): Promise<string> {
  const said = forPeople(detail);
  return (await translator())?.error(code, said) ?? said;
}

/** What the service says of itself, such as an alarm. */
export async function saidText(said: string): Promise<string> {
  return (await translator())?.text(said) ?? said;
}
