import { isDeepStrictEqual } from "node:util";

import type { Entry } from "./clients.ts";
import { vaultOfEntry } from "./launch.ts";
import { isSettings } from "./settings.ts";

/** What an entry says instead of the one before it. */
export interface Renewed {
  readonly entry: Entry;
  /** What a person had added, and still stands: options as they are written, settings by their names, since they hold keys. */
  readonly kept: readonly string[];
  /** Settings that went with an entry that did not start `coffre mcp`. */
  readonly lost: readonly string[];
}

/** How a client starts a server: what is wrong here cannot be a person's wish. */
const LAUNCHING = new Set(["type", "source", "command", "cmd", "args", "name"]);

/** Options of `coffre mcp` that `coffre connect` writes itself; each has a value. */
const OWN_OPTIONS = ["--vault", "--state", "--profile"];

/**
 * A new entry in the place of one that started `coffre mcp` too: it starts the new command, and keeps all that a person added. A client that
 * was bounded by hand (`--write`, `--preview`) must not become free, and keys in `env` are nowhere else.
 */
export function renewed(previous: unknown, entry: Entry): Renewed {
  const own = wordsOf(entry);
  if (!isSettings(previous)) return { entry, kept: [], lost: [] };
  const words = wordsOf(previous);
  if (own === null || words === null || words.after === null) {
    const lost = Object.keys(previous).filter(
      (key) => !LAUNCHING.has(key) && !Object.hasOwn(entry, key),
    );
    return { entry, kept: [], lost };
  }
  const isSameVault = vaultOfEntry(previous) === vaultOfEntry(entry);
  const added = addedTo(own.all, words.after, isSameVault);
  const isForeign = (key: string): boolean => !LAUNCHING.has(key);
  const stays = Object.entries(previous).filter(
    ([key]) => isForeign(key) || Object.hasOwn(entry, key),
  );
  const fresh = Object.entries(entry).filter(
    ([key]) => !isForeign(key) || !Object.hasOwn(previous, key),
  );
  const foreign = Object.keys(previous).filter(isForeign);
  return {
    // In the order of the old one, so that a file under version control shows what changed and nothing else.
    entry: {
      ...Object.fromEntries([...stays, ...fresh]),
      [own.key]: [...own.all, ...added.flat()],
    },
    kept: [
      ...added.map((each) => each.join(" ")),
      ...foreign.filter((key) => !isDeepStrictEqual(previous[key], entry[key])),
    ],
    lost: [],
  };
}

interface Words {
  readonly key: string;
  readonly all: readonly unknown[];
  /** What follows the word `mcp`; null where it is missing. */
  readonly after: readonly unknown[] | null;
}

/** The list of an entry that has the arguments: some clients have the command in it too. */
function wordsOf(entry: Entry): Words | null {
  for (const key of ["args", "command"]) {
    const all = entry[key];
    if (!Array.isArray(all)) continue;
    const at = all.indexOf("mcp");
    return { key, all, after: at < 0 ? null : all.slice(at + 1) };
  }
  return null;
}

/** The words that a person added, each option with what follows it. Profile and state are theirs where the new command names none. */
function addedTo(
  own: readonly unknown[],
  words: readonly unknown[],
  isSameVault: boolean,
): unknown[][] {
  const groups: unknown[][] = [];
  for (const word of words) {
    const isOption = typeof word === "string" && word.startsWith("-");
    const group = isOption ? undefined : groups.at(-1);
    if (group === undefined) groups.push([word]);
    else group.push(word);
  }
  return groups.filter(([first]) => {
    const name = OWN_OPTIONS.find((each) => first === each || isAssigned(first, each));
    if (name === undefined) return true;
    if (name === "--vault" || own.includes(name)) return false;
    return name === "--profile" || isSameVault;
  });
}

function isAssigned(word: unknown, option: string): boolean {
  return typeof word === "string" && word.startsWith(`${option}=`);
}
