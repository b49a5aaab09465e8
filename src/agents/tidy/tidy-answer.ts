import { ExpectedError } from "../../errors.ts";
import { fold } from "../../text/words.ts";

const ALL = /^(?:y|o|yes|oui|ok|okay|all|all of (?:it|them)|tout|tous|toutes|d.?accord)$/u;
const NONE = /^(?:n|no|non|none|nothing|rien|aucune?|pas maintenant|not now)$/u;
const NUMBERS =
  /^\d+(?:\s*(?:-|to|a)\s*\d+)?(?:(?:\s*[,;+&]\s*|\s+(?:and|et)\s+|\s+)\d+(?:\s*(?:-|to|a)\s*\d+)?)*$/u;

/** The numbers that an answer names, of `count` proposals, from 1. Throws for any other answer, with what can be answered. */
export function chosenNumbers(answer: string, count: number): number[] {
  const said = fold(answer)
    .trim()
    .replace(/[.!]+$/u, "")
    .trim();
  if (NONE.test(said)) return [];
  const all = Array.from({ length: count }, (_, at) => at + 1);
  if (ALL.test(said)) return all;
  const listed = said.replace(/^(?:yes|oui|only|seulement|numbers?|numeros?|les?)[\s,:]+/u, "");
  if (!NUMBERS.test(listed)) throw notUnderstood(answer, count);
  const chosen = new Set<number>();
  for (const [, first = "", last = first] of listed.matchAll(/(\d+)(?:\s*(?:-|to|a)\s*(\d+))?/gu)) {
    const [from, to] = [Number(first), Number(last)];
    if (from < 1 || to > count || from > to) throw notUnderstood(answer, count);
    for (const number of all.slice(from - 1, to)) chosen.add(number);
  }
  return [...chosen].toSorted((a, b) => a - b);
}

function notUnderstood(answer: string, count: number): ExpectedError {
  return new ExpectedError(
    "invalid_argument",
    `${JSON.stringify(answer)} chooses none of the ${count} proposals. Answer yes, no, or numbers like 1,3; say anything else with coffre remember.`,
  );
}
