import type { VaultPath } from "../vault/paths.ts";
import { sameVersion, type FileVersion } from "../vault/files/version.ts";

const REMEMBERED = 10_000;

/** `never` read, read but `changed` since by someone else, or `current`. */
export type ReadState = "never" | "changed" | "current";

/** Which version of which file a caller has seen through `read`. */
export interface Ledger {
  saw(path: VaultPath, version: FileVersion): Promise<void> | void;
  state(path: VaultPath, now: FileVersion): Promise<ReadState> | ReadState;
  /** The caller changed a file itself: it knows the new version if it had read the old one. */
  wrote(path: VaultPath, before: FileVersion, after: FileVersion): Promise<void> | void;
  moved(from: VaultPath, to: VaultPath): Promise<void> | void;
}

/** The ledger of a caller that only this process answers. */
class MemoryLedger implements Ledger {
  readonly #seen = new Map<VaultPath, FileVersion>();

  saw(path: VaultPath, version: FileVersion): void {
    this.#seen.delete(path);
    this.#seen.set(path, version);
    const oldest = this.#seen.keys().next();
    if (this.#seen.size > REMEMBERED && !oldest.done) this.#seen.delete(oldest.value);
  }

  state(path: VaultPath, now: FileVersion): ReadState {
    const seen = this.#seen.get(path);
    if (seen === undefined) return "never";
    return sameVersion(seen, now) ? "current" : "changed";
  }

  wrote(path: VaultPath, before: FileVersion, after: FileVersion): void {
    if (this.state(path, before) === "current") this.saw(path, after);
  }

  moved(from: VaultPath, to: VaultPath): void {
    for (const [path, version] of this.#seen) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      this.#seen.delete(path);
      this.#seen.set(to + path.slice(from.length), version);
    }
  }
}

/** One caller over time: an agent's run, a connection, a command in the shell. */
export interface Session {
  /** Who, for the history: `cli`, `update agent`, a client's name. */
  readonly actor: string;
  readonly ledger: Ledger;
}

export function createSession(actor: string): Session {
  return { actor, ledger: new MemoryLedger() };
}
