import type { ReplacedBy } from "../../evidence/contract.ts";
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
  notFiled: (item: string, why: string) => `Not filed: it waits in vault/inbox/${item}/. ${why}`,
  partlyFiled: (item: string, why: string) =>
    `Filed in part: the rest waits in vault/inbox/${item}/. ${why}`,
  interrupted: (why: string, batch: string) =>
    `The program ended in the middle of filing this, and what it had written could not be undone: ${why} To undo it all the same: coffre undo ${batch} --force`,
  /** What the program said when something failed. */
  said: async (_code: string, message: string) => message,
  limits: {
    steps: (most: number) => `The limit of ${most} steps was reached.`,
    tokens: (most: number) => `The limit of ${most} tokens was reached.`,
    repeats: (most: number) => `The model only repeated itself, ${most} turns in a row.`,
    time: (most: number) => `The limit of ${Math.round(most / 1000)} seconds was reached.`,
  },
  noAnswer: "The model ended without an answer.",
  notKnown: "The model says that the vault has this already, but names no lines that say so.",
  filed: (title: string) => `Filed: ${title}`,
  answer: (answer: string) => `Answer: ${answer}`,
  filedIn: ({ title, project, count, bucket, changelog }: FiledItem) =>
    `"${title}" is filed in ${project}: ${count === 1 ? "1 file" : `${count} files`} in ${bucket}, an entry in ${changelog}.`,
  passages: (count: number, paths: readonly string[]) => {
    const files = paths.length === 1 ? "1 file" : `${paths.length} files`;
    return `${count === 1 ? "1 passage" : `${count} passages`} in ${files}: ${paths.join(", ")}.`;
  },
  review: "Review:",
  done: "Already done, and not undone:",
  lookedFor: "What I looked for",
  noWords: "There are no words in it to look for.",
  found: "What I found",
  replaced: ({ date, path, lines }: ReplacedBy) =>
    `no longer holds: replaced${date === null ? "" : ` on ${date}`} by \`${path}\` (${lines})`,
  nothing: "Nothing in the vault has these words.",
  waiting: (items: readonly string[]) =>
    `In the inbox, not filed yet and not searched: ${items.join(", ")}`,
  propose: "What I propose",
  proposeNone: "Keep it in `bucket/`, unless it belongs to a project.",
  proposeIn: (project: string) =>
    `Keep it in the bucket of **${project}**, with an entry in \`vault/projects/${project}/changelog.md\`. Nothing else was changed.`,
  question: "Question",
  ask: (projects: readonly string[]) =>
    `In which project does it belong${projects.length === 0 ? "" : `: ${projects.join(", ")}, or another`}? (\`bucket\` for none.)`,
};

type Texts = typeof ENGLISH;

const inFrench = (count: number, word: string): string => `${count} ${word}${count < 2 ? "" : "s"}`;

const FRENCH: Texts = {
  noModel: (item) =>
    `Aucun modèle n'est configuré : ceci attend dans vault/inbox/${item}/. Répondez par le nom d'un projet pour l'y classer.`,
  notFiled: (item, why) => `Non classé : ceci attend dans vault/inbox/${item}/. ${why}`,
  partlyFiled: (item, why) =>
    `Classé en partie : le reste attend dans vault/inbox/${item}/. ${why}`,
  interrupted: (why, batch) =>
    `Le programme s'est arrêté au milieu du classement, et ce qu'il avait écrit n'a pas pu être annulé : ${why} Pour l'annuler quand même : coffre undo ${batch} --force`,
  // Loaded when something fails in French: it is all that the program can say.
  said: async (code, message) =>
    (await import("../../texts/french.ts")).french.error(code, message),
  limits: {
    steps: (most) => `La limite de ${most} étapes est atteinte.`,
    tokens: (most) => `La limite de ${most} tokens est atteinte.`,
    repeats: (most) => `Le modèle n'a fait que se répéter, ${most} tours de suite.`,
    time: (most) => `La limite de ${Math.round(most / 1000)} secondes est atteinte.`,
  },
  noAnswer: "Le modèle a fini sans répondre.",
  notKnown: "Le modèle dit que le coffre le sait déjà, mais ne cite aucune ligne qui le dise.",
  filed: (title) => `Classé : ${title}`,
  answer: (answer) => `Réponse : ${answer}`,
  filedIn: ({ title, project, count, bucket, changelog }) =>
    `« ${title} » est classé dans ${project} : ${inFrench(count, "fichier")} dans ${bucket}, une entrée dans ${changelog}.`,
  passages: (count, paths) =>
    `${inFrench(count, "passage")} dans ${inFrench(paths.length, "fichier")} : ${paths.join(", ")}.`,
  review: "Revue :",
  done: "Déjà fait, et laissé en place :",
  lookedFor: "Ce que j'ai cherché",
  noWords: "Il n'y a pas de mots à chercher.",
  found: "Ce que j'ai trouvé",
  replaced: ({ date, path, lines }) =>
    `ne tient plus : remplacé${date === null ? "" : ` le ${date}`} par \`${path}\` (${lines})`,
  nothing: "Rien dans le coffre ne contient ces mots.",
  waiting: (items) => `Dans l'inbox, pas encore classé et pas cherché : ${items.join(", ")}`,
  propose: "Ce que je propose",
  proposeNone: "Le garder dans `bucket/`, sauf s'il relève d'un projet.",
  proposeIn: (project) =>
    `Le garder dans le bucket de **${project}**, avec une entrée dans \`vault/projects/${project}/changelog.md\`. Rien d'autre n'a été modifié.`,
  question: "Question",
  ask: (projects) =>
    `De quel projet cela relève-t-il${projects.length === 0 ? "" : ` : ${projects.join(", ")}, ou un autre`} ? (\`bucket\` si aucun.)`,
};

/** In the language of `text`, else of the vault's map, else English. */
export async function textsFor(text: string, vault: VaultReader): Promise<Texts> {
  return (await languageFor(text, vault)) === "fr" ? FRENCH : ENGLISH;
}

/** The language of `text`, else of the vault's map, else English. */
export async function languageFor(text: string, vault: VaultReader): Promise<Language> {
  return languageOfText(text) ?? (await languageOfMap(vault)) ?? "en";
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
  /** Whether others wrote what is reviewed. */
  readonly isUntrusted: boolean;
}

/** The review of an inbox item: only what the program looked for and found, and one question. Its headings are the program's alone: what stands under them is what a yes covers. */
export function reviewText(facts: ReviewFacts, texts: Texts): string {
  const { title, query, reason, done, findings, projects, isUntrusted } = facts;
  const first = projects[0];
  const found = findings.map(
    ({ path, lines, heading, replaced }) =>
      `- \`${path}\` (${lines})${heading === null ? "" : `: ${oneLine(heading)}`}${isNone(replaced) ? "" : ` · ${texts.replaced(replaced)}`}`,
  );
  return [
    `# ${texts.review} ${oneLine(title)}`,
    ...(reason === null ? [] : [withoutHeadings(reason)]),
    ...(done.length === 0
      ? []
      : [`${texts.done}\n\n${done.map((each) => `- ${oneLine(each)}`).join("\n")}`]),
    `## ${texts.lookedFor}`,
    query === "" ? texts.noWords : `\`${query.replaceAll("`", "'")}\``,
    `## ${texts.found}`,
    found.length === 0 ? texts.nothing : found.join("\n"),
    `## ${texts.propose}`,
    first === undefined ? texts.proposeNone : texts.proposeIn(first),
    `## ${texts.question}`,
    // One question: the model's own, when it asked in words.
    questionIn(reason, isUntrusted) ?? texts.ask(projects),
    "",
  ].join("\n\n");
}

/** A model that others may have misled asks about no file: a yes would let it change that one. */
function questionIn(reason: string | null, isUntrusted: boolean): string | null {
  const asked = /(?:[^.!?\n]|\.(?=\S))+\?/u.exec(reason ?? "")?.[0].trim() ?? null;
  return asked !== null && isUntrusted && /vault\//u.test(asked) ? null : asked;
}

function isNone(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ");
}

function withoutHeadings(text: string): string {
  return text.replaceAll(/^([ \t]*)(?=#)/gmu, "$1\\");
}
