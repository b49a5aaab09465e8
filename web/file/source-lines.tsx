import { useEffect, useMemo, useRef, type ReactNode } from "react";

import type { LineRange } from "../app/addresses.ts";

interface SourceLinesProps {
  readonly text: string;
  readonly marked: LineRange | null;
}

/** Lines that are laid out together: those out of sight cost nothing. */
const PIECE = 100;

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

  return (
    <div ref={box} className="font-mono text-[0.8125rem]/6">
      {pieces.map(({ first, lines }) => (
        <div key={first} className="[contain-intrinsic-size:auto_150rem] [content-visibility:auto]">
          {lines.map((line, index) => {
            const number = first + index;
            const isMarked = marked !== null && number >= marked.start && number <= marked.end;
            return (
              <div
                key={number}
                className={`flex ${isMarked ? "bg-mark/60" : ""}`}
                {...(isMarked ? { "data-marked": true } : {})}
              >
                <span className="w-12 shrink-0 select-none pr-4 text-right tabular-nums text-muted">
                  {number}
                </span>
                <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">{line}</span>
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}
