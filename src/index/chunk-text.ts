import { createHash } from "node:crypto";

const JOB_LINE = /^(?:created|updated|tokens):.*(?:\n|$)/gmu;
const FRONTMATTER = /^---\n([\s\S]*?\n)?---(?:\n+|$)/u;

/**
 * The start of a file without the keys that the program itself writes into its frontmatter, and without a frontmatter that has no others:
 * a file says the same before and after it was stamped.
 */
export function withoutJobLines(text: string): string {
  return text.replace(FRONTMATTER, (block, keys: string | undefined) => {
    const own = (keys ?? "").replaceAll(JOB_LINE, "");
    return own.trim() === "" ? "" : block.replaceAll(JOB_LINE, "");
  });
}

/** Short, and the same for sections that say the same. */
export function hashOf(headings: readonly string[], text: string): string {
  return createHash("sha1")
    .update(`${headings.join("\n")}\0${text}`)
    .digest("base64");
}
