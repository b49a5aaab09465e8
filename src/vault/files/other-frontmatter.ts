import { BLOCK_WINDOW, otherFrontmatter } from "./frontmatter.ts";
import { headLength } from "./version.ts";

const TOML = /^\+\+\+[ \t]*\r?\n(?:[\s\S]*?\n)?\+\+\+[ \t]*(?:\r?\n|$)/u;
const REST_OF_LINE = /[ \t]*(?:\r?\n|$)/uy;

/**
 * Bytes up to the end of the front matter, of whatever kind: what is put above it would turn TOML and JSON into text.
 * @param head the first bytes of the file
 * @returns why it cannot be told, for front matter that is not closed
 */
export function frontmatterLength(head: Buffer): number | { readonly problem: string } {
  // Of a block of ours, or of a byte-order mark.
  const start = headLength(head);
  // As latin1, an offset is a byte offset.
  const text = head.toString("latin1", start, start + BLOCK_WINDOW);
  const other = start > BOM_BYTES ? null : otherFrontmatter(text);
  if (other === null) return start;
  const length = other.reason === "toml" ? TOML.exec(text)?.[0].length : jsonLength(text);
  return length === undefined ? { problem: `${other.problem} that is not closed` } : start + length;
}

const BOM_BYTES = 3;

/** Up to the brace that closes the first one, with the end of its line; undefined when there is none, or a text beside it. */
function jsonLength(text: string): number | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gsu)) {
    if (token === "{") depth += 1;
    if (token === "}") depth -= 1;
    if (depth > 0) continue;
    REST_OF_LINE.lastIndex = index + 1;
    const rest = REST_OF_LINE.exec(text);
    return rest === null ? undefined : index + 1 + rest[0].length;
  }
  return undefined;
}
