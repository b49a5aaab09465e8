import { factsIn, SourceFacts } from "../../evidence/facts-in.ts";
import { isStopWord, languageOfText } from "../../text/language.ts";
import { fold, wordsOf } from "../../text/words.ts";

/** A word counts as found when one begins like it: forms of words differ in their ends. */
const STEM = 5;
/** A sentence of at most so many content words must have them all: in a short one, the word that differs is what it says. */
const SHORT = 6;
/** The share of the content words of a longer sentence, and of a clause, that must be there. */
const MOST_WORDS = 0.6;

/** What turns a clause into its opposite, folded. */
const NEGATION =
  /\b(?:not|no|never|none|nobody|nothing|nor|neither|cannot|ne|pas|jamais|aucune?|rien|non|ni)\b|n['’]t\b|\bn['’]/u;
/** What says of something that it is no longer so. */
const ENDING =
  /\b(?:cancel\w*|annul\w*|stop\w*|call(?:s|ed)? off|quits?|sold|vendue?s?|dropped|abandon\w*|refus\w*|reject\w*|declin\w*|withdr\w*|revok\w*|renonc\w*|resili\w*|supprim\w*|arret\w*|cesse\w*|ended|finished|termine\w*|finie?s?|retire\w*|wrong|faux|fausses?)\b/u;
/** Stop words without which a statement is another one. */
const TELLING = new Set("before after without until only avant apres sans seulement".split(" "));

/**
 * Whether lines hold all of a note: its figures, dates and names, the content words of each sentence, and each clause as it is meant: what the
 * note denies must be denied there, and what it affirms must not. Too strict means an inbox item too many; too lax, a lost note.
 */
export function saysTheNote(text: string, note: string): boolean {
  const language = languageOfText(note);
  const { dates, figures, names } = factsIn(note);
  const facts = new SourceFacts(text);
  if (!dates.every((date) => facts.hasDate(date))) return false;
  if (!figures.every((figure) => facts.hasFigure(figure))) return false;
  if (!names.every((name) => facts.hasName(name))) return false;
  // Dates and figures are written in many ways, and compared above.
  const without = (rest: string, { written }: { readonly written: string }): string =>
    rest.replace(written, " ");
  const said = dates.reduce(without, note.normalize("NFC"));
  const digits = digitsIn(text);
  const others = digitsIn(figures.reduce(without, said));
  if (![...others].every((group) => digits.has(group))) return false;
  const contentOf = (part: string): string[] =>
    wordsOf(part).filter(
      (word) => word.length > 2 && !/^\d+$/u.test(word) && !isStopWord(word, language),
    );
  const source = sentencesIn(text).flatMap(clausesIn);
  const words = stemsOf(text);
  const affirmed = stemsOf(source.filter((clause) => !isDenied(clause)).join("\n"));
  const denied = source.filter(isDenied).map(stemsOf);
  const isSaid = (clause: string): boolean => {
    const content = contentOf(clause);
    if (!isDenied(clause)) return shareOf(content, affirmed) >= MOST_WORDS;
    return content.length > 0 && denied.some((each) => shareOf(content, each) >= MOST_WORDS);
  };
  const isHeld = (sentence: string): boolean => {
    const content = new Set(contentOf(sentence));
    const most = content.size <= SHORT ? 1 : MOST_WORDS;
    const telling = wordsOf(sentence).filter((word) => TELLING.has(word));
    return (
      shareOf([...content], words) >= most &&
      shareOf(telling, words) === 1 &&
      clausesIn(sentence).every(isSaid)
    );
  };
  const isEmpty = contentOf(said).length === 0 && !/\d/u.test(note);
  return !isEmpty && sentencesIn(said).every(isHeld);
}

/** `05` and `5` are the same. */
function digitsIn(text: string): ReadonlySet<number> {
  return new Set((text.match(/\d+/gu) ?? []).map(Number));
}

function stemsOf(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text).map((word) => word.slice(0, STEM)));
}

/** The share of words that begin like one of these; 1 for none. */
function shareOf(words: readonly string[], stems: ReadonlySet<string>): number {
  const found = words.filter((word) => stems.has(word.slice(0, STEM)));
  return words.length === 0 ? 1 : found.length / words.length;
}

/** Lines that go on in lower case are one text that was wrapped. */
function sentencesIn(text: string): string[] {
  return text.replaceAll(/\n(?=\p{Ll})/gu, " ").split(/[.!?;…]+(?:\s|$)|\n/u);
}

function clausesIn(sentence: string): string[] {
  return sentence.split(/,(?!\d)|\s(?:but|mais)\s/u);
}

/** A negation of an ending, like `not cancelled`, affirms. */
function isDenied(clause: string): boolean {
  const folded = fold(clause);
  return NEGATION.test(folded) !== ENDING.test(folded);
}
