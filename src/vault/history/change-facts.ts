import type { Change, FileOrigin } from "./history-types.ts";

/** The hashes of the bytes that a change keeps. */
export function blobsOf(change: Change): string[] {
  switch (change.kind) {
    case "create":
      return change.after === null ? [] : [change.after];
    case "modify":
      return "wholeBefore" in change.kept
        ? [change.kept.wholeBefore, change.kept.wholeAfter]
        : [change.kept.removed, change.kept.inserted];
    case "remove":
    case "restore":
      return change.items.flatMap((item) => (item.kind === "file" ? [item.bytes] : []));
    case "move":
      return [];
  }
}

/** A change of a file, for {@link originOf}. */
export interface OriginStep {
  readonly change: Change;
  /** It was a first stamp, or took one back; null for any other change. */
  readonly stamp: "done" | "undone" | null;
}

/**
 * How a file came to be as it is.
 * @param steps the changes recorded under its path, newest first
 * @param hash of the person's part of it, as it is now
 */
export function originOf(steps: Iterable<OriginStep>, hash: string): FileOrigin {
  let isLatest = true;
  for (const { change, stamp } of steps) {
    if (change.kind !== "create" && change.kind !== "modify") return null;
    if (stamp === "undone") return "stamp undone";
    // Only what was there before us has its first stamp recorded.
    if (stamp === "done") return null;
    // Another program changed it since: it may have put its own file there.
    if (isLatest && change.version.hash !== null && change.version.hash !== hash) return null;
    if (change.kind === "create") return "made";
    isLatest = false;
  }
  return null;
}

/**
 * The undo of an entry, or of its batch, that has not itself been undone.
 * @param undosOf the entries that undo one of two ids, newest first
 */
export function standingUndo(
  id: string,
  batch: string | null,
  undosOf: (id: string, other: string) => readonly string[],
): string | null {
  const undos = undosOf(id, batch ?? id);
  return undos.find((undo) => standingUndo(undo, null, undosOf) === null) ?? null;
}
