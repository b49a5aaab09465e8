import type { Context } from "hono";
import { languageDetector } from "hono/language";

import type { Language } from "../../text/language.ts";

const detectLanguage = languageDetector({
  order: ["header"],
  supportedLanguages: ["en", "fr"],
  fallbackLanguage: "en",
  caches: false,
});

/** The first of the languages that a browser asks for and that we speak. */
export async function languageOf(c: Context): Promise<Language> {
  await detectLanguage(c, async () => {});
  return c.get("language") === "fr" ? "fr" : "en";
}
