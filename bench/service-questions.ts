import { generateVault, type GeneratedFile } from "./generate-vault.ts";

/** Words to search for, and what a right answer names. */
export interface Question {
  readonly words: string;
  /** The notes that have them, be it within longer words. An answer names one at least. */
  readonly notes: ReadonlySet<string>;
  /** Of one of them: all that a server that knows names only can be asked for. */
  readonly name: string;
}

export interface Questions {
  /** To read: notes of the usual sizes, of every kind. */
  readonly notes: readonly GeneratedFile[];
  /** Two words side by side, one of which stands in few notes. */
  readonly rare: readonly Question[];
  /** One word that stands in about a tenth of the notes. */
  readonly common: readonly Question[];
}

/** Longer ones are answered in parts by some. */
const LONGEST = 15_000;
/** Without the words that every text is full of, and that are part of many others. */
const SHORTEST_WORD = 5;
const COMMON_SHARE = 0.1;

/** So many of each, the same every time, spread over the whole vault. */
export function makeQuestions(files: number, count: number): Questions {
  const all = [...generateVault(files)];
  const usual = all.filter(({ text }) => text.length < LONGEST);
  // Kinds of notes come in turn: steps of a large prime meet them all.
  const notes = Array.from(
    { length: count },
    (_, at) => usual[(at * 7919) % usual.length] ?? [],
  ).flat();
  const spread = countNotes(all);
  const question = (words: string): Question => {
    const found = all.filter(({ text }) => text.includes(words)).map(({ path }) => path);
    const [first = ""] = found;
    return { words, notes: new Set(found), name: first.slice(first.lastIndexOf("/") + 1) };
  };
  const distance = (inNotes: number): number => Math.abs(inNotes - all.length * COMMON_SHARE);
  const common = [...spread]
    .filter(([word]) => isAsked(word))
    .toSorted(([, a], [, b]) => distance(a) - distance(b))
    .slice(0, count)
    .map(([word]) => question(word));
  const rare = notes.map(({ text }) => question(rarePair(text, spread)));
  return { notes, rare, common };
}

/** Whether an answer holds a whole note. Frontmatter does not count: some servers take it apart. */
export function holdsNote(answer: string, { text }: GeneratedFile): boolean {
  const body = text.slice(text.indexOf("\n---\n") + "\n---\n".length);
  return body.split("\n").every((line) => answer.includes(line));
}

/** Whether an answer names a note that has the words. */
export function answers(answer: string, { notes }: Question): boolean {
  const named = answer.match(/projects\/[\w/-]+\.md/gu) ?? [];
  return named.some((path) => notes.has(path));
}

/** Accents are left out too: not all servers find words that have them, and how well they search is not compared here. */
function isAsked(word: string): boolean {
  return word.length >= SHORTEST_WORD && /^[a-z]+$/u.test(word);
}

/** In how many notes each word stands. */
function countNotes(all: readonly GeneratedFile[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of all) {
    for (const word of new Set(text.match(/\p{L}+/gu))) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return counts;
}

/** Two words of a text side by side, of which one is the rarest there is. */
function rarePair(text: string, spread: ReadonlyMap<string, number>): string {
  const rarity = (words: readonly string[]): number =>
    Math.min(...words.map((word) => spread.get(word) ?? 0));
  const [rarest] = [...text.matchAll(/(\p{L}+) (?=(\p{L}+))/gu)]
    .map(([, first = "", second = ""]) => [first, second])
    .filter((words) => words.every(isAsked))
    .toSorted((a, b) => rarity(a) - rarity(b));
  if (rarest === undefined) throw new Error(`There is nothing to ask for in ${text}`);
  return rarest.join(" ");
}
