import { rmSync, writeFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";

import { ExpectedError } from "../../errors.ts";
import { SameFile } from "../../storage/same-file.ts";
import { connect, sqliteProblem } from "../../storage/sqlite.ts";
import { registeredOwner } from "./registered-owner.ts";

/** Milliseconds. The system drops the locks of a killed process one after the other. */
const TIMEOUT = 2000;
const RETRY_DELAY = 20;

/** A vault that this process owns, as the registry has it. */
export interface Registration {
  /** Does nothing the second time. */
  release(): void;
}

/** A lock lasts as long as its database object, which would be collected as garbage if nothing referred to it. */
const held = new Set<DatabaseSync>();

/**
 * Registers this process as the owner of a vault, by the vault's folder: the lock in the state folder cannot tell that another process owns the
 * same vault with another state folder, or with one that was removed meanwhile. A registry that cannot be written is done without.
 * @param file the vault's place in the registry, which every process of this user computes alike
 * @throws ExpectedError `busy` when another process is registered
 */
export async function registerOwner(
  file: string,
  { root, state }: { readonly root: string; readonly state: string },
): Promise<Registration> {
  const latest = performance.now() + TIMEOUT;
  for (;;) {
    const lock = tryLock(`${file}.sqlite`);
    if (lock === null) return { release: () => {} };
    if (lock !== "taken") return new HeldRegistration(file, state, lock);
    if (performance.now() > latest) throw taken(file, root, state);
    await pause(RETRY_DELAY);
  }
}

/** Null when there can be no registry. */
function tryLock(file: string): DatabaseSync | "taken" | null {
  let database: DatabaseSync | null = null;
  try {
    database = connect(file, { timeout: 0 });
    const opened = new SameFile(file);
    database.exec("BEGIN EXCLUSIVE");
    if (opened.isThere) return database;
    // The owner before removed the file when it left: the next one is another.
    database.close();
    return "taken";
  } catch (error) {
    database?.close();
    return sqliteProblem(error) === "busy" ? "taken" : null;
  }
}

class HeldRegistration implements Registration {
  readonly #file: string;
  readonly #lock: DatabaseSync;

  constructor(file: string, state: string, lock: DatabaseSync) {
    this.#file = file;
    this.#lock = lock;
    held.add(lock);
    try {
      const facts = JSON.stringify({ pid: process.pid, state });
      writeFileSync(`${file}.json`, `${facts}\n`, { mode: 0o600 });
    } catch {
      // Others are refused without being told where to ask.
    }
  }

  release(): void {
    if (!held.delete(this.#lock)) return;
    try {
      // While it is locked, so that nobody locks a file that is about to go.
      for (const ending of [".json", ".sqlite"]) rmSync(this.#file + ending, { force: true });
    } catch {
      // What stays is not believed: its process is gone.
    } finally {
      this.#lock.close();
    }
  }
}

function taken(file: string, root: string, state: string): ExpectedError {
  const owner = registeredOwner(file);
  const who = owner === null ? "Another process" : `The process ${owner.pid}`;
  const isSame = owner?.state === state;
  const advice = isSame
    ? "It was started before this state folder was created again: stop it, then try again."
    : `It keeps the vault's state in ${owner?.state ?? "another folder"}: use that one with --state, or stop the process first.`;
  return new ExpectedError("busy", `${who} owns the vault ${root}. ${advice}`);
}
