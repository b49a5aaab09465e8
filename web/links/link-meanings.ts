import type { LinksAnswer, NoteLink } from "../../src/server/api/contract.ts";

/** What the links of a note mean, by what is written in them; null for those that lead nowhere. */
export type LinkMeanings = ReadonlyMap<string, string | null>;

/** As links are looked up: which way they are written, and what they name. */
export function linkName(kind: NoteLink["kind"], target: string): string {
  return `${kind} ${target}`;
}

export function meaningsOf({ outgoing }: Pick<LinksAnswer, "outgoing">): LinkMeanings {
  return new Map(outgoing.map(({ kind, target, to }) => [linkName(kind, target), to]));
}
