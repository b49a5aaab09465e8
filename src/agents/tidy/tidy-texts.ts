import { isTextBytes } from "../../text/utf8.ts";
import { proposedFilesOf } from "../../tidy/apply.ts";
import type { TidyItem } from "../../tidy/kept-proposals.ts";
import type { ProposedFile } from "../../vault/overlay/proposed-files.ts";
import { showPath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";

/** Lines of a diff in the review; the page shows all of it. */
const MAX_DIFF_LINES = 60;

const ENGLISH = {
  slug: "tidy",
  title: (count: number, notes: number) =>
    `Review: Tidying, ${count === 1 ? "1 proposal" : `${count} proposals`}${notes === 0 ? "" : `, ${notes} to look at`}`,
  opening: "Nothing is changed yet.",
  deleted: (path: string) => `${path} is deleted.`,
  binary: (path: string) => `${path} is no text.`,
  more: (count: number) => `… ${count} more lines`,
  notes: "To look at yourself",
  question: "Question",
  ask: "Which of these shall be made? Answer `yes` for all of them, numbers like `1,3` for some, `no` for none.",
  askNotes: "There is nothing here that a program could put right. Answer `no` to take this away.",
  made: (count: number, all: number) =>
    count === all ? `Tidied: ${count} made.` : `Tidied: ${count} of ${all} made.`,
  none: "Nothing was changed. The daily run does not propose this again.",
};

type Texts = typeof ENGLISH;

const FRENCH: Texts = {
  slug: "rangement",
  title: (count, notes) =>
    `Revue : Rangement, ${count === 1 ? "1 proposition" : `${count} propositions`}${notes === 0 ? "" : `, ${notes} à regarder`}`,
  opening: "Rien n’est encore changé.",
  deleted: (path) => `${path} est supprimé.`,
  binary: (path) => `${path} n’est pas du texte.`,
  more: (count) => `… ${count} lignes de plus`,
  notes: "À regarder vous-même",
  question: "Question",
  ask: "Lesquelles faut-il faire ? Répondez `oui` pour toutes, des numéros comme `1,3` pour certaines, `non` pour aucune.",
  askNotes: "Il n’y a rien ici qu’un programme puisse corriger. Répondez `non` pour l’enlever.",
  made: (count, all) => {
    const made = `Rangé : ${count} ${count === 1 ? "faite" : "faites"}`;
    return count === all ? `${made}.` : `${made} sur ${all}.`;
  },
  none: "Rien n’a été changé. Le passage quotidien ne le proposera plus.",
};

export function tidyTexts(language: TidyItem["language"]): Texts {
  return language === "fr" ? FRENCH : ENGLISH;
}

/** The review of the item: numbered diffs, what can only be looked at, and one question. */
export async function tidyReview(
  { language, proposals, notes }: Pick<TidyItem, "language" | "proposals" | "notes">,
  vault: VaultReader,
): Promise<string> {
  const texts = tidyTexts(language);
  const parts = [`# ${texts.title(proposals.length, notes.length)}`, texts.opening];
  for (const [at, { title, changes }] of proposals.entries()) {
    parts.push(`## ${at + 1}. ${title[language]}`);
    const { files } = await proposedFilesOf(changes, vault);
    for (const file of files) parts.push(await diffText(file, texts));
  }
  if (notes.length > 0) {
    const rows = notes.map(({ title }) => `- ${title[language]}`);
    parts.push(`## ${texts.notes}`, rows.join("\n"));
  }
  const ask = proposals.length === 0 ? texts.askNotes : texts.ask;
  parts.push(`## ${texts.question}`, ask, "");
  return parts.join("\n\n");
}

/** One file as a diff; of a file that goes, only its name. */
async function diffText({ path, before, after }: ProposedFile, texts: Texts): Promise<string> {
  const shown = showPath(path);
  if (after === null) return texts.deleted(`\`${shown}\``);
  if (!isTextBytes(before ?? Buffer.alloc(0))) return texts.binary(`\`${shown}\``);
  const { structuredPatch } = await import("diff");
  const patch = structuredPatch(
    shown,
    shown,
    before?.toString("utf8") ?? "",
    after.toString("utf8"),
    undefined,
    undefined,
    { context: 2 },
  );
  const lines = patch.hunks.flatMap((hunk, at) => [...(at === 0 ? [] : ["@@"]), ...hunk.lines]);
  const cut = lines.slice(0, MAX_DIFF_LINES);
  const more = lines.length - cut.length;
  const body = [
    before === null ? "--- /dev/null" : `--- ${shown}`,
    `+++ ${shown}`,
    ...cut,
    ...(more > 0 ? [texts.more(more)] : []),
  ].join("\n");
  const longest = Math.max(2, ...[...body.matchAll(/`+/gu)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}diff\n${body}\n${fence}`;
}
