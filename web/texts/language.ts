export type Language = "en" | "fr";

/** The first of a person's languages that the page speaks; English when there is none. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [name] = tag.toLowerCase().split("-");
    if (name === "en" || name === "fr") return name;
  }
  return "en";
}

/** How dates and numbers are written: as in the first of a person's languages that is the page's, such as `en-GB`. */
export function chooseLocale(wanted: readonly string[], language: Language): string {
  return wanted.find((tag) => tag.toLowerCase().split("-")[0] === language) ?? language;
}
