import { z } from "zod";

import { countTokens } from "../../text/tokens.ts";
import { callAsSearcher, type LookingParts } from "../agent-context.ts";
import { queryOf } from "./closest-projects.ts";
import { languageFor } from "../language.ts";
import { answerOf, NO_SOURCES, passagesOf, sourcesOf, textOf } from "../recall/recall-answer.ts";
import { NO_USAGE, type RecallAnswer, type Source } from "../contract.ts";

/** Tokens of sources: what fits beside other things in anybody's context. */
const MOST_TOKENS = 4000;
const MOST_PASSAGES = 12;
/** A passage with less than this part of the best one's score is about something else; but a few are always shown. */
const LEAST_SHARE = 0.15;
const LEAST_PASSAGES = 3;

const Results = z.array(z.object({ path: z.string(), lines: z.string(), score: z.number() }));
const Parts = z.object({ parts: z.array(z.object({ text: z.string() })) });

type Passage = z.infer<typeof Results>[number];

/**
 * Answers without a model: the passages that have the words of the question, by file, and nothing said about them but how many there are.
 * @param note why no model answered, when one should have
 */
export async function recallMechanically(
  question: string,
  parts: LookingParts,
  note: string | null,
): Promise<RecallAnswer> {
  const call = callAsSearcher(parts);
  const query = queryOf(question);
  const find = async (mode: string): Promise<Passage[]> => {
    if (query === "") return [];
    const result = await call("search", { queries: [query], mode, limit: MOST_PASSAGES });
    return Results.safeParse(result.structured).data ?? [];
  };
  let found = await find("fast");
  if (found.length === 0) found = await find("deep");
  const best = found[0]?.score ?? 0;
  const near = found.filter(
    ({ score }, rank) => rank < LEAST_PASSAGES || score >= best * LEAST_SHARE,
  );
  const chosen: Source[] = [];
  let left = MOST_TOKENS;
  for (const { path, lines } of near) {
    const alone = await call("concat", { files: [{ path, lines }] });
    const text = Parts.safeParse(alone.structured).data?.parts[0]?.text ?? "";
    const cost = countTokens(text);
    if (cost > left && chosen.length > 0) continue;
    left -= cost;
    chosen.push({ path, lines });
  }
  // The best first, whatever stands above it in its file: nobody says here which one answers.
  const files = [...Map.groupBy(chosen, ({ path }) => path).values()].flat();
  const joined = files.length === 0 ? NO_SOURCES : await call("concat", { files });
  const lang = await languageFor(question, parts.vault);
  const paths = [...new Set(files.map(({ path }) => path))];
  const overview = overviewText(files.length, paths, lang);
  return answerOf({
    overview: note === null ? overview : `${overview}\n${note}`,
    document: textOf(joined),
    sources: sourcesOf(joined),
    passages: passagesOf(joined),
    model: null,
    steps: 0,
    usage: NO_USAGE,
  });
}

function overviewText(count: number, paths: readonly string[], lang: "en" | "fr"): string {
  if (lang === "fr") {
    if (count === 0) return "Rien dans le coffre ne contient ces mots.";
    return `${count} passage(s) dans ${paths.length} fichier(s) : ${paths.join(", ")}.`;
  }
  if (count === 0) return "Nothing in the vault has these words.";
  const files = paths.length === 1 ? "1 file" : `${paths.length} files`;
  return `${count === 1 ? "1 passage" : `${count} passages`} in ${files}: ${paths.join(", ")}.`;
}
