import type { ComponentType, ReactNode } from "react";

import type { LineRange } from "../app/addresses.ts";
import type { LinkMeanings } from "../links/link-meanings.ts";
import type { KnownPaths } from "../tree/known-paths.ts";
import type { ParsedNote } from "./parse.ts";

export interface EmbedProps {
  /** What stands in `![[…]]` before a `|`. */
  readonly inside: string;
  readonly label: string;
  readonly note: NoteContext;
  /** It is a paragraph of its own: a note is shown there, and linked to anywhere else. */
  readonly isBlock: boolean;
}

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
  /** What its links mean, as far as the service said. */
  readonly meanings?: LinkMeanings | null;
  /** Ticks the task at a line of the parsed text; without it, tasks only show. */
  readonly onTick?: ((line: number, isDone: boolean) => void) | undefined;
  /** Shows a file in its place. Given, since it renders notes itself. */
  readonly embed: ComponentType<EmbedProps>;
  /** Shows a piece of plain text; left out, it is shown as it is. */
  readonly highlight?: (text: string) => ReactNode;
  /** Before the names of its footnotes, where several notes are on one page. */
  readonly footnotesOf?: string;
  /** The notes that this one is shown in, outermost first; left out by a note that stands for itself. */
  readonly within?: readonly string[];
}
