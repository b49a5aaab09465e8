import { BOM } from "../../text/utf8.ts";
import { BLOCK_WINDOW, findBlock } from "./frontmatter.ts";

/** A key `private` at the start of a line, as YAML, TOML and JSON write it, and what follows it. */
const KEY = /^[ \t]*["']?private["']?[ \t]*[:=](.*)$/imu;
const FALSE = /^(?:false|no|off|n|0|null|~|non|)$/iu;
/** Of a block that is not closed, as while somebody types it. */
const UNCLOSED_LINES = 50;
/** TOML and JSON. */
const OTHER_BLOCK = /^(?:\+\+\+[ \t]*\r?\n([\s\S]*?)\r?\n\+\+\+|\{[ \t]*\r?\n([\s\S]*?)\r?\n\})/u;
const OPENING = /^(?:---|\+\+\+|\{)[ \t]*\r?(?:\n|$)/u;

/**
 * Whether a note says of itself that it is private: `private: true` in its frontmatter. In doubt it does: any value but a plain no counts, and so
 * does a block that is not closed yet.
 */
export function isMarkedPrivate(text: string): boolean {
  const block = frontmatterOf(text.startsWith(BOM) ? text.slice(BOM.length) : text);
  const value = block === null ? null : KEY.exec(block)?.[1];
  if (value === null || value === undefined || block === null) return false;
  const said = value.replace(/(?:^|\s)#.*$/u, "").replaceAll(/["',\s]/gu, "");
  if (said !== "") return !FALSE.test(said);
  // The value may stand on the lines below.
  const rest = block.slice(block.search(KEY)).split(/\r?\n/u)[1] ?? "";
  return /^\s+\S/u.test(rest) && !FALSE.test(rest.trim());
}

/** Whether the whole frontmatter of a file is within these first bytes of it. */
export function holdsFrontmatter(head: string, isWholeFile: boolean): boolean {
  if (isWholeFile || head.length >= BLOCK_WINDOW) return true;
  const text = head.startsWith(BOM) ? head.slice(BOM.length) : head;
  if (!OPENING.test(text)) return true;
  return findBlock(text) !== null || OTHER_BLOCK.test(text);
}

function frontmatterOf(text: string): string | null {
  const found = findBlock(text);
  if (found !== null) return text.slice(found.open, found.close);
  const other = OTHER_BLOCK.exec(text);
  if (other !== null) return other[1] ?? other[2] ?? "";
  if (!OPENING.test(text)) return null;
  return text.split("\n").slice(1, UNCLOSED_LINES).join("\n");
}
