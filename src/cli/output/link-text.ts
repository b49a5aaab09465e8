/** What a person needs to know of a link. */
export function linkText(link: string): string {
  return `This link works once, for 10 minutes:\n${link}`;
}
