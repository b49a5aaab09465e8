/** The keys the background job owns. Everything else in a block is the person's. */
export const JOB_KEYS = ["created", "updated", "tokens"] as const;
export type JobKey = (typeof JOB_KEYS)[number];

export function isJobKey(key: string): key is JobKey {
  return JOB_KEYS.some((owned) => owned === key);
}

/** Where the frontmatter stands in a text that begins with it. Offsets in the units of that text. */
export interface FrontmatterBlock {
  /** First character of the YAML, after the opening `---` line. */
  readonly open: number;
  /** First character of the closing line. */
  readonly close: number;
  /** First character after the closing line and its line ending. */
  readonly end: number;
}

/** A block that does not close within this many lines is a text that happens to begin with a rule. */
export const MOST_BLOCK_LINES = 1000;

/** How much of a large file is looked at to find its block. */
export const BLOCK_WINDOW = 256 * 1024;

const FIRST_LINE = /^---[ \t]*\r?\n/u;
const LAST_LINE = /^(?:---|\.\.\.)[ \t]*\r?$/u;

/**
 * Finds the frontmatter of `text`, which starts where the file's text starts (after a byte-order mark).
 * Works as well on bytes read as latin1, where an offset is a byte offset.
 */
export function findBlock(text: string): FrontmatterBlock | null {
  const open = FIRST_LINE.exec(text)?.[0].length;
  if (open === undefined) return null;
  for (let at = open, line = 0; at < text.length && line < MOST_BLOCK_LINES; line += 1) {
    const newline = text.indexOf("\n", at);
    const lineEnd = newline < 0 ? text.length : newline;
    if (LAST_LINE.test(text.slice(at, lineEnd))) {
      return { open, close: at, end: newline < 0 ? lineEnd : newline + 1 };
    }
    if (newline < 0) return null;
    at = newline + 1;
  }
  return null;
}
