import { useEffect, useRef, useState, type ReactNode } from "react";

interface LazyPiecesProps {
  readonly count: number;
  /** Pixels that a piece probably takes. */
  readonly heightOf: (index: number) => number;
  /** The piece that has to be there at once, because it is gone to; null for none. */
  readonly wanted: number | null;
  readonly className?: string;
  readonly children: (index: number) => ReactNode;
}

/** Pixels: pieces are made before they come into sight. */
const AHEAD = "1500px 0px";

/**
 * Something long in pieces. Those in sight are made first, the others one by one when the browser has nothing to do, so that its own search
 * finds all of it; those out of sight are not laid out.
 */
export function LazyPieces(props: LazyPiecesProps): ReactNode {
  const { count, heightOf, wanted, className = "", children } = props;
  return Array.from({ length: count }, (_, index) => (
    <LazyPiece
      key={index}
      isWanted={index === 0 || index === wanted}
      height={heightOf(index)}
      className={className}
    >
      {() => children(index)}
    </LazyPiece>
  ));
}

interface LazyPieceProps {
  readonly isWanted: boolean;
  readonly height: number;
  readonly className: string;
  readonly children: () => ReactNode;
}

function LazyPiece({ isWanted, height, className, children }: LazyPieceProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [isMade, setMade] = useState(isWanted);
  useEffect(() => {
    const element = box.current;
    if (isMade || element === null) return;
    const make = (): void => setMade(true);
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) make();
      },
      { root: element.closest("main"), rootMargin: AHEAD },
    );
    observer.observe(element);
    const forget = whenIdle(make);
    return () => {
      observer.disconnect();
      forget();
    };
  }, [isMade]);
  const isShown = isMade || isWanted;
  return (
    <div
      ref={box}
      className={`[content-visibility:auto] ${className}`}
      style={{
        containIntrinsicBlockSize: `auto ${height}px`,
        ...(isShown ? {} : { height }),
      }}
    >
      {isShown ? children() : null}
    </div>
  );
}

const waiting = new Set<() => void>();
let isScheduled = false;

/** Calls `job` when the browser has nothing to do, one job at a time; the function that it returns calls that off. */
function whenIdle(job: () => void): () => void {
  waiting.add(job);
  schedule();
  return () => void waiting.delete(job);
}

function schedule(): void {
  if (isScheduled || waiting.size === 0) return;
  isScheduled = true;
  const next = (): void => {
    isScheduled = false;
    const [job] = waiting;
    if (job === undefined) return;
    waiting.delete(job);
    job();
    schedule();
  };
  // Safari has no idle callbacks.
  if ("requestIdleCallback" in window) window.requestIdleCallback(next);
  else setTimeout(next, 60);
}
