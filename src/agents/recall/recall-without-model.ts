import type { ReplacedBy } from "../../evidence/contract.ts";
import { countTokens } from "../../text/tokens.ts";
import { callAsSearcher, type ReadingParts } from "../agent-run.ts";
import { waitingItems } from "../inbox/waiting-items.ts";
import { NO_USAGE, type RecallAnswer, type Source } from "../contract.ts";
import { answerOf, concatSources, partsOf } from "./recall-answer.ts";
import { searchWords } from "../without-model/closest-projects.ts";
import { languageFor, textsFor } from "../without-model/program-texts.ts";
import { asksForOld, recallTexts } from "./recall-texts.ts";
import { askedWords, hasAll, unsearchedPassages } from "./unsearched-pages.ts";

/** Tokens of all sources: few enough for any model's context. */
const MAX_TOKENS = 4000;
const MAX_PASSAGES = 12;
/** A passage with a smaller share of the best score is left out; but a few are always shown. */
const MIN_SHARE = 0.15;
const MIN_PASSAGES = 3;

/**
 * Answers without a model: the passages that have the words of the question, by file, and their number.
 * @param note why no model answered, when one should have
 */
export async function recallWithoutModel(
  question: string,
  parts: ReadingParts,
  note: string | null,
): Promise<RecallAnswer> {
  const call = callAsSearcher(parts);
  const limit = MAX_PASSAGES;
  let results = await searchWords(question, call, { mode: "fast", limit });
  if (results.length === 0) results = await searchWords(question, call, { mode: "deep", limit });
  const best = results[0]?.score ?? 0;
  const near = results.filter(
    ({ score }, rank) => rank < MIN_PASSAGES || score >= best * MIN_SHARE,
  );
  const chosen: Chosen[] = [];
  const asked = askedWords(question);
  let isAnswered = false;
  let left = MAX_TOKENS;
  for (const { path, lines, replaced = null } of near) {
    const alone = await call("concat", { files: [{ path, lines }] });
    const text = partsOf(alone)[0]?.text ?? "";
    const cost = countTokens(text);
    if (cost > left && chosen.length > 0) continue;
    left -= cost;
    isAnswered ||= hasAll(text, asked);
    chosen.push({ path, lines, replaced });
  }
  // By rank, not by line: without a model, rank is the only sign of which passage answers. What no longer holds comes last.
  const byFile = [...Map.groupBy(chosen, ({ path }) => path).values()].flat();
  // Where no passage has all the words, a page that search does not cover may be what is meant.
  const unsearched = isAnswered ? [] : await unsearchedPassages(asked, parts.vault);
  const files: Chosen[] = [
    ...unsearched.map((source) => ({ ...source, replaced: null })),
    ...byFile.filter(({ replaced }) => replaced === null),
    ...byFile.filter(({ replaced }) => replaced !== null),
  ];
  const joined = await concatSources(files, parts.vault, call);
  const overview = await overviewOf(question, partsOf(joined), files, parts);
  const facts = { question, concat: joined, asked: null, note: note ?? "" };
  return answerOf({ overview, model: null, steps: 0, usage: NO_USAGE }, facts, parts);
}

/** A passage, and what made it untrue. */
interface Chosen extends Source {
  readonly replaced: ReplacedBy | null;
}

/** How many passages there are, where, and which of them no longer hold; the old values when they are asked for; what waits in the inbox. */
async function overviewOf(
  question: string,
  given: readonly Source[],
  chosen: readonly Chosen[],
  { vault }: ReadingParts,
): Promise<string> {
  const texts = await textsFor(question, vault);
  const inbox = await waitingItems(question, vault);
  const waiting = inbox.length === 0 ? [] : [texts.waiting(inbox)];
  if (given.length === 0) return [texts.nothing, ...waiting].join("\n");
  const marked = given.map((source, at) => ({ ...source, mark: at + 1 }));
  const isOf = (source: Source, { path, lines }: Source): boolean =>
    source.path === path && source.lines === lines;
  const files = [...Map.groupBy(marked, ({ path }) => path)].map(
    ([path, sources]) => `${path} ${sources.map(({ mark }) => `[${mark}]`).join("")}`,
  );
  const { before, replaced: noLonger } = recallTexts(await languageFor(question, vault));
  const say = asksForOld(question) ? before : noLonger;
  const old = marked.flatMap((source) => {
    const by = chosen.find((each) => isOf(each, source))?.replaced ?? null;
    if (by === null) return [];
    const newer = marked.find((each) => isOf(each, by));
    const place = newer === undefined ? `${by.path} (lines ${by.lines})` : `[${newer.mark}]`;
    return [say({ mark: source.mark, date: by.date, value: by.value, by: place })];
  });
  return [texts.passages(given.length, files), ...old, ...waiting].join("\n");
}
