import { frontmatterLines, headingsOf } from "../vault/files/headings.ts";
import { numberLines, numberWidth } from "../vault/files/lines.ts";
import { countTokens } from "../text/tokens.ts";
import { linesText } from "./output.ts";

/**
 * The outline of a file: the two rules of its frontmatter and its headings of level 1 and 2, numbered, each followed by a line
 * that counts what is hidden under it.
 */
export function foldText(lines: readonly string[]): string {
  const width = numberWidth(lines.length);
  const rules = frontmatterLines(lines);
  const shown = [
    ...(rules === 0 ? [] : [1, rules]),
    ...headingsOf(lines, rules)
      .filter(({ level }) => level <= 2)
      .map(({ line }) => line),
  ];
  const out: string[] = [];
  const hide = (from: number, to: number): void => {
    if (to < from) return;
    const hidden = lines.slice(from - 1, to);
    out.push(`... ${linesText(hidden.length)}, ${countTokens(hidden.join("\n"))} tokens`);
  };
  hide(1, (shown[0] ?? lines.length + 1) - 1);
  for (const [at, line] of shown.entries()) {
    out.push(numberLines([lines[line - 1] ?? ""], line, width));
    hide(line + 1, (shown[at + 1] ?? lines.length + 1) - 1);
  }
  return out.join("\n");
}
