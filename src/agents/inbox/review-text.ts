import type { Language } from "../../text/language.ts";
import type { ClosestProjects, Finding } from "../without-model/closest-projects.ts";

export interface ReviewFacts extends ClosestProjects {
  readonly title: string;
  /** What was searched for. */
  readonly query: string;
  /** Why the program, and not a model, wrote this; null when there is simply no model. */
  readonly reason: string | null;
  /** What a run had done before it ended, as shown; empty when nothing. */
  readonly done: readonly string[];
}

/** A review written by the program: only what it looked for and found, and one question. */
export function reviewText(facts: ReviewFacts, lang: Language): string {
  const words = WORDS[lang];
  const { title, query, reason, done, findings, projects } = facts;
  const first = projects[0];
  const found = findings.map((each) => `- ${findingText(each)}`);
  return [
    `# ${words.review} ${title}`,
    ...(reason === null ? [] : [reason]),
    ...(done.length === 0
      ? []
      : [`${words.done}\n\n${done.map((each) => `- ${each}`).join("\n")}`]),
    `## ${words.lookedFor}`,
    query === "" ? words.noWords : `\`${query.replaceAll("`", "'")}\``,
    `## ${words.found}`,
    found.length === 0 ? words.nothing : found.join("\n"),
    `## ${words.propose}`,
    first === undefined ? words.proposeNone : words.proposeIn(first),
    `## ${words.question}`,
    words.ask(projects),
    "",
  ].join("\n\n");
}

function findingText({ path, lines, heading }: Finding): string {
  return `\`${path}\` (${lines})${heading === null ? "" : `: ${heading}`}`;
}

interface Words {
  readonly review: string;
  readonly done: string;
  readonly lookedFor: string;
  readonly noWords: string;
  readonly found: string;
  readonly nothing: string;
  readonly propose: string;
  readonly proposeNone: string;
  readonly proposeIn: (project: string) => string;
  readonly question: string;
  readonly ask: (projects: readonly string[]) => string;
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    review: "Review:",
    done: "Already done, and not taken back:",
    lookedFor: "What I looked for",
    noWords: "There are no words in it to look for.",
    found: "What I found",
    nothing: "Nothing in the vault has these words.",
    propose: "What I propose",
    proposeNone: "Keep it in `bucket/`, unless it belongs to a project.",
    proposeIn: (project) => `Keep it in the bucket of **${project}**. Nothing else was changed.`,
    question: "Question",
    ask: (projects) =>
      `In which project does it belong${projects.length === 0 ? "" : `: ${projects.join(", ")}, or another`}? (\`bucket\` for none.)`,
  },
  fr: {
    review: "Revue :",
    done: "Déjà fait, et laissé en place :",
    lookedFor: "Ce que j'ai cherché",
    noWords: "Il n'y a pas de mots à chercher.",
    found: "Ce que j'ai trouvé",
    nothing: "Rien dans le coffre ne contient ces mots.",
    propose: "Ce que je propose",
    proposeNone: "Le garder dans `bucket/`, sauf s'il relève d'un projet.",
    proposeIn: (project) =>
      `Le garder dans le bucket de **${project}**. Rien d'autre n'a été modifié.`,
    question: "Question",
    ask: (projects) =>
      `De quel projet cela relève-t-il${projects.length === 0 ? "" : ` : ${projects.join(", ")}, ou un autre`} ? (\`bucket\` si aucun.)`,
  },
};
