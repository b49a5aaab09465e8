import { ExpectedError } from "../../errors.ts";
import { SMALL_FILE } from "../files/version.ts";
import type { Change } from "../history/history-types.ts";
import { isUnder, joinPath, parentOf, showPath, type VaultPath } from "../paths.ts";
import type { VaultReader, VaultWriter } from "../vault.ts";
import { alreadyExists, intoItself } from "../write/atomic-write.ts";

/** A vault that copies files before they are changed. */
export interface CopyingVault extends VaultReader {
  /** Copies a file. Resolves to where it is, links followed. */
  bring(place: VaultPath): Promise<VaultPath>;
  /** Copies a file, or a folder with all under it. */
  bringAll(place: VaultPath): Promise<void>;
  /** Keeps the bytes of a new file that is too large for the history. */
  keepLarge(bytes: Buffer): Promise<void>;
  /** Takes over a change of the copies. */
  note(change: Change): void;
}

/** A writer that changes copies, and refuses what the vault below would refuse. */
export function overlayWriter(overlay: CopyingVault, inner: VaultWriter): VaultWriter {
  const { writer } = inner;
  let noted = writer.done.length;
  /** At once: those who listen to a database are told when the change is committed. */
  const note = (): void => {
    for (const change of writer.done.slice(noted)) overlay.note(change);
    noted = writer.done.length;
  };
  /** A file on the way to a new one is refused by the copies, once they have it. */
  const refuseTaken = async (place: VaultPath): Promise<void> => {
    const isInFolder = (await overlay.find(parentOf(place))).kind === "folder";
    if (isInFolder && (await overlay.find(place)).kind !== "missing") throw alreadyExists(place);
  };
  const prepare = async (place: VaultPath): Promise<VaultPath> => {
    const real = await realPlace(overlay, place);
    for (let at = parentOf(real); at !== ""; at = parentOf(at))
      if ((await overlay.find(at)).kind === "file") await overlay.bring(at);
    return real;
  };
  const refuseLink = async (place: VaultPath): Promise<void> => {
    const { path } = await overlay.get(place);
    if (path !== place)
      throw new ExpectedError(
        "invalid_argument",
        `${showPath(place)} is a link, which cannot be moved or removed in a preview.`,
      );
  };
  const present = async (place: VaultPath): Promise<VaultPath> => {
    // The vault below names near paths when it is missing; the copies refuse a folder once they have it.
    const { kind } = await overlay.get(place);
    if (kind === "folder") await inner.makeFolder(place);
    return overlay.bring(place);
  };
  return {
    writer: {
      id: writer.id,
      done: writer.done,
      create: async (place, bytes) => {
        await refuseTaken(place);
        const target = await prepare(place);
        if (bytes.length > SMALL_FILE) await overlay.keepLarge(bytes);
        await writer.create(target, bytes);
        note();
      },
      update: async (seen, bytes, how) => {
        await writer.update(seen, bytes, how);
        note();
      },
      splice: async (seen, splice, how) => {
        await writer.splice(seen, splice, how);
        note();
      },
      move: async (from, to) => {
        await refuseLink(from);
        await refuseTaken(to);
        const { kind } = await overlay.get(from);
        if (kind === "folder" && isUnder(to, from)) throw intoItself(from);
        const target = await prepare(to);
        await overlay.bringAll(from);
        const moved = await writer.move(from, target);
        note();
        return moved;
      },
      remove: async (place) => {
        await refuseLink(place);
        await overlay.bringAll(place);
        const removed = await writer.remove(place);
        note();
        return removed;
      },
    },
    readWhole: async (place) => inner.readWhole(await present(place)),
    makeFolder: async (place) => inner.makeFolder(place),
    readEnds: async (place, window) => inner.readEnds(await present(place), window),
  };
}

/** A path with the links on the way to its folder followed: a new file is made there. */
async function realPlace(vault: VaultReader, place: VaultPath): Promise<VaultPath> {
  const parent = parentOf(place);
  if (parent === "") return place;
  const found = await vault.find(parent);
  return found.kind === "missing" ? place : joinPath(found.path, place.slice(parent.length + 1));
}
