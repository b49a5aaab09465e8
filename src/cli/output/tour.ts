import type { Language } from "../../text/language.ts";

/** One thing to see: why, and what to type for it. `ID` stands for the last change; dates are those of the demo files. */
export interface TourStep {
  readonly says: string;
  readonly argv: readonly string[];
}

/** A walk through the demo vault: find, read, change the right place, take it back. */
export const tours: Readonly<Record<Language, readonly TourStep[]>> = {
  en: [
    {
      says: "This vault is a folder of markdown. Someone is opening a pottery in an old sail loft. What is there, and how much would it cost to read?",
      argv: ["tree", "projects/sail-loft", "--depth", "1"],
    },
    {
      says: "A question in plain words finds the passage, with its lines.",
      argv: ["search", "why was the opening moved?", "--limit", "1"],
    },
    {
      says: "Every line has its number, the same in every tool.",
      argv: ["read", "projects/sail-loft/tasks.md", "--head", "120"],
    },
    {
      says: "An edit goes to one place only. This text stands in several, so it is refused, with their lines.",
      argv: ["edit", "projects/sail-loft/state.md", "--old", "2026-12-20", "--new", "2027-01-10"],
    },
    {
      says: "With a little more of the text the place is clear.",
      argv: [
        "edit",
        "projects/sail-loft/state.md",
        "--old",
        "- 2026-12-20: opening",
        "--new",
        "- 2027-01-10: opening",
      ],
    },
    { says: "Every change is kept in a history, line by line…", argv: ["show", "ID"] },
    { says: "…and can be taken back.", argv: ["undo", "ID"] },
  ],
  fr: [
    {
      says: "Ce coffre est un dossier de fichiers markdown. Quelqu'un ouvre un atelier de poterie dans une ancienne voilerie. Qu'y a-t-il, et combien coûterait la lecture ?",
      argv: ["tree", "projects/voilerie", "--depth", "1"],
    },
    {
      says: "Une question en mots simples trouve le passage, avec ses lignes.",
      argv: ["search", "pourquoi l'ouverture est-elle repoussée ?", "--limit", "1"],
    },
    {
      says: "Chaque ligne a son numéro, le même dans tous les outils.",
      argv: ["read", "projects/voilerie/tasks.md", "--head", "120"],
    },
    {
      says: "Une modification ne touche qu'un endroit. Ce texte figure à plusieurs : c'est refusé, avec leurs lignes.",
      argv: ["edit", "projects/voilerie/state.md", "--old", "2026-12-20", "--new", "2027-01-10"],
    },
    {
      says: "Avec un peu plus de texte, l'endroit est clair.",
      argv: [
        "edit",
        "projects/voilerie/state.md",
        "--old",
        "- 2026-12-20 : ouverture",
        "--new",
        "- 2027-01-10 : ouverture",
      ],
    },
    {
      says: "Chaque changement est gardé dans un historique, ligne par ligne…",
      argv: ["show", "ID"],
    },
    { says: "… et peut être annulé.", argv: ["undo", "ID"] },
  ],
};

export const endings: Readonly<Record<Language, string>> = {
  en: "That was a temporary vault, gone now. Your own: coffre init ~/notes --demo, then coffre connect claude-code --vault ~/notes --write",
  fr: "C'était un coffre temporaire, déjà effacé. Le vôtre : coffre init ~/notes --demo --lang fr, puis coffre connect claude-code --vault ~/notes --write",
};
