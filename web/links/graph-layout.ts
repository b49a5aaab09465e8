import type { LinksAnswer } from "../../src/server/api/contract.ts";

/** A note beside the one that is read. */
export interface Neighbour {
  readonly path: string;
  /** Which way the links go. */
  readonly direction: "to" | "from" | "both";
  /** From the middle, -1 to 1. */
  readonly x: number;
  readonly y: number;
}

export interface Neighbours {
  readonly shown: readonly Neighbour[];
  /** How many more there are. */
  readonly more: number;
}

/** More would be a ball of names. */
export const MOST_NEIGHBOURS = 16;

/**
 * The notes that a note links to, and those that link to it, in a circle around it. Of many, those that are linked both ways come first, then
 * as many of the one kind as of the other.
 */
export function neighboursOf(
  path: string,
  { outgoing, incoming }: Pick<LinksAnswer, "outgoing" | "incoming">,
): Neighbours {
  const targets = new Set(outgoing.flatMap(({ to }) => (to === null || to === path ? [] : [to])));
  const sources = new Set(incoming.map((link) => link.path));
  const both = new Set([...sources].filter((each) => targets.has(each)));
  const [from, to] = [sources, targets].map((all) => [...all].filter((each) => !both.has(each)));
  const byTurns = Array.from({ length: Math.max(sources.size, targets.size) }, (_, at) => [
    ...(from ?? []).slice(at, at + 1),
    ...(to ?? []).slice(at, at + 1),
  ]).flat();
  const all = [...both, ...byTurns];
  const chosen = all.slice(0, MOST_NEIGHBOURS);
  const shown = chosen.map((each, at): Neighbour => {
    const angle = (at / chosen.length) * 2 * Math.PI - Math.PI / 2;
    const direction = both.has(each) ? "both" : sources.has(each) ? "from" : "to";
    return { path: each, direction, x: Math.cos(angle), y: Math.sin(angle) };
  });
  return { shown, more: all.length - shown.length };
}
