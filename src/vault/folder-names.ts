import { lstatSync, readdirSync, realpathSync, type Stats } from "node:fs";
import path from "node:path";

import { errnoOf } from "../errors.ts";
import { nameKey } from "./paths.ts";

/** Where the system corrects the case of a name that it resolves. */
const CORRECTS_CASE = ["darwin", "win32"].includes(process.platform);
/** Folders whose names are remembered. */
const REMEMBERED = 64;
/** Milliseconds after which two changes of a folder have different times; the second for disks that keep whole seconds. */
const TICK = 100;
const LONG_TICK = 2500;
const SECOND = 1_000_000_000n;

/** The names of one folder that are shown in another form than they have on disk: usually none. */
interface KnownFolder {
  /** Differs when a name was added or removed. */
  readonly state: string;
  /** When this state was first seen, in milliseconds: a change in the same tick of the disk's clock cannot be told from it. */
  readonly seen: number;
  readonly isSure: boolean;
  readonly byShown: ReadonlyMap<string, string>;
}

/** Finds names on disk by the form in which they are shown, without listing a folder for every file in it. */
export class FolderNames {
  readonly #folders = new Map<string, KnownFolder>();

  /**
   * Which of the names on disk a shown name means: the same one, else the first that is shown so. Null when there is none.
   * Throws the system's error when the folder cannot be listed.
   * @param folder a real path
   */
  find(folder: string, name: string): string | null {
    return isExactName(folder, name) ? name : (this.#otherForms(folder).get(name) ?? null);
  }

  #otherForms(folder: string): ReadonlyMap<string, string> {
    const { dev, ino, mtimeNs, ctimeNs } = lstatSync(folder, { bigint: true });
    const state = `${dev}:${ino}:${mtimeNs}:${ctimeNs}`;
    const now = performance.now();
    const known = this.#folders.get(folder);
    const isSame = known?.state === state;
    if (isSame && known.isSure) return known.byShown;
    const seen = isSame ? known.seen : now;
    const isSure = now - seen > (mtimeNs % SECOND === 0n ? LONG_TICK : TICK);
    const byShown = otherForms(readdirSync(folder));
    this.#folders.delete(folder);
    this.#folders.set(folder, { state, seen, isSure, byShown });
    const oldest = this.#folders.keys().next();
    if (this.#folders.size > REMEMBERED && !oldest.done) this.#folders.delete(oldest.value);
    return byShown;
  }
}

function otherForms(names: readonly string[]): ReadonlyMap<string, string> {
  const forms = new Map<string, string>();
  for (const name of names) {
    const shown = nameKey(name);
    if (shown !== name && !forms.has(shown)) forms.set(shown, name);
  }
  return forms;
}

/** Whether a folder has this very name. A disk that ignores case also finds it by others. */
function isExactName(folder: string, name: string): boolean {
  const place = path.join(folder, name);
  const found = statOf(place);
  if (found === null) return false;
  const otherCase = name.toUpperCase() === name ? name.toLowerCase() : name.toUpperCase();
  const other = otherCase === name ? null : statOf(path.join(folder, otherCase));
  if (other === null || other.ino !== found.ino || other.dev !== found.dev) return true;
  if (CORRECTS_CASE && !found.isSymbolicLink())
    return path.basename(realpathSync.native(place)) === name;
  return readdirSync(folder).includes(name);
}

function statOf(place: string): Stats | null {
  try {
    return lstatSync(place, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
}
