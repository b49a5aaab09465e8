import { findBlock, MOST_BLOCK_LINES } from "./frontmatter-block.ts";
import { countLines } from "./lines.ts";

export interface Heading {
  /** 1-based line in the given lines. */
  readonly line: number;
  readonly level: number;
  readonly text: string;
}

const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/u;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/u;

/**
 * The `#` headings of a markdown text. Lines in the frontmatter, in code fences and in HTML comments are not headings.
 * @param skip lines at the start that are frontmatter
 */
export function headingsOf(lines: readonly string[], skip: number): Heading[] {
  const headings: Heading[] = [];
  let fence: string | null = null;
  let inComment = false;
  for (let at = skip; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (inComment) {
      inComment = !line.includes("-->");
      continue;
    }
    const mark = FENCE.exec(line);
    if (fence !== null) {
      const [, run = "", rest = ""] = mark ?? [];
      if (run.startsWith(fence) && rest.trim() === "") fence = null;
      continue;
    }
    if (mark !== null) {
      const [, run = "", info = ""] = mark;
      // An info string with a backtick makes it inline code, not a fence.
      if (run[0] === "~" || !info.includes("`")) fence = run;
      continue;
    }
    if (/^ {0,3}<!--/u.test(line)) {
      inComment = !line.includes("-->");
      continue;
    }
    const match = ATX.exec(line);
    if (match !== null) {
      const text = (match[2] ?? "").replace(/(?:^|[ \t]+)#+[ \t]*$/u, "").trim();
      headings.push({ line: at + 1, level: match[1]?.length ?? 1, text });
    }
  }
  return headings;
}

/** Number of lines the frontmatter takes at the top of `lines`, its two rules included; 0 when there is none. */
export function frontmatterLines(lines: readonly string[]): number {
  if (!lines[0]?.startsWith("---")) return 0;
  // A return that is still there is text, not part of a line ending.
  const shown = lines.slice(0, MOST_BLOCK_LINES + 2);
  const text = shown.map((line) => (line.endsWith("\r") ? `${line}\r` : line)).join("\n");
  const block = findBlock(text);
  return block === null ? 0 : countLines(text.slice(0, block.end));
}
