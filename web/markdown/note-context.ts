import type { LineRange } from "../app/addresses.ts";
import type { KnownPaths } from "../tree/known-paths.ts";
import type { ParsedNote } from "./parse.ts";

/** What the nodes of a note need to know of the note. */
export interface NoteContext extends Pick<ParsedNote, "definitions" | "footnotes"> {
  /** `vault/…` */
  readonly file: string;
  /** All files; null while they are not known. */
  readonly known: KnownPaths | null;
  /** Lines before the parsed text: of the frontmatter. */
  readonly linesBefore: number;
  /** The lines that a link points to. */
  readonly marked: LineRange | null;
}
