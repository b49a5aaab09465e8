import type { NoteContext } from "./note-context.ts";

/** What a footnote and its call are named on the page: two notes there may have one of the same name. */
export function footnoteName(identifier: string, { footnotesOf = "" }: NoteContext): string {
  return `${footnotesOf}${identifier}`;
}
