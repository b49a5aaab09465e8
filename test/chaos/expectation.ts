import type { DocumentState, Effect, Step } from "../../src/testing/chaos/chaos-log.ts";

/** Whether a journal line must be there, may be, or must not. */
type Presence = "there" | "maybe" | "gone";

/** What must be in the vault, after all that was done to it. What a killed process tried last may have happened or not. */
export class Expectation {
  readonly #documents = new Map<string, readonly DocumentState[]>();
  readonly #lines = new Map<string, Presence>();

  /** The states a document can be in. */
  documents(): IterableIterator<readonly [string, readonly DocumentState[]]> {
    return this.#documents.entries();
  }

  lines(): IterableIterator<readonly [string, Presence]> {
    return this.#lines.entries();
  }

  /** A document is in this state, and no other. */
  set(state: DocumentState): void {
    this.#documents.set(state.id, [state]);
  }

  /** A document may also be in this state. */
  may({ id, at, version }: DocumentState): void {
    this.#documents.set(id, [...(this.#documents.get(id) ?? []), { id, at, version }]);
  }

  setLine(name: string, presence: Presence): void {
    this.#lines.set(name, presence);
  }

  /** A line nobody asks about any more. */
  forgetLine(name: string): void {
    this.#lines.delete(name);
  }

  /** Takes in what a process wrote down. Returns what went wrong in it. */
  take(steps: readonly Step[]): string[] {
    const problems: string[] = [];
    for (const [at, { phase, call, effect, note }] of steps.entries()) {
      if (phase === "done") this.#did(effect);
      else if (phase === "bug") problems.push(`${call} failed: ${note}`);
      else if (phase === "try" && at === steps.length - 1) this.#tried(effect);
    }
    return problems;
  }

  #did({ after, added, removed }: Effect): void {
    for (const state of after) this.set(state);
    for (const name of added) this.#lines.set(name, "there");
    for (const name of removed) this.#lines.set(name, "gone");
  }

  #tried({ after, added, removed }: Effect): void {
    for (const state of after) {
      if (!this.#documents.has(state.id)) this.set({ id: state.id, at: null, version: 0 });
      this.may(state);
    }
    for (const name of [...added, ...removed]) this.#lines.set(name, "maybe");
  }
}
