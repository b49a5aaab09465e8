import { z } from "zod";

import { nullIfRefused } from "../../errors.ts";
import { factsIn } from "../../evidence/facts-in.ts";
import { isStopWord } from "../../text/language.ts";
import { wordsOf } from "../../text/words.ts";
import {
  linesSaying,
  linesStillSaying,
  type StaleLine,
} from "../../tidy/finders/replaced-facts.ts";
import { pageReader } from "../../tidy/pages.ts";
import { replacementsIn } from "../../tidy/replacements-in.ts";
import { quoted } from "../../tidy/units.ts";
import { asMeant } from "../../tools/as-meant.ts";
import { Replaces } from "../../tools/replacing/replaces.ts";
import { TREE_FILE } from "../../vault/files/generated-tree.ts";
import {
  isMarkdown,
  joinPath,
  nameOf,
  parsePath,
  showPath,
  type VaultPath,
} from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import type { ReadingParts } from "../agent-run.ts";
import { isFromOutside, isRawPlace } from "../inbox/untrusted-mark.ts";
import { projectNames } from "../without-model/closest-projects.ts";
import { isDailyNote } from "./vault-layout.ts";

/** What counts of a call that writes. */
const Change = z.object({
  path: z.string(),
  replaces: Replaces.nullish(),
  content: z.string().nullish(),
  old_content: z.string().nullish(),
  new_content: z.string().nullish(),
});

type Change = z.infer<typeof Change>;
type StatedReplacement = StaleLine["replacement"];
type Parts = Pick<ReadingParts, "vault" | "index">;

/** Shown at most: the others are few, and found by the next tidying. */
const MOST = 8;
/** Digits: a shorter figure stands in too much. */
const SHORTEST = 3;
/** Old values that are searched for, and passages looked at for each. */
const MOST_VALUES = 6;
const MOST_HITS = 30;

/** Tells a run which lines still state what its changes made untrue, each line once. */
export class StillStated {
  readonly #parts: Parts;
  readonly #told = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * What is told beside the answer to a call that wrote what is true now: the lines of the person's own pages that still state the old value.
   * Null when there is none.
   * @param args of the call, which was made
   */
  async after(args: unknown): Promise<string | null> {
    const change = Change.safeParse(asMeant(Change, args)).data;
    if (change === undefined) return null;
    const { vault } = this.#parts;
    const path = parsePath(change.path).path;
    const replaced = (change.replaces ?? []).map((each) => parsePath(each.path).path);
    const named = replaced.length === 0 ? [] : await replacementsIn(path, replaced, vault);
    const stated = [...named, ...(isRawPlace(path) ? [] : lostFacts(path, change))];
    if (stated.length === 0) return null;
    const said = await wordsSaid(change, named, vault);
    const found = await this.#lines(stated, said);
    const lines = found.filter((line) => !this.#told.has(keyOf(line)));
    if (lines.length === 0) return null;
    const rows = lines.slice(0, MOST).map((line) => {
      this.#told.add(keyOf(line));
      const { value } = line.replacement;
      return `- ${showPath(line.path)}:${line.line} (${value ?? ""}): ${quoted(line.text)}`;
    });
    const more = lines.length > MOST ? `\n- and ${lines.length - MOST} more lines` : "";
    return `The old value still stands in:\n${rows.join("\n")}${more}\nCorrect each line that is no longer true.`;
  }

  /** First the pages of what is so now, then what a search finds of the person's other notes that speaks of the same. */
  async #lines(
    stated: readonly StatedReplacement[],
    said: ReadonlySet<string>,
  ): Promise<StaleLine[]> {
    const { vault, index } = this.#parts;
    const projects = (await projectNames(vault)).map((name) => joinPath("projects", name));
    const read = pageReader(vault);
    const looked = new Set<VaultPath>();
    const context = {
      index,
      projects,
      page: async (path: VaultPath) => {
        looked.add(path);
        return (await isFromOutside(vault, path)) ? null : read(path);
      },
    };
    const found = await linesStillSaying(stated, context);
    const others = new Set<VaultPath>(["profile.md", "tasks.md"]);
    const values = new Set(stated.flatMap(({ value }) => (value === null ? [] : [value])));
    for (const value of [...values].slice(0, MOST_VALUES)) {
      const request = { queries: [`"${value.replaceAll('"', " ")}"`], mode: "fast" } as const;
      const asked = { ...request, scope: null, limit: MOST_HITS, from: null, to: null };
      for (const { path } of (await nullIfRefused(index.search(asked)))?.hits ?? [])
        if (isCurrent(path)) others.add(path);
    }
    const unread = [...others].filter((path) => !looked.has(path));
    const elsewhere = await linesSaying(stated, unread, context);
    return [...found, ...elsewhere.filter(({ text }) => isOfTheSame(text, said))];
  }
}

function keyOf({ path, text }: StaleLine): string {
  return `${path}\n${text}`;
}

/** Figures and days that a passage had before an edit, and has no more. */
function lostFacts(
  path: VaultPath,
  { old_content: old, new_content: now }: Change,
): StatedReplacement[] {
  if (typeof old !== "string" || typeof now !== "string" || now.trim() === "") return [];
  const before = factsIn(withoutNumbers(old));
  const after = factsIn(withoutNumbers(now));
  const figures = before.figures.filter(
    ({ written, value }) =>
      (written.match(/\d/gu) ?? []).length >= SHORTEST &&
      !after.figures.some((figure) => figure.value === value),
  );
  const dates = before.dates.filter(
    ({ month, day }) =>
      day !== null && !after.dates.some((date) => date.month === month && date.day === day),
  );
  return [...figures, ...dates].map(({ written: value }) => ({
    from: path,
    line: 0,
    to: path,
    value,
  }));
}

/** Without the line numbers that `read` shows, which an edit may carry. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/^ *\d+ *\| ?/gmu, "");
}

/** The words of what was changed and what it replaced: by them, a line elsewhere is known to speak of the same. */
async function wordsSaid(
  { path: shown, content, old_content: old, new_content: now }: Change,
  named: readonly StatedReplacement[],
  vault: VaultReader,
): Promise<ReadonlySet<string>> {
  const { path } = parsePath(shown);
  const texts = [content, old, now].map((text) => text ?? "");
  const file = named.length === 0 ? null : await nullIfRefused(vault.openText(path));
  // The line that says what is replaced has the heading of it.
  for (const { line } of named) texts.push(...(file?.range(line, line).lines ?? []));
  return new Set(wordsOf(texts.join("\n")));
}

/** Whether a line shares a name, or two telling words, with what was changed. */
function isOfTheSame(text: string, said: ReadonlySet<string>): boolean {
  const hasName = factsIn(text).names.some((name) => wordsOf(name).every((word) => said.has(word)));
  const shared = new Set(
    wordsOf(text).filter(
      (word) => word.length > 2 && !isStopWord(word) && !/\d/u.test(word) && said.has(word),
    ),
  );
  return hasName || shared.size >= 2;
}

/** Whether a note says what is so now: not what happened, and not what others wrote. */
function isCurrent(path: VaultPath): boolean {
  const name = nameOf(path);
  const isRecord = isRawPlace(path) || isDailyNote(path) || /^changelog\b/iu.test(name);
  return isMarkdown(path) && path !== TREE_FILE && !isRecord;
}
