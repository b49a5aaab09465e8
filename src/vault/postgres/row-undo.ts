import { versionHash } from "../files/version.ts";
import { keptBytes, type History } from "../history/history.ts";
import type { RemovedItem } from "../history/history-types.ts";
import type { UndoFiles } from "../history/undo-files.ts";
import { nameOf, type VaultPath } from "../paths.ts";
import { ChangedMeanwhile } from "../write/atomic-write.ts";
import type { Blobs } from "./blobs.ts";
import type { FileRow, TreeRow, TreeRows } from "./tree-rows.ts";

/** The files of a vault in PostgreSQL, as an undo sees them. */
export function rowUndoFiles(
  rows: TreeRows,
  blobs: Blobs,
  history: History,
): UndoFiles<TreeRow, FileRow> {
  const readWhole = async (path: VaultPath): Promise<{ located: FileRow; bytes: Buffer }> => {
    const located = await rows.find(path);
    const bytes = located.kind === "file" ? await blobs.read(located.hash) : null;
    if (located.kind !== "file" || bytes === null) throw new ChangedMeanwhile(path);
    return { located, bytes };
  };
  return {
    lookup: async (path) => rows.lookup(path),
    readWhole,
    read: async (path, use) => {
      const { located, bytes } = await readWhole(path);
      const { length: size } = bytes;
      return use({ located, size, bytes: (at, length) => bytes.subarray(at, at + length) });
    },
    namesIn: async ({ path }) => (await rows.children(path)).map((row) => nameOf(row.path)),
    holdsNoFile: async ({ path }) =>
      (await rows.under(path)).every(({ kind }) => kind === "folder"),
    isStillKept: async ({ path }, items) => isStillKept(await rows.under(path), items, history),
    seen: ({ path, hash }) => ({ path, version: { signature: hash, hash: null } }),
  };
}

/** By content, whatever became of its time; keys of the frontmatter that are ours do not count. */
async function isStillKept(
  rows: readonly TreeRow[],
  items: readonly RemovedItem[],
  history: History,
): Promise<boolean> {
  const top = rows[0]?.path ?? "";
  // The thing itself may have another name by now: only those below it count.
  const found = new Map(rows.map((row) => [row.path.slice(top.length), row]));
  if (found.size !== items.length) return false;
  for (const item of items) {
    const inside = item.name.slice((item.name.split("/")[0] ?? "").length);
    const row = found.get(inside.normalize("NFC"));
    if (row === undefined || row.kind !== item.kind) return false;
    if (row.kind !== "file" || item.kind !== "file" || row.hash === item.bytes) continue;
    if (row.version !== versionHash(await keptBytes(history, item.bytes))) return false;
  }
  return true;
}
