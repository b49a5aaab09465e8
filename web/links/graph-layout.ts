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

/** More would be a ball of names. */
export const MOST_NEIGHBOURS = 16;

/** The notes that a note links to, and those that link to it, in a circle around it. */
export function neighboursOf(path: string, { outgoing, incoming }: LinksAnswer): Neighbour[] {
  const targets = new Set(outgoing.flatMap(({ to }) => (to === null || to === path ? [] : [to])));
  const sources = new Set(incoming.map((link) => link.path));
  const all = [...new Set([...sources, ...targets])].slice(0, MOST_NEIGHBOURS);
  return all.map((each, at) => {
    const angle = (at / all.length) * 2 * Math.PI - Math.PI / 2;
    const isFrom = sources.has(each);
    const direction = isFrom && targets.has(each) ? "both" : isFrom ? "from" : "to";
    return { path: each, direction, x: Math.cos(angle), y: Math.sin(angle) };
  });
}
