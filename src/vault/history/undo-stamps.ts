import { setImmediate as nextTurn } from "node:timers/promises";

import { versionHash } from "../files/version.ts";
import type { VaultPath } from "../paths.ts";
import { keptBytes } from "./history.ts";
import type { Change } from "./history-types.ts";
import type { UndoParts } from "./undo.ts";
import type { FoundReplacement, UndoEntry, UndoLocated } from "./undo-files.ts";

/** Files replaced together, and about how many bytes they may have. Each needs an open file for a moment. */
const MOST_FILES = 64;
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Takes back the stamps of files, many together: an adoption has thousands, and one alone waits for the disk three times. From the last change
 * on, up to one that must be taken back alone; those taken back are removed from `changes`.
 * @param total how many changes the whole undo has
 * @returns the paths of files that changed since, which are left as they are
 */
export async function undoStamps<E extends UndoEntry, L extends UndoLocated>(
  changes: Change[],
  parts: UndoParts<E, L>,
  total: number,
): Promise<VaultPath[]> {
  const { writer, onProgress = () => {} } = parts;
  const skipped: VaultPath[] = [];
  for (;;) {
    const { taken, files, changed } = await nextGroup(changes, parts);
    if (taken === 0) return skipped;
    skipped.push(...changed, ...(await writer.replaceAll(files)));
    changes.length -= taken;
    onProgress(total - changes.length, total);
    // Others are answered meanwhile.
    await nextTurn();
  }
}

interface Group<L> {
  /** How many changes it is, the last ones first. */
  readonly taken: number;
  readonly files: readonly FoundReplacement<L>[];
  readonly changed: readonly VaultPath[];
}

/** The next files to be replaced, each once. */
async function nextGroup<E extends UndoEntry, L extends UndoLocated>(
  changes: readonly Change[],
  parts: UndoParts<E, L>,
): Promise<Group<L>> {
  const { history, force } = parts;
  const files = new Map<VaultPath, FoundReplacement<L>>();
  const changed: VaultPath[] = [];
  let [taken, bytes] = [0, 0];
  while (taken < changes.length && files.size < MOST_FILES && bytes < MOST_BYTES) {
    const change = changes.at(-1 - taken);
    if (change?.kind !== "modify" || !("wholeBefore" in change.kept)) break;
    const isFile = (await parts.files.lookup(change.path))?.kind === "file";
    if (!isFile) {
      // Made again from its old bytes, alone.
      if (force) break;
      taken += 1;
      changed.push(change.path);
      continue;
    }
    const { located, bytes: before } = await parts.files.readWhole(change.path);
    if (files.has(located.path)) break;
    taken += 1;
    const after = await keptBytes(history, change.kept.wholeBefore);
    if (!force && versionHash(before) !== change.version.hash) changed.push(change.path);
    // A killed undo may have taken it back already.
    else if (!before.equals(after))
      files.set(located.path, { located, before, after, modified: change.modified });
    bytes += before.length + after.length;
  }
  return { taken, files: [...files.values()], changed };
}
