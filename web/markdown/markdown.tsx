import { useEffect, useMemo, useRef, type ReactNode } from "react";

import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import type { LineRange } from "../app/addresses.ts";
import { LazyPieces } from "../ui/lazy-pieces.tsx";
import { HEADING_ID, renderBlocks } from "./blocks.tsx";
import { Embed } from "./embeds/embed.tsx";
import { Footnotes } from "./footnotes.tsx";
import type { NoteContext } from "./note-context.ts";
import { parseMarkdown, slugOf } from "./parse.ts";
import { pieceAtLine, splitNote, type NotePiece } from "./pieces.ts";
import { referencesIn, referencesOf, type References } from "./references.ts";
import { blockIn, sectionOf } from "./sections.ts";

export interface MarkdownProps {
  readonly text: string;
  /** The file it is from: `vault/…` */
  readonly file: string;
  /** Lines of the file before this text. */
  readonly linesBefore?: number;
  /** The lines that are marked, and brought into sight. */
  readonly marked?: LineRange | null;
  /** The heading that is brought into sight. */
  readonly anchor?: string | null;
  readonly meanings?: NoteContext["meanings"];
  readonly onTick?: NoteContext["onTick"];
}

/** A note as it is read. A long one is parsed and shown in pieces. */
export function Markdown(props: MarkdownProps): ReactNode {
  const { text, file, linesBefore = 0, meanings, onTick } = props;
  const block = blockIn(props.anchor ?? "");
  const ofBlock = useMemo(() => linesOf(text, block, linesBefore), [text, block, linesBefore]);
  const marked = props.marked ?? ofBlock;
  const anchor = block === null ? (props.anchor ?? null) : null;
  const { files } = useServices();
  const known = useStore(files.paths);
  const box = useRef<HTMLDivElement>(null);
  const pieces = useMemo(() => splitNote(text), [text]);
  const note = useMemo(
    () => ({
      file,
      known,
      linesBefore,
      marked,
      meanings: meanings ?? null,
      onTick,
      embed: Embed,
    }),
    [file, known, linesBefore, marked, meanings, onTick],
  );

  // Only on navigation: a change of the text must not scroll the page.
  const place = block ?? (marked === null ? anchor : `${marked.start}-${marked.end}`);
  useEffect(() => {
    if (place === null || box.current === null) return;
    const shown = box.current;
    const heading = slugsOf(anchor)
      .map((slug) => shown.querySelector(`#${CSS.escape(HEADING_ID + slug)}`))
      .find((each) => each !== null);
    const found = heading ?? shown.querySelector(".marked");
    found?.scrollIntoView({ block: heading === undefined ? "center" : "start" });
  }, [place, anchor, file]);

  const isLong = pieces.length > 1;
  return (
    <div ref={box} className={isLong ? "" : "prose"}>
      {isLong ? (
        <LongNote text={text} pieces={pieces} note={note} anchor={anchor} />
      ) : (
        <ShortNote text={text} note={note} />
      )}
    </div>
  );
}

/** The lines that `#^block` names. */
function linesOf(text: string, block: string | null, linesBefore: number): LineRange | null {
  const found = block === null ? null : sectionOf(text, block);
  if (found === null) return null;
  const start = linesBefore + found.line + 1;
  return { start, end: start + found.text.split("\n").length - 1 };
}

/** What a heading may be called that a link names: of `Heading#Sub`, the last part. */
function slugsOf(anchor: string | null): string[] {
  return anchor === null ? [] : [slugOf(anchor), slugOf(anchor.split("#").at(-1) ?? "")];
}

type NoteFacts = Omit<NoteContext, "definitions" | "footnotes">;

function ShortNote({ text, note }: { readonly text: string; readonly note: NoteFacts }): ReactNode {
  const parsed = useMemo(() => parseMarkdown(text), [text]);
  return useMemo(() => {
    const context = { ...note, ...parsed };
    return (
      <>
        {renderBlocks(parsed.root.children, text, context)}
        <Footnotes text={text} note={context} />
      </>
    );
  }, [parsed, text, note]);
}

interface LongNoteProps {
  readonly text: string;
  readonly pieces: readonly NotePiece[];
  readonly note: NoteFacts;
  readonly anchor: string | null;
}

/** Pixels, of a line as it is written: a guess, until a piece was laid out. */
const LINE = 26;

function LongNote({ text, pieces, note, anchor }: LongNoteProps): ReactNode {
  const references = useMemo(() => referencesIn(text), [text]);
  const wanted = useMemo(
    () => wantedPiece(pieces, note.marked, note.linesBefore, anchor),
    [pieces, note, anchor],
  );
  const footnotes = useMemo(() => parseMarkdown(references.footnotes), [references]);
  return (
    <>
      <LazyPieces
        count={pieces.length}
        wanted={wanted}
        className="prose piece"
        heightOf={(index) => (pieces[index]?.text.split("\n").length ?? 1) * LINE}
      >
        {(index) => {
          const piece = pieces[index];
          return piece === undefined ? null : (
            <Piece piece={piece} references={references} note={note} />
          );
        }}
      </LazyPieces>
      <div className="prose">
        <Footnotes
          text={references.footnotes}
          note={{ ...note, ...footnotes, marked: null, onTick: undefined }}
        />
      </div>
    </>
  );
}

interface PieceProps {
  readonly piece: NotePiece;
  readonly references: References;
  readonly note: NoteFacts;
}

function Piece({ piece, references, note }: PieceProps): ReactNode {
  const { text, line } = piece;
  const more = useMemo(() => referencesOf(text, references), [text, references]);
  const source = more === "" ? text : `${text}\n\n${more}`;
  const parsed = useMemo(() => parseMarkdown(source), [source]);
  return useMemo(() => {
    const { onTick } = note;
    return renderBlocks(parsed.root.children, source, {
      ...note,
      ...parsed,
      linesBefore: note.linesBefore + line,
      onTick: onTick === undefined ? undefined : (at, isDone) => onTick(at + line, isDone),
    });
  }, [parsed, source, note, line]);
}

function wantedPiece(
  pieces: readonly NotePiece[],
  marked: LineRange | null,
  linesBefore: number,
  anchor: string | null,
): number | null {
  if (marked !== null) return pieceAtLine(pieces, marked.start - linesBefore);
  if (anchor === null) return null;
  const slugs = slugsOf(anchor);
  const found = pieces.findIndex(({ text }) =>
    [...text.matchAll(/^#{1,6}[ \t]+(.+)$/gmu)].some(([, title = ""]) =>
      slugs.includes(slugOf(title)),
    ),
  );
  return found < 0 ? null : found;
}
