import { parseLines, type LineRange } from "../app/route.ts";

export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/** A part of a file, as `concat` and `search` show it. */
export interface SourceBlock {
  readonly path: string;
  readonly lines: readonly NumberedLine[];
}

/** Reads lines such as `9  | text`. What is no such line is left out. */
export function parseNumbered(text: string): NumberedLine[] {
  return text.split("\n").flatMap((line) => {
    const [, number, rest] = /^(\d+) *\|(?: (.*))?$/u.exec(line) ?? [];
    return number === undefined ? [] : [{ number: Number(number), text: rest ?? "" }];
  });
}

/** The sources below the line `---` of an answer: blocks, each with its path above its numbered lines. */
export function parseSources(answer: string): SourceBlock[] {
  const blocks: SourceBlock[] = [];
  // A line of a file begins with its number, so a fence in a file never looks like one of ours.
  for (const [, header = "", body = ""] of answer.matchAll(/^```(\S[^\n]*)\n([^]*?)^```$/gmu)) {
    const path = header.replace(/ \(lines [^)]*\)$/u, "");
    const lines = parseNumbered(body);
    if (path.startsWith("vault/") && lines.length > 0) blocks.push({ path, lines });
  }
  return blocks;
}

export function rangeOf(lines: readonly NumberedLine[]): LineRange | null {
  const [first, last] = [lines[0], lines.at(-1)];
  return first === undefined || last === undefined
    ? null
    : { start: first.number, end: last.number };
}

/** The lines of a result without those around it, and without a frontmatter above them. */
export function withoutSurroundings(lines: readonly NumberedLine[], range: string): NumberedLine[] {
  const found = parseLines(range);
  const inside = lines.filter(
    ({ number }) => found === null || (number >= found.start && number <= found.end),
  );
  const isFront = inside[0]?.number === 1 && inside[0].text === "---";
  const end = isFront ? inside.findIndex(({ text }, index) => index > 0 && text === "---") : -1;
  return trimmed(inside.slice(end + 1));
}

function trimmed(lines: readonly NumberedLine[]): NumberedLine[] {
  const isFull = ({ text }: NumberedLine): boolean => text.trim() !== "";
  const first = lines.findIndex(isFull);
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex(isFull) + 1);
}
