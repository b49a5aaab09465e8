export type Language = "en" | "fr";

/** The first of a person's languages that the page speaks; English when there is none. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [name] = tag.toLowerCase().split("-");
    if (name === "en" || name === "fr") return name;
  }
  return "en";
}
