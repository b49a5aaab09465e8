import { errnoOf, ExpectedError } from "../../errors.ts";
import type { Disk } from "../disk.ts";
import type { History } from "../history/history.ts";
import type { Change } from "../history/history-types.ts";
import type { VaultPath } from "../paths.ts";
import { takeBackMove } from "./unfinished-writes.ts";

/**
 * Moves that a failing disk refused when the file had its new name already, and kept both names. Their record stays in the history until the
 * new name is gone: if the process is killed before, the next start finishes the move by it.
 */
export class HalfMoves {
  readonly #moves = new Set<{ readonly id: string; readonly change: Change }>();

  get size(): number {
    return this.#moves.size;
  }

  /** @param id the entry of the history that records the move */
  add(id: string, change: Change): void {
    this.#moves.add({ id, change });
  }

  /** Takes them back; what the disk still refuses waits for the next time. Returns the names that are gone. The caller is the only writer. */
  async takeBack(
    disk: Disk,
    history: () => Promise<Pick<History, "retractPaths">>,
  ): Promise<VaultPath[]> {
    const gone: VaultPath[] = [];
    for (const half of this.#moves) {
      const { id, change } = half;
      try {
        takeBackMove(disk, change);
        await (await history()).retractPaths(id, [change.path]);
      } catch (error) {
        if (errnoOf(error) === null && !(error instanceof ExpectedError)) throw error;
        continue;
      }
      this.#moves.delete(half);
      if (change.kind === "move") gone.push(change.to);
    }
    return gone;
  }
}
