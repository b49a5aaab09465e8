/** How many notes got frontmatter, for a terminal. */
export function writingText(done: number, total: number): string {
  return `Writing frontmatter: ${done} of ${total} notes`;
}
