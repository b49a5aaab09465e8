import type { ChangeGuard } from "../../vault/history/history-types.ts";
import type { VaultPath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import type { UpdateInput } from "../contract.ts";
import { proposalIn } from "../inbox/review-parts.ts";
import {
  answeringGuard,
  foreignGuard,
  namedGuard,
  OwnPaths,
  relayedGuard,
  standingBefore,
  untrustedGuard,
  type Before,
} from "./write-guards.ts";

/** The inbox item that a run answers. */
export interface AnsweredItem {
  readonly folder: VaultPath;
  readonly review: string;
  /** It came from outside, or was written by a run that had read what did. */
  readonly isUntrusted: boolean;
}

interface RunFacts {
  readonly input: Pick<UpdateInput, "content" | "isUntrusted" | "isRelayed">;
  readonly answered: AnsweredItem | null;
  /** Where the program put the originals for the model to move. */
  readonly ready: VaultPath | null;
  /** What it may change at all, whoever spoke. */
  readonly within?: ChangeGuard;
}

/** What one run may change: by who spoke, and less from the moment on when it has read text from outside. */
export class RunBounds {
  readonly own: OwnPaths;
  readonly #guards: ChangeGuard[] = [];
  readonly #before: Before;
  #isUntrusted: boolean;

  static async of(facts: RunFacts, vault: VaultReader): Promise<RunBounds> {
    return new RunBounds(facts, await standingBefore(vault));
  }

  constructor({ input, answered, ready, within }: RunFacts, before: Before) {
    this.#before = before;
    this.#isUntrusted = false;
    this.own = new OwnPaths([ready, answered?.folder ?? null]);
    if (within !== undefined) this.#guards.push(within);
    if (before.isForeign) this.#guards.push(foreignGuard(input.content));
    if (input.isRelayed) this.#guards.push(relayedGuard(this.own));
    if (answered !== null) {
      const { folder, review, isUntrusted } = answered;
      const proposed = proposalIn(review);
      this.#guards.push(answeringGuard(folder, isUntrusted ? "" : proposed, this.own));
      // The rest of a review has the words of others in it: its title, and the files that these words led to.
      if (isUntrusted) this.#guards.push(namedGuard(proposed, before, this.own));
    }
    if (input.isUntrusted) this.taint();
  }

  /** Whether the run carries text from outside by now. */
  get isUntrusted(): boolean {
    return this.#isUntrusted;
  }

  /** The run has text from outside in its context: for the rest of it, it may only add to inbox and buckets. */
  taint(): void {
    if (this.#isUntrusted) return;
    this.#isUntrusted = true;
    this.#guards.push(untrustedGuard(this.#before, this.own));
  }

  readonly guard: ChangeGuard = (deed, path) => {
    for (const guard of this.#guards) guard(deed, path);
    if (deed === "add") this.own.add(path);
  };
}
