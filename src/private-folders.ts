import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { ExpectedError } from "./errors.ts";
import type { SettingsStore } from "./settings-file.ts";
import type { Change } from "./vault/history/history-types.ts";
import { DROP_FOLDER, isUnder, parsePath, showPath, type VaultPath } from "./vault/paths.ts";
import type { VaultReader } from "./vault/vault.ts";
import { isWithin } from "./vault/visible/read-filter.ts";

/** A folder or file that has another path now. */
type Moved = Pick<Extract<Change, { kind: "move" }>, "path" | "to">;

const Stored = z.object({ private: z.array(z.string()).optional() });

/** Where agents put what they were given: hidden from them, it would be lost to them. */
const NEVER_PRIVATE: readonly VaultPath[] = ["inbox", DROP_FOLDER];

/** Folders and files of a vault that never leave the machine, stored as `private` in `coffre.json`. */
export class PrivateFolders {
  readonly #settings: SettingsStore;
  #paths: readonly VaultPath[] = [];

  /** Throws `invalid_argument` for a file that is not valid: nothing is shown to anybody before that is put right. */
  constructor(settings: SettingsStore) {
    this.#settings = settings;
    this.load();
  }

  /** Reads them again: another process may have changed them. Throws as the constructor does, and hides then what was hidden before. */
  load(): void {
    this.#paths = pathsOf(this.#settings.read(Stored, problem));
  }

  get paths(): readonly VaultPath[] {
    return this.#paths;
  }

  /** Throws `not_found` for what is not there, and `invalid_argument` for what cannot be private. */
  async add(given: string, vault: VaultReader): Promise<void> {
    const { path } = parsePath(given);
    const kept = NEVER_PRIVATE.find((each) => isUnder(each, path) || isUnder(path, each));
    if (path === "" || kept !== undefined) {
      throw new ExpectedError(
        "invalid_argument",
        `${showPath(path, "folder")} cannot be private: agents put there what they cannot file. Mark the folders in the vault that they must not see.`,
      );
    }
    await vault.get(path);
    await this.#change((marked) =>
      marked.some((each) => isWithin(path, each))
        ? marked
        : [...marked.filter((each) => !isWithin(each, path)), path],
    );
  }

  /** Throws `not_found` for what is not marked. */
  async remove(given: string): Promise<void> {
    const { path } = parsePath(given);
    await this.#change((marked) => {
      if (marked.includes(path)) return marked.filter((each) => each !== path);
      const known = marked.map((each) => showPath(each)).join(", ");
      throw new ExpectedError(
        "not_found",
        `${showPath(path)} is not marked private. ${known === "" ? "Nothing is." : `These are: ${known}.`}`,
      );
    });
  }

  /** A folder that is moved through the vault stays private. */
  follow(change: Change): Promise<void> | void {
    if (change.kind !== "move") return;
    if (this.#paths.some((each) => isWithin(each, change.path))) return this.followAll([change]);
  }

  /** The same where others may have marked something that is not known here yet: what is stored counts. */
  followAll(moves: readonly Moved[]): Promise<void> | void {
    return this.#change((marked) =>
      moves.reduce<readonly VaultPath[]>(
        (paths, { path, to }) =>
          paths.map((each) => (isWithin(each, path) ? to + each.slice(path.length) : each)),
        marked,
      ),
    );
  }

  /** For people: marked places that are gone, as after a rename by another program. */
  async alarms(vault: VaultReader): Promise<string[]> {
    const alarms: string[] = [];
    for (const path of this.#paths)
      if (await isGone(path, vault))
        alarms.push(
          `${showPath(path)} is marked private and is not there. If it has another name now, mark that: coffre private add PATH; else: coffre private remove ${showPath(path)}`,
        );
    return alarms;
  }

  #change(next: (marked: readonly VaultPath[]) => readonly VaultPath[]): Promise<void> | void {
    const changing = this.#settings.change(Stored, problem, (stored) => {
      const marked = pathsOf(stored);
      const paths = next(marked);
      if (isDeepStrictEqual(paths, marked)) return null;
      return { private: paths.length === 0 ? undefined : paths.toSorted() };
    });
    if (changing === undefined) return this.load();
    return changing.then(() => this.load());
  }
}

function problem(name: string): string {
  return `"private" in ${name} is not a list of paths, such as ["journal"].`;
}

function pathsOf({ private: given = [] }: z.infer<typeof Stored>): readonly VaultPath[] {
  return given.map((path) => parsePath(path).path).filter((path) => path !== "");
}

async function isGone(path: VaultPath, vault: VaultReader): Promise<boolean> {
  try {
    return (await vault.find(path)).kind === "missing";
  } catch (error) {
    // Ignored by now, and so hidden from everybody.
    if (error instanceof ExpectedError) return false;
    throw error;
  }
}
