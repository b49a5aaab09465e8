import { languageOfText, type Language } from "../../text/language.ts";
import type { VaultReader } from "../../vault/vault.ts";
import type { ClosestProjects } from "./closest-projects.ts";

/*
 * What the program itself writes for people, in their language.
 */

/** An inbox item that was filed; paths as shown. */
interface FiledItem {
  readonly title: string;
  readonly project: string;
  readonly count: number;
  readonly bucket: string;
  readonly changelog: string;
}

const ENGLISH = {
  noModel: (item: string) =>
    `No model is configured, so this waits in vault/inbox/${item}/. Answer with the name of a project to file it there.`,
  filed: (title: string) => `Filed: ${title}`,
  answer: (answer: string) => `Answer: ${answer}`,
  filedIn: ({ title, project, count, bucket, changelog }: FiledItem) =>
    `"${title}" is filed in ${project}: ${count} file(s) in ${bucket}, an entry in ${changelog}.`,
  passages: (count: number, paths: readonly string[]) => {
    const files = paths.length === 1 ? "1 file" : `${paths.length} files`;
    return `${count === 1 ? "1 passage" : `${count} passages`} in ${files}: ${paths.join(", ")}.`;
  },
  review: "Review:",
  done: "Already done, and not undone:",
  lookedFor: "What I looked for",
  noWords: "There are no words in it to look for.",
  found: "What I found",
  nothing: "Nothing in the vault has these words.",
  propose: "What I propose",
  proposeNone: "Keep it in `bucket/`, unless it belongs to a project.",
  proposeIn: (project: string) =>
    `Keep it in the bucket of **${project}**. Nothing else was changed.`,
  question: "Question",
  ask: (projects: readonly string[]) =>
    `In which project does it belong${projects.length === 0 ? "" : `: ${projects.join(", ")}, or another`}? (\`bucket\` for none.)`,
};

type Texts = typeof ENGLISH;

const FRENCH: Texts = {
  noModel: (item) =>
    `Aucun modèle n'est configuré : ceci attend dans vault/inbox/${item}/. Répondez par le nom d'un projet pour l'y classer.`,
  filed: (title) => `Classé : ${title}`,
  answer: (answer) => `Réponse : ${answer}`,
  filedIn: ({ title, project, count, bucket, changelog }) =>
    `« ${title} » est classé dans ${project} : ${count} fichier(s) dans ${bucket}, une entrée dans ${changelog}.`,
  passages: (count, paths) =>
    `${count} passage(s) dans ${paths.length} fichier(s) : ${paths.join(", ")}.`,
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
};

/** In the language of `text`, else of the vault's map, else English. */
export async function textsFor(text: string, vault: VaultReader): Promise<Texts> {
  const language = languageOfText(text) ?? (await languageOfMap(vault));
  return language === "fr" ? FRENCH : ENGLISH;
}

async function languageOfMap(vault: VaultReader): Promise<Language | null> {
  try {
    const { lines } = (await vault.openText("overview.md")).head(8000);
    return languageOfText(lines.join("\n"));
  } catch {
    return null;
  }
}

export interface ReviewFacts extends ClosestProjects {
  readonly title: string;
  /** What was searched for. */
  readonly query: string;
  /** Why the program, and not a model, wrote this; null when there is simply no model. */
  readonly reason: string | null;
  /** What a run had done before it ended, as shown; empty when nothing. */
  readonly done: readonly string[];
}

/** The review of an inbox item: only what the program looked for and found, and one question. */
export function reviewText(facts: ReviewFacts, texts: Texts): string {
  const { title, query, reason, done, findings, projects } = facts;
  const first = projects[0];
  const found = findings.map(
    ({ path, lines, heading }) =>
      `- \`${path}\` (${lines})${heading === null ? "" : `: ${heading}`}`,
  );
  return [
    `# ${texts.review} ${title}`,
    ...(reason === null ? [] : [reason]),
    ...(done.length === 0
      ? []
      : [`${texts.done}\n\n${done.map((each) => `- ${each}`).join("\n")}`]),
    `## ${texts.lookedFor}`,
    query === "" ? texts.noWords : `\`${query.replaceAll("`", "'")}\``,
    `## ${texts.found}`,
    found.length === 0 ? texts.nothing : found.join("\n"),
    `## ${texts.propose}`,
    first === undefined ? texts.proposeNone : texts.proposeIn(first),
    `## ${texts.question}`,
    texts.ask(projects),
    "",
  ].join("\n\n");
}
