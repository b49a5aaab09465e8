import { frontmatterLines, headingsOf } from "../vault/files/headings.ts";
import { numberLines, numberWidth } from "../vault/files/lines.ts";
import { countTokens } from "../text/tokens.ts";
import { linesText } from "./output.ts";

/**
 * The outline of a file: a line for each heading of level 1 and 2, numbered, with the size of what is hidden under it; before them one for
 * text that has no heading. The frontmatter is left out.
 */
export function foldText(lines: readonly string[]): string {
  const width = numberWidth(lines.length);
  const body = frontmatterLines(lines) + 1;
  const headings = headingsOf(lines, body - 1)
    .filter(({ level }) => level <= 2)
    .map(({ line }) => line);
  const sizeOf = (from: number, next = lines.length + 1): string => {
    const hidden = lines.slice(from - 1, next - 1);
    const text = hidden.join("\n");
    if (text.trim() === "") return "";
    return ` ... (${linesText(hidden.length)}, ${countTokens(text)} tokens)`;
  };
  const before = sizeOf(body, headings[0]).trimStart();
  return [
    ...(before === "" ? [] : [numberLines([before], body, width)]),
    ...headings.map(
      (line, at) =>
        numberLines([lines[line - 1] ?? ""], line, width) + sizeOf(line + 1, headings[at + 1]),
    ),
  ].join("\n");
}
