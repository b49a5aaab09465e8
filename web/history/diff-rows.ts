import type { Hunk } from "../../src/server/api/contract.ts";

/** A piece of a changed line; `isChanged` is what differs from its counterpart. */
export interface DiffPiece {
  readonly text: string;
  readonly isChanged: boolean;
}

export interface DiffRow {
  readonly kind: "added" | "removed" | "same" | "gap";
  /** Line numbers before and after; null on the side that lacks the line, and where its place is not known. */
  readonly before: number | null;
  readonly after: number | null;
  readonly pieces: readonly DiffPiece[];
}

/** The rows of a diff, with a row `gap` between its hunks. */
export function diffRows(hunks: readonly Hunk[]): DiffRow[] {
  const rows = hunks.flatMap(({ oldStart, newStart, lines }, index): DiffRow[] => {
    let [before, after] = [oldStart, newStart];
    const next = (number: number | null): number | null => (number === null ? null : number + 1);
    const own = lines.map(({ kind, text }): DiffRow => {
      const row = {
        kind,
        before: kind === "added" ? null : before,
        after: kind === "removed" ? null : after,
        pieces: whole(text),
      };
      if (kind !== "added") before = next(before);
      if (kind !== "removed") after = next(after);
      return row;
    });
    return index === 0 ? own : [{ kind: "gap", before: null, after: null, pieces: [] }, ...own];
  });
  return pairUp(rows);
}

/** Where as many lines came as went, each is compared with its counterpart. */
function pairUp(rows: readonly DiffRow[]): DiffRow[] {
  const paired = [...rows];
  for (let at = 0; at < rows.length; at += 1) {
    const removed = runLength(rows, at, "removed");
    const added = runLength(rows, at + removed, "added");
    if (removed > 0 && removed === added) {
      for (let index = at; index < at + removed; index += 1) {
        const [old, fresh] = [rows[index], rows[index + removed]];
        if (old === undefined || fresh === undefined) continue;
        const [oldPieces, freshPieces] = compare(textOf(old), textOf(fresh));
        paired[index] = { ...old, pieces: oldPieces };
        paired[index + removed] = { ...fresh, pieces: freshPieces };
      }
    }
    at += Math.max(0, removed + added - 1);
  }
  return paired;
}

function runLength(rows: readonly DiffRow[], from: number, kind: DiffRow["kind"]): number {
  let length = 0;
  while (rows[from + length]?.kind === kind) length += 1;
  return length;
}

function textOf({ pieces }: DiffRow): string {
  return pieces.map(({ text }) => text).join("");
}

/** What two lines have in common at both ends, and what differs between. */
function compare(old: string, fresh: string): [DiffPiece[], DiffPiece[]] {
  const shorter = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < shorter && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  // Lines with little in common are two lines, not one that was changed.
  if (start + end < shorter * 0.3) return [whole(old), whole(fresh)];
  return [cut(old, start, end), cut(fresh, start, end)];
}

function whole(text: string): DiffPiece[] {
  return [{ text, isChanged: false }];
}

function cut(text: string, start: number, end: number): DiffPiece[] {
  const pieces = [
    { text: text.slice(0, start), isChanged: false },
    { text: text.slice(start, text.length - end), isChanged: true },
    { text: text.slice(text.length - end), isChanged: false },
  ];
  return pieces.filter((piece) => piece.text !== "");
}
