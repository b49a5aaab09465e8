import { ExpectedError } from "../../errors.ts";
import type { RemovedItem } from "../history/history-types.ts";
import { isUnder, parentOf, showPath, type VaultPath } from "../paths.ts";
import type { VaultReader, VaultWriter } from "../vault.ts";
import { intoItself } from "../write/atomic-write.ts";
import { hidesFile, type ReadFilter } from "./read-filter.ts";

export interface WriterParts {
  /** What the caller sees. */
  readonly visible: VaultReader;
  readonly base: VaultReader;
  readonly filter: ReadFilter;
}

/** A writer that changes only what a caller sees, and creates nothing where something is hidden from them. */
export function visibleWriter(
  inner: VaultWriter,
  { visible, base, filter }: WriterParts,
): VaultWriter {
  const { writer } = inner;

  /** Refuses a place for something new that is hidden or taken by what is, or lies in something that is, links followed. */
  const refuseHidden = async (place: VaultPath): Promise<void> => {
    if (await isHiddenThere(place)) throw unusable(place);
    await refuseHiddenFolder(parentOf(place), place);
  };
  const isHiddenThere = async (place: VaultPath): Promise<boolean> =>
    hidesFile(filter, place) ||
    ((await base.find(place)).kind !== "missing" && (await isHidden(place)));
  /** A folder of which nothing is seen is made again, as far as its caller knows. */
  const refuseHiddenFolder = async (folder: VaultPath, place: VaultPath): Promise<void> => {
    for (let at = folder; at !== ""; at = parentOf(at)) {
      const found = await base.find(at);
      if (filter.hidesPath(at) || (found.kind !== "missing" && filter.hidesPath(found.path)))
        throw unusable(place);
      if (found.kind === "file" && (await isHidden(at))) throw unusable(place);
    }
  };

  /** Whether a folder has something that its caller does not see. */
  const holdsHidden = async (folder: VaultPath): Promise<boolean> => {
    for (const each of await base.list(folder)) {
      if (filter.hidesPath(each.path)) return true;
      if (each.kind === "folder" ? await holdsHidden(each.path) : await isHidden(each.path))
        return true;
    }
    return false;
  };
  const isHidden = async (path: VaultPath): Promise<boolean> =>
    (await visible.find(path)).kind === "missing";

  /** What can be moved or removed as a whole in a folder of which not all is seen. */
  async function* seenParts(folder: VaultPath): AsyncGenerator<VaultPath> {
    for (const { path, kind } of await visible.list(folder)) {
      if (kind === "folder" && (await holdsHidden(path))) yield* seenParts(path);
      else yield path;
    }
  }

  const isPartly = async (place: VaultPath): Promise<boolean> => {
    const { kind, path } = await visible.get(place);
    return kind === "folder" && path === place && (await holdsHidden(place));
  };

  const moveParts = async (from: VaultPath, to: VaultPath): Promise<VaultPath> => {
    if (isUnder(to, from)) throw intoItself(from);
    for (const part of await Array.fromAsync(seenParts(from)))
      await writer.move(part, to + part.slice(from.length));
    return to;
  };

  const removeParts = async (place: VaultPath): Promise<readonly RemovedItem[]> => {
    const removed: RemovedItem[] = [];
    for (const part of await Array.fromAsync(seenParts(place)))
      removed.push(...(await writer.remove(part)));
    return removed;
  };

  return {
    writer: {
      id: writer.id,
      done: writer.done,
      create: async (place, bytes) => {
        await refuseHidden(place);
        await writer.create(place, bytes);
      },
      update: async (seen, bytes, how) => {
        await visible.get(seen.path);
        await writer.update(seen, bytes, how);
      },
      splice: async (seen, splice, how) => {
        await visible.get(seen.path);
        await writer.splice(seen, splice, how);
      },
      move: async (from, to) => {
        const isInParts = await isPartly(from);
        await refuseHidden(to);
        return isInParts ? moveParts(from, to) : writer.move(from, to);
      },
      remove: async (place) =>
        (await isPartly(place)) ? removeParts(place) : writer.remove(place),
    },
    readWhole: async (place) => {
      await visible.get(place);
      return inner.readWhole(place);
    },
    makeFolder: async (place) => {
      await refuseHiddenFolder(place, place);
      await inner.makeFolder(place);
    },
    readEnds: async (place, window) => {
      await visible.get(place);
      return inner.readEnds(place, window);
    },
  };
}

/** Says no more of a place than that: whether something is there, and why not, stays hidden. */
export function unusable(place: VaultPath): ExpectedError {
  return new ExpectedError(
    "protected",
    `${showPath(place)} cannot be used here. Choose another path.`,
  );
}
