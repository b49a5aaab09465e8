/** Definitions of a note by their labels: what `[text][label]` and `[^label]` refer to, wherever it stands. */
export interface References {
  /** The whole text of each definition, by its normalised label; footnotes with their `^`. */
  readonly byLabel: ReadonlyMap<string, string>;
  /** All footnotes, one after the other. */
  readonly footnotes: string;
}

const DEFINITION = /^ {0,3}\[(\^?[^\]\n]+)\]:[ \t]*\S.*(?:\n(?: {4}|\t).*|\n(?=\n(?: {4}|\t)))*/gmu;

/** Finds the definitions of a note that is parsed in pieces. The first of one label counts. */
export function referencesIn(text: string): References {
  const byLabel = new Map<string, string>();
  for (const [whole, label = ""] of text.matchAll(DEFINITION)) {
    const key = normalised(label);
    if (!byLabel.has(key)) byLabel.set(key, whole);
  }
  const footnotes = [...byLabel].filter(([label]) => label.startsWith("^"));
  return { byLabel, footnotes: footnotes.map(([, whole]) => whole).join("\n\n") };
}

/** The definitions that a piece refers to, to be parsed with it. */
export function referencesOf(piece: string, { byLabel }: References): string {
  if (byLabel.size === 0) return "";
  const labels = new Set(
    [...piece.matchAll(/\[(\^?[^[\]\n]+)\](?!:)/gu)].map(([, label = ""]) => normalised(label)),
  );
  return [...labels].flatMap((label) => byLabel.get(label) ?? []).join("\n\n");
}

/** The definitions that a part of a note refers to and does not have itself. */
export function missingReferences(part: string, whole: string): string {
  const own = new Set(referencesIn(part).byLabel.keys());
  const others = [...referencesIn(whole).byLabel].filter(([label]) => !own.has(label));
  return referencesOf(part, { byLabel: new Map(others), footnotes: "" });
}

function normalised(label: string): string {
  return label.trim().replaceAll(/\s+/gu, " ").toLowerCase();
}
