/** A vault of any size that is the same every time: French and English words as common as in real text, laid out as ours are. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

const FRENCH =
  "de la le et les des en un une du que est pour dans qui sur pas plus par avec tout faire son mettre autre vouloir";
const ENGLISH =
  "the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which";
const SYLLABLES =
  "ba be bi bo ca ce chi co da de di do fa fe fi ga ge go la le li lo ma me mi mo na ne ni no pa pe pi po ra re ri ro sa se si so ta te ti to va ve vi vo é è ou an in on".split(
    " ",
  );

/** A small generator of numbers (mulberry32): the same seed, the same vault. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}

/** Common words first, then made ones: word number n is about n times rarer than the first. */
export function vocabulary(size: number): string[] {
  const random = randomFrom(7);
  const words = [...FRENCH.split(" "), ...ENGLISH.split(" ")];
  const seen = new Set(words);
  while (words.length < size) {
    const count = 2 + Math.floor(random() * 3);
    const word = Array.from(
      { length: count },
      () => SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? "",
    ).join("");
    if (!seen.has(word)) {
      seen.add(word);
      words.push(word);
    }
  }
  return words;
}

export function* generateVault(files: number): Generator<GeneratedFile> {
  const random = randomFrom(42);
  const words = vocabulary(60_000);
  // Zipf: the rank of a word falls as an exponential of a uniform number.
  const word = (): string => words[Math.floor(words.length ** random()) - 1] ?? "de";
  const sentence = (): string =>
    `${Array.from({ length: 6 + Math.floor(random() * 14) }, word).join(" ")}.`;
  const paragraph = (): string =>
    Array.from({ length: 2 + Math.floor(random() * 4) }, sentence).join(" ");
  const day = (): string =>
    `20${20 + Math.floor(random() * 7)}-${String(1 + Math.floor(random() * 12)).padStart(2, "0")}-${String(1 + Math.floor(random() * 28)).padStart(2, "0")}`;
  const sections = (count: number): string =>
    Array.from(
      { length: count },
      () => `## ${Array.from({ length: 3 }, word).join(" ")}\n\n${paragraph()}\n\n${paragraph()}\n`,
    ).join("\n");
  const entries = (size: number): string => {
    let text = "";
    while (text.length < size) text += `# ${day()}\n\n## ${sentence()}\n${paragraph()}\n\n`;
    return text;
  };
  for (let at = 0; at < files; at += 1) {
    const project = `projects/p${Math.floor(at / 40)}`;
    const head = `---\ncreated: ${day()}T10:00:00\nupdated: ${day()}T10:00:00\ntokens: 700\n---\n\n`;
    const kind = at % 40;
    if (kind === 0) yield { path: `${project}/state.md`, text: head + sections(3) };
    else if (kind === 1)
      yield {
        path: `${project}/changelog.md`,
        text: head + entries(at % 4000 === 1 ? 200_000 : 6000),
      };
    else if (kind === 2)
      yield {
        path: `${project}/tasks.md`,
        text:
          head +
          Array.from(
            { length: 8 },
            () =>
              `# ${sentence()}\nstatus: à-faire | prio: haute | ajoutée: ${day()} | projet: p\n`,
          ).join("\n"),
      };
    else if (kind === 3) yield { path: `${project}/description.md`, text: head + sections(2) };
    else
      yield {
        path: `${project}/bucket/${day()}-note-${at}.md`,
        text: `${head}# ${sentence()}\n\n${sections(2 + Math.floor(random() * 3))}`,
      };
  }
}
