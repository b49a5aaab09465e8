import { isUnder, parentOf, type VaultPath } from "../paths.ts";
import type { Change, HistoryEntry } from "./history-types.ts";

/** A recorded move, with the number of its entry: later ones have greater numbers. */
export interface RecordedMove {
  readonly seq: number;
  readonly path: VaultPath;
  readonly to: VaultPath;
}

/** What was moved since some entries were recorded. */
export interface MovesAfter {
  /** The numbers of those entries, by their id. */
  readonly seqs: ReadonlyMap<string, number>;
  /** All moves in and after the oldest of them, in the order in which they were made. */
  readonly moves: readonly RecordedMove[];
}

/** Where a place of an old entry is by now. */
export type NowAt = (place: VaultPath) => VaultPath;

/** Follows the places that entries of the history name through all later moves, of themselves and of the folders above them. */
export class MovedPlaces {
  readonly #seqs: ReadonlyMap<string, number>;
  readonly #moves: readonly RecordedMove[];
  /** By what was moved: which of the moves, in their order. */
  readonly #bySource: ReadonlyMap<VaultPath, readonly number[]>;

  constructor({ seqs, moves }: MovesAfter) {
    this.#seqs = seqs;
    this.#moves = moves;
    this.#bySource = Map.groupBy(moves.keys(), (at) => moves[at]?.path ?? "");
  }

  /** For the places of one change of an entry: its own move counts, and what was moved after it in the same entry. */
  after({ id, changes }: HistoryEntry, change: Change): NowAt {
    const within = changes.slice(changes.indexOf(change));
    // Of an entry that was forgotten meanwhile, every move that is known is a later one.
    const seq = this.#seqs.get(id) ?? -1;
    const later = this.#moves.findIndex((move) => move.seq > seq);
    return (place) => {
      let at = place;
      for (const move of within) if (move.kind === "move") at = movedBy(move, at);
      return later === -1 ? at : this.#follow(at, later);
    };
  }

  #follow(place: VaultPath, from: number): VaultPath {
    let at = place;
    for (let next = from; ;) {
      const found = this.#nextOf(at, next);
      const move = found === null ? undefined : this.#moves[found];
      if (found === null || move === undefined) return at;
      at = movedBy(move, at);
      next = found + 1;
    }
  }

  /** The first move of a place, or of a folder above it, of those not passed yet. */
  #nextOf(place: VaultPath, from: number): number | null {
    let first: number | null = null;
    for (let at = place; at !== ""; at = parentOf(at)) {
      const found = this.#bySource.get(at)?.find((each) => each >= from);
      if (found !== undefined && (first === null || found < first)) first = found;
    }
    return first;
  }
}

function movedBy({ path, to }: Pick<RecordedMove, "path" | "to">, place: VaultPath): VaultPath {
  return isUnder(place, path) ? to + place.slice(path.length) : place;
}

/** A move as a database has it. */
export function recordedMove(seq: unknown, row: Readonly<Record<string, unknown>>): RecordedMove {
  return { seq: Number(seq), path: String(row["path"]), to: String(row["to_path"]) };
}

/** The number from which on moves are needed: from the first on when one of the entries was forgotten meanwhile. */
export function oldestOf(seqs: ReadonlyMap<string, number>, ids: readonly string[]): number {
  return ids.reduce((oldest, id) => Math.min(oldest, seqs.get(id) ?? 0), Number.MAX_SAFE_INTEGER);
}
