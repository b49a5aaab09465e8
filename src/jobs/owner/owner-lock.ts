import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";

import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import { SameFile } from "../../storage/same-file.ts";
import { connect, sqliteProblem } from "../../storage/sqlite.ts";
import { ownerFile } from "./owner-file.ts";

/** Its holder is the owner. Only processes that want to be the owner open it, so that "locked" always means an owner. */
const CLAIM = "owner.sqlite";
/** Locked by the owner too, so that others can check for an owner without ever blocking one. */
const ALIVE = "owner-alive.sqlite";
/** Milliseconds. Those who check hold it for microseconds. */
const ALIVE_TIMEOUT = 10_000;

const Info = z.object({
  pid: z.int().positive(),
  /** The socket or named pipe it answers on. */
  endpoint: z.string().min(1),
  version: z.string(),
  /** ISO time. */
  started: z.string(),
  /** Where the page is, for an owner that also answers on TCP. */
  address: z.string().optional(),
});

/** The process that owns a vault, and how to reach it. */
export type OwnerInfo = Readonly<z.infer<typeof Info>>;

/** Held by the one process that serves a vault. Gone with the process, however it ends. */
export interface Ownership {
  /** Publishes how to reach this process. */
  publish(facts: Omit<OwnerInfo, "pid">): void;
  /** Why this process is no longer the only owner: its locks were removed from the state folder. Null while it is. */
  problem(): string | null;
  /** Lets another process become the owner. Does nothing the second time. */
  release(): void;
}

/**
 * Makes this process the owner of the vault with this state folder; null when another one is. Never waits for the other.
 *
 * Like the write lock, it is SQLite's lock on an empty database: the system drops it when its holder dies, so a killed owner blocks
 * nobody.
 */
export function acquireOwnership(state: string): Ownership | null {
  const claim = open(state, CLAIM, 0);
  try {
    if (!lock(claim, state, "BEGIN IMMEDIATE")) {
      claim.close();
      return null;
    }
    // Before anyone can see the new owner: what a killed one published is no longer true.
    removeInfo(state);
    const alive = open(state, ALIVE, ALIVE_TIMEOUT);
    if (lock(alive, state, "BEGIN EXCLUSIVE")) return new HeldOwnership(state, [alive, claim]);
    alive.close();
    throw unusable(state, `${ALIVE} is in use by another program`);
  } catch (error) {
    if (claim.isOpen) claim.close();
    throw error;
  }
}

/** The owner that others can reach now; null when there is none, or it is still starting. */
export function findOwner(state: string): OwnerInfo | null {
  return isOwned(state) ? readInfo(state) : null;
}

/** A lock lasts as long as its database object, which would be collected as garbage if nothing referred to it. */
const held = new Set<HeldOwnership>();

class HeldOwnership implements Ownership {
  readonly #state: string;
  readonly #locks: readonly DatabaseSync[];
  readonly #files: readonly SameFile[];

  constructor(state: string, locks: readonly DatabaseSync[]) {
    this.#state = state;
    this.#locks = locks;
    this.#files = [CLAIM, ALIVE].map((name) => new SameFile(path.join(state, name)));
    held.add(this);
  }

  publish(facts: Omit<OwnerInfo, "pid">): void {
    const info: OwnerInfo = { pid: process.pid, ...facts };
    const file = ownerFile(this.#state);
    inState(this.#state, () => {
      rmSync(`${file}.new`, { force: true });
      writeFileSync(`${file}.new`, `${JSON.stringify(info)}\n`, { flag: "wx", mode: 0o600 });
      renameSync(`${file}.new`, file);
    });
  }

  problem(): string | null {
    if (this.#files.every((file) => file.isThere)) return null;
    return `The state folder ${this.#state} was removed or replaced while process ${process.pid} was using it. Nothing is written any more: stop this process and start it again.`;
  }

  release(): void {
    if (!held.delete(this)) return;
    try {
      // What is published in a folder that is no longer ours is another owner's.
      if (this.problem() === null) removeInfo(this.#state);
    } finally {
      for (const each of this.#locks) each.close();
    }
  }
}

/** Runs `work` on files of the state folder; the system's errors say what to do about them. */
function inState<T>(state: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof ExpectedError ? error : unusable(state, error);
  }
}

function open(state: string, name: string, timeout: number): DatabaseSync {
  return inState(state, () => connect(path.join(state, name), { timeout }));
}

/** Whether the lock was got; false when another holds it. */
function lock(database: DatabaseSync, state: string, statement: string): boolean {
  try {
    database.exec(statement);
    return true;
  } catch (error) {
    if (sqliteProblem(error) === "busy") return false;
    throw unusable(state, error);
  }
}

function removeInfo(state: string): void {
  inState(state, () => rmSync(ownerFile(state), { force: true }));
}

/** Reading needs only a shared lock, which nothing but an owner's lock prevents. */
function isOwned(state: string): boolean {
  let database: DatabaseSync | null = null;
  try {
    database = connect(path.join(state, ALIVE), { readOnly: true, timeout: 0 });
    database.prepare("SELECT name FROM sqlite_schema").all();
    return false;
  } catch (error) {
    return sqliteProblem(error) === "busy";
  } finally {
    database?.close();
  }
}

function readInfo(state: string): OwnerInfo | null {
  try {
    const text = readFileSync(ownerFile(state), "utf8");
    return Info.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function unusable(state: string, error: unknown): ExpectedError {
  return new ExpectedError(
    "unavailable",
    `The state folder ${state} cannot be used, so no service can run: ${String(error)}. Repair it (its ${CLAIM} and ${ALIVE} may be removed when nothing runs), or give another folder with --state.`,
    { cause: error },
  );
}
