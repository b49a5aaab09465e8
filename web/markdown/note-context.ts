import type { LineRange } from "../app/route.ts";
import type { ParsedNote } from "./parse.ts";

/** What the nodes of a note need to know of the note. */
export interface NoteContext extends Pick<ParsedNote, "definitions" | "footnotes"> {
  /** `vault/…` */
  readonly file: string;
  /** The paths of all files; null while they are not known. */
  readonly known: readonly string[] | null;
  /** Lines before the parsed text: of the frontmatter. */
  readonly linesBefore: number;
  /** The lines that a link points to. */
  readonly marked: LineRange | null;
}
