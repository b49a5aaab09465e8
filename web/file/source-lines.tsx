import { useEffect, useMemo, useRef, type ReactNode } from "react";

import type { LineRange } from "../app/addresses.ts";
import { LazyPieces } from "../ui/lazy-pieces.tsx";

interface SourceLinesProps {
  readonly text: string;
  readonly marked: LineRange | null;
}

/** Lines that are made and laid out together. */
const PIECE = 100;
/** Pixels. */
const LINE = 24;

/** A file as it is stored, with the numbers of its lines. */
export function SourceLines({ text, marked }: SourceLinesProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const pieces = useMemo(() => {
    const lines = text.replace(/\r?\n$/u, "").split(/\r?\n/u);
    return Array.from({ length: Math.ceil(lines.length / PIECE) }, (_, index) => ({
      first: index * PIECE + 1,
      lines: lines.slice(index * PIECE, (index + 1) * PIECE),
    }));
  }, [text]);

  const place = marked === null ? null : `${marked.start}-${marked.end}`;
  useEffect(() => {
    if (place === null) return;
    box.current?.querySelector("[data-marked]")?.scrollIntoView({ block: "center" });
  }, [place]);

  const isMarked = (number: number): boolean =>
    marked !== null && number >= marked.start && number <= marked.end;
  return (
    <div ref={box} className="font-mono text-[0.8125rem]/6">
      <LazyPieces
        count={pieces.length}
        wanted={marked === null ? null : Math.floor((marked.start - 1) / PIECE)}
        heightOf={(index) => (pieces[index]?.lines.length ?? PIECE) * LINE}
      >
        {(at) => {
          const { first, lines } = pieces[at] ?? { first: 1, lines: [] };
          return lines.map((line, index) => (
            <SourceLine
              key={first + index}
              number={first + index}
              text={line}
              isMarked={isMarked(first + index)}
            />
          ));
        }}
      </LazyPieces>
    </div>
  );
}

interface SourceLineProps {
  readonly number: number;
  readonly text: string;
  readonly isMarked: boolean;
}

function SourceLine({ number, text, isMarked }: SourceLineProps): ReactNode {
  return (
    <div
      className={`flex ${isMarked ? "bg-mark/60" : ""}`}
      {...(isMarked ? { "data-marked": true } : {})}
    >
      <span className="w-12 shrink-0 select-none pr-4 text-right tabular-nums text-muted">
        {number}
      </span>
      <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</span>
    </div>
  );
}
