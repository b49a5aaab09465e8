import { jobLine } from "../../text/job-keys.ts";

/** A line of a block with something in it. */
export interface BlockLine {
  readonly text: string;
  /** The key of ours it holds, at the top level, in the job's form, and with its whole value; null when it is the person's. */
  readonly ours: ReturnType<typeof jobLine>;
}

/** The lines of a block that are not empty. A key of ours under another key, or in a text of several lines, is the person's. */
export function blockLines(yaml: string): BlockLine[] {
  const lines = yaml.split(/\r?\n/u).filter((line) => line.trim() !== "");
  const top = indentOf(lines.find((line) => !isComment(line)) ?? "");
  const found: BlockLine[] = [];
  // Backwards: a key whose value goes on in the lines below it is the person's.
  let isContinued = false;
  for (const text of lines.toReversed()) {
    const ours = isContinued || indentOf(text) !== top ? null : jobLine(text);
    found.push({ text, ours });
    // Deeper lines belong to the key above them; so do list items and a value on its own line, at the same depth.
    if (!isComment(text))
      isContinued = indentOf(text) > top || /^[ ]*(?:-(?: |$)|:(?: |$))/u.test(text);
  }
  return found.toReversed();
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function isComment(line: string): boolean {
  return line.trimStart().startsWith("#");
}
