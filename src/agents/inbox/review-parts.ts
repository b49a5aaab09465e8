/* The parts of an item's review, which has four headings: looked for, found, proposed, asked. */

/** The same in English and French. A line begins after `\n` alone: other line breaks can stand in a title, which others write. */
const QUESTION = /(?<![^\n])## +Questions?[^\n]*\n+([\s\S]*?)(?=(?<![^\n])#|(?![\s\S]))/u;

/** Null when there is none. */
export function questionIn(review: string): string | null {
  const found = QUESTION.exec(review)?.[1]?.trim();
  return found === undefined || found === "" ? null : found;
}

/** What a review proposes and asks: its section before the question, with the question. Empty for a review without one. */
export function proposalIn(review: string): string {
  const { index, 0: asked } = QUESTION.exec(review) ?? { index: 0, 0: "" };
  const before = review.slice(0, index);
  const heading = before.lastIndexOf("\n## ");
  return `${heading < 0 ? "" : before.slice(heading + 1)}${asked}`.trim();
}
