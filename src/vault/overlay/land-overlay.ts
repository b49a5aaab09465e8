import { ExpectedError } from "../../errors.ts";
import { versionHash } from "../files/version.ts";
import type { Change, ChangeAuthor, KeptSplice } from "../history/history-types.ts";
import { showPath, type VaultPath } from "../paths.ts";
import type { CallersVault, VaultReader, VaultWriter } from "../vault.ts";
import type { OverlayVault } from "./overlay-vault.ts";

/** Paths that a refusal names. */
const MOST_NAMED = 5;

/**
 * Makes the changes that were tried in an overlay in the vault itself: all of them as one entry of the history, or none.
 * @returns the id of the entry; null when nothing was changed
 * @throws ExpectedError `conflict` with the files that changed since they were copied
 */
export async function landOverlay(
  overlay: OverlayVault,
  vault: CallersVault,
  author: ChangeAuthor & { readonly batch: string },
): Promise<string | null> {
  try {
    const { id } = await vault.change(author, async (change) => {
      const changed = await changedSince(overlay, vault);
      if (changed.length > 0) throw changedMeanwhile(changed);
      for (const each of await overlay.changes()) await repeat(each, overlay, change);
    });
    return id;
  } catch (error) {
    await takeBack(vault, author);
    throw error;
  }
}

async function takeBack(
  vault: CallersVault,
  { actor, batch }: ChangeAuthor & { readonly batch: string },
): Promise<void> {
  try {
    await vault.undo(batch, { actor, force: false, wasKilled: true });
  } catch (error) {
    if (!(error instanceof ExpectedError && error.code === "not_found")) throw error;
  }
}

function changedMeanwhile(changed: readonly VaultPath[]): ExpectedError {
  const named = changed.slice(0, MOST_NAMED).map((place) => showPath(place));
  const others = changed.length - named.length;
  const list = named.join(", ") + (others > 0 ? ` and ${others} more` : "");
  return new ExpectedError(
    "conflict",
    `Changed since the preview was made: ${list}. Nothing was changed. Reject it and send the note again.`,
  );
}

/** The files of the vault that are no longer as they were when the overlay copied them, and those that came into a folder it takes away. */
export async function changedSince(
  overlay: OverlayVault,
  vault: VaultReader,
): Promise<VaultPath[]> {
  const changed: VaultPath[] = [];
  for (const [place, hash] of overlay.brought)
    if ((await hashOf(vault, place)) !== hash) changed.push(place);
  for (const change of await overlay.changes()) {
    if (change.kind !== "move" && change.kind !== "remove") continue;
    if ((await vault.find(change.path)).kind !== "folder") continue;
    for await (const { path } of vault.walk(change.path))
      if (!overlay.brought.has(path)) changed.push(path);
  }
  return changed;
}

async function hashOf(vault: VaultReader, place: VaultPath): Promise<string | null> {
  if ((await vault.find(place)).kind !== "file") return null;
  return versionHash((await vault.readBytes(place, Number.MAX_SAFE_INTEGER)).bytes);
}

/** Makes a change again that was tried. */
async function repeat(
  change: Change,
  overlay: OverlayVault,
  { writer, readWhole }: VaultWriter,
): Promise<void> {
  switch (change.kind) {
    case "create":
      await writer.create(
        change.path,
        change.after === null
          ? await overlay.largeBytes(change.version)
          : await overlay.kept(change.after),
      );
      return;
    case "modify": {
      const seen = await readWhole(change.path);
      const how = change.relinked === undefined ? {} : { relinked: change.relinked };
      if ("wholeAfter" in change.kept)
        await writer.update(seen, await overlay.kept(change.kept.wholeAfter), how);
      else {
        const splice = await spliceIn(seen.bytes, change.kept, overlay);
        if (splice === null) throw changedMeanwhile([change.path]);
        await writer.splice(seen, splice, how);
      }
      return;
    }
    case "move":
      await writer.move(change.path, change.to);
      return;
    case "remove":
      await writer.remove(change.path);
      return;
    case "restore":
      throw new Error("a change that was taken back is not repeated");
  }
}

/** The background job may have changed the length of the frontmatter since: all below it moved by as much. */
async function spliceIn(
  bytes: Buffer,
  { at, removed: kept, inserted, insertedBytes, fileBytes }: KeptSplice,
  overlay: OverlayVault,
): Promise<{ at: number; removed: Buffer; inserted: Buffer } | null> {
  const removed = await overlay.kept(kept);
  const moved = at + bytes.length - (fileBytes - insertedBytes + removed.length);
  const isThere = moved >= 0 && bytes.subarray(moved, moved + removed.length).equals(removed);
  return isThere ? { at: moved, removed, inserted: await overlay.kept(inserted) } : null;
}
