import { useEffect, type RefObject } from "react";

/** Milliseconds after the place was reached first: what stands above it may still be loading for so long. */
const PATIENCE = 2000;
/** Milliseconds without scrolling, after which the place is kept. */
const AT_REST = 120;
const BY_HAND = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

/**
 * Begins each view at its top, and comes back to one where it was left: browsers keep that place only for a whole document, and this page scrolls
 * within one. It is kept in the browser's own history, beside the address.
 * @param place names the view
 */
export function useKeptScroll(box: RefObject<HTMLElement | null>, place: string): void {
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const kept = keptScroll();
    const release = kept === 0 ? goTo(element, 0) : holdAt(element, kept);
    let timer: number | undefined;
    const onScroll = (): void => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => {
        window.history.replaceState({ scroll: element.scrollTop }, "");
      }, AT_REST);
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      release();
      window.clearTimeout(timer);
      element.removeEventListener("scroll", onScroll);
    };
  }, [box, place]);
}

function keptScroll(): number {
  const state: unknown = window.history.state;
  const isKept = typeof state === "object" && state !== null && "scroll" in state;
  return isKept && typeof state.scroll === "number" ? state.scroll : 0;
}

function goTo(element: HTMLElement, top: number): () => void {
  element.scrollTo(0, top);
  return () => {};
}

/** Goes there again as the content grows, however slowly it loads, until it is all there or the person moves on. */
function holdAt(element: HTMLElement, top: number): () => void {
  let timer: number | undefined;
  const observer = new ResizeObserver(() => {
    element.scrollTo(0, top);
    const isReached = Math.abs(element.scrollTop - top) < 1;
    if (isReached) timer ??= window.setTimeout(() => release(), PATIENCE);
  });
  for (const child of element.children) observer.observe(child);
  const release = (): void => {
    observer.disconnect();
    window.clearTimeout(timer);
    for (const event of BY_HAND) window.removeEventListener(event, release);
  };
  for (const event of BY_HAND) window.addEventListener(event, release, { passive: true });
  return release;
}
