import { z } from "zod";

import { Kept, NOTHING } from "../tidy/kept-proposals.ts";
import type { TeamSettings } from "./team-settings.ts";

const Tidied = z.object({ tidied: Kept.optional() });

/** What is kept of tidying a vault in PostgreSQL, among its settings. */
export class TeamProposals {
  readonly #settings: Pick<TeamSettings, "read" | "save">;
  readonly #onBug: (error: unknown, doing: string) => void;
  /** What was written counts here at once, and no longer than until the database agreed or not. */
  #written: Kept | null = null;
  #saving: Promise<void> = Promise.resolve();

  constructor(
    settings: Pick<TeamSettings, "read" | "save">,
    onBug: (error: unknown, doing: string) => void,
  ) {
    this.#settings = settings;
    this.#onBug = onBug;
  }

  read(): Kept {
    return this.#written ?? this.#settings.read(Tidied, () => "").tidied ?? NOTHING;
  }

  write(tidied: Kept): void {
    this.#written = tidied;
    this.#saving = this.#saving.then(async () => this.#save(tidied));
  }

  /** Resolves when what was written is in the database, or was refused. */
  async saved(): Promise<void> {
    await this.#saving;
  }

  async #save(tidied: Kept): Promise<void> {
    try {
      await this.#settings.save({ tidied });
    } catch (error) {
      this.#onBug(error, "tidying");
    } finally {
      if (this.#written === tidied) this.#written = null;
    }
  }
}
