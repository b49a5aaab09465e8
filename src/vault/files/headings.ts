import { findBlock, MOST_BLOCK_LINES } from "./frontmatter.ts";
import { countLines } from "./lines.ts";
import { findTomlBlock } from "./toml-block.ts";

export interface Heading {
  /** 1-based line in the given lines. */
  readonly line: number;
  readonly level: number;
  readonly text: string;
}

const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/u;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/u;
const COMMENT = /^ {0,3}<!--/u;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/u;
/** What begins a line that is not part of a plain paragraph: a list item, a quote, HTML, code, a table. */
const NOT_TEXT = /^(?: {0,3}(?:[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$)|>|<|\|)|\t| {4})/u;
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s+|$)/u;
const INDENTED = /^(?:\t| {4})/u;
/** What begins another block, so that nothing after it belongs to the list before: a heading, a fence, a quote, a rule. */
const ENDS_LIST =
  /^ {0,3}(?:#{1,6}(?:\s|$)|`{3}|~{3}|>|(?:-[ \t]*){3,}$|(?:\*[ \t]*){3,}$|(?:_[ \t]*){3,}$)/u;
/** What ends a paragraph without an empty line before it. */
const INTERRUPTS = /^ {0,3}(?:[-*+][ \t]+\S|1[.)][ \t]+\S|>)/u;
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/u;

/**
 * The headings of a markdown text, `# Title` or underlined; not those in the frontmatter, in code fences and in HTML comments.
 * @param skip lines at the start that are frontmatter
 */
export function headingsOf(lines: readonly string[], skip: number): Heading[] {
  const headings: Heading[] = [];
  let fence: string | null = null;
  let inComment = false;
  /** The first line of the paragraph the scan is in; null in anything else. */
  let paragraph: number | null = null;
  /** Whether a paragraph may begin here: not right after a line of a list or quote, which it would go on with. */
  let isFree = true;
  /** Lines indented at least so far go on with a list. */
  let listIndent = Number.POSITIVE_INFINITY;
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
    if (ENDS_LIST.test(line) && indentOf(line) < listIndent) listIndent = Number.POSITIVE_INFINITY;
    const underlined: number | null = paragraph;
    const wasFree: boolean = isFree;
    paragraph = null;
    isFree = true;
    if (mark !== null) {
      const [, run = "", info = ""] = mark;
      // An info string with a backtick makes it inline code, not a fence.
      if (run[0] === "~" || !info.includes("`")) {
        fence = run;
        continue;
      }
    }
    if (COMMENT.test(line)) {
      inComment = !line.includes("-->");
      continue;
    }
    const match = ATX.exec(line);
    if (match !== null) {
      const text = (match[2] ?? "").replace(/(?:^|[ \t]+)#+[ \t]*$/u, "").trim();
      headings.push({ line: at + 1, level: match[1]?.length ?? 1, text });
      continue;
    }
    if (line.trim() === "") continue;
    const underline = UNDERLINE.exec(line)?.[1];
    if (underline !== undefined && underlined !== null) {
      const text = lines.slice(underlined, at).map((each) => each.trim());
      const level = underline.startsWith("=") ? 1 : 2;
      headings.push({ line: underlined + 1, level, text: text.join(" ") });
    } else if (RULE.test(line)) continue;
    else if (underlined !== null && !INTERRUPTS.test(line)) paragraph = underlined;
    else {
      const begins: boolean = underlined === null && wasFree;
      const isInList: boolean = indentOf(line) >= listIndent;
      if (!isInList && (begins || ITEM.test(line))) listIndent = itemIndent(line);
      if (begins && !isInList && !NOT_TEXT.test(line)) paragraph = at;
      else isFree = begins && !isInList && INDENTED.test(line);
    }
  }
  return headings;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** How far what belongs to a list item is indented; infinitely when the line begins none. */
function itemIndent(line: string): number {
  return ITEM.exec(line)?.[0].length ?? Number.POSITIVE_INFINITY;
}

/** Number of lines the frontmatter, in YAML or TOML, takes at the top of `lines`, its two rules included; 0 when there is none. */
export function frontmatterLines(lines: readonly string[]): number {
  const isToml = lines[0]?.startsWith("+++") === true;
  if (!isToml && lines[0]?.startsWith("---") !== true) return 0;
  // A return that is still there is text, not part of a line ending.
  const shown = lines.slice(0, MOST_BLOCK_LINES + 2);
  const text = shown.map((line) => (line.endsWith("\r") ? `${line}\r` : line)).join("\n");
  const block = isToml ? findTomlBlock(text) : findBlock(text);
  return block === null ? 0 : countLines(text.slice(0, block.end));
}
