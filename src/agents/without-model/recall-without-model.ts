import { z } from "zod";

import { countTokens } from "../../text/tokens.ts";
import { callAsSearcher, type ReadingParts } from "../agent-run.ts";
import { NO_USAGE, type RecallAnswer, type Source } from "../contract.ts";
import { answerOf, NO_SOURCES, partsOf } from "../recall/recall-answer.ts";
import { queryOf } from "./closest-projects.ts";
import { textsFor } from "./program-texts.ts";

/** Tokens of all sources: few enough for any model's context. */
const MAX_TOKENS = 4000;
const MAX_PASSAGES = 12;
/** A passage with a smaller share of the best score is left out; but a few are always shown. */
const MIN_SHARE = 0.15;
const MIN_PASSAGES = 3;

const Results = z.array(z.object({ path: z.string(), lines: z.string(), score: z.number() }));

type Passage = z.infer<typeof Results>[number];

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
  const query = queryOf(question);
  const find = async (mode: string): Promise<Passage[]> => {
    if (query === "") return [];
    const result = await call("search", { queries: [query], mode, limit: MAX_PASSAGES });
    return Results.safeParse(result.structured).data ?? [];
  };
  let results = await find("fast");
  if (results.length === 0) results = await find("deep");
  const best = results[0]?.score ?? 0;
  const near = results.filter(
    ({ score }, rank) => rank < MIN_PASSAGES || score >= best * MIN_SHARE,
  );
  const chosen: Source[] = [];
  let left = MAX_TOKENS;
  for (const { path, lines } of near) {
    const alone = await call("concat", { files: [{ path, lines }] });
    const cost = countTokens(partsOf(alone)[0]?.text ?? "");
    if (cost > left && chosen.length > 0) continue;
    left -= cost;
    chosen.push({ path, lines });
  }
  // By rank, not by line: without a model, rank is the only sign of which passage answers.
  const files = [...Map.groupBy(chosen, ({ path }) => path).values()].flat();
  const joined = files.length === 0 ? NO_SOURCES : await call("concat", { files });
  const texts = await textsFor(question, parts.vault);
  const paths = [...new Set(files.map(({ path }) => path))];
  const found = files.length === 0 ? texts.nothing : texts.passages(files.length, paths);
  const overview = note === null ? found : `${found}\n${note}`;
  return answerOf({ overview, model: null, steps: 0, usage: NO_USAGE }, joined);
}
