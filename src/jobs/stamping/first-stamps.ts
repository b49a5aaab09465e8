import { newId, type EntryFacts } from "../../vault/history/history.ts";

/** Milliseconds after the last first stamp in which another one belongs to the same entry. */
const BURST = 10_000;

/** The entry of the history for first stamps: many in a row form one, so that one undo takes them all back. */
export class FirstStamps {
  #entry: EntryFacts | null = null;
  #last = 0;
  #isFixed = false;

  /** The entry for a file stamped now. */
  entry(now: Date): EntryFacts {
    const isOver = Math.abs(now.getTime() - this.#last) > BURST;
    this.#last = now.getTime();
    if (this.#entry === null || (isOver && !this.#isFixed)) {
      const author = { actor: "coffre", call: "frontmatter", batch: null };
      this.#entry = { id: newId(now), at: now, author };
    }
    return this.#entry;
  }

  /** All files are being stamped because the person asked for it, also those whose first stamp was undone before. */
  get isAdopting(): boolean {
    return this.#isFixed;
  }

  /** From now on all of them belong to this entry; null for entries of their own again. */
  fix(entry: EntryFacts | null): void {
    this.#entry = entry;
    this.#isFixed = entry !== null;
  }
}
