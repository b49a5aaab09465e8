import { ExpectedError } from "../../errors.ts";
import { blobsOf } from "./change-facts.ts";
import { keptBytes, type History } from "./history.ts";

/** The entries whose old bytes are kept however old they become. */
const PINNED_CALL = "adopt";

/**
 * Copies a history into another one, oldest entry first, with the ids, times and old bytes that it has. An entry is copied whole or not at all,
 * and one that is there already is left: so a copy that was cut off can be continued.
 * @param onEntry called with how many of how many are done
 */
export async function copyHistory(
  from: History,
  to: History,
  onEntry?: (done: number, total: number) => void,
): Promise<number> {
  const newestFirst = await from.entries({ path: null, limit: Number.MAX_SAFE_INTEGER });
  for (const [at, entry] of newestFirst.toReversed().entries()) {
    onEntry?.(at, newestFirst.length);
    if ((await to.entry(entry.id)) !== null) continue;
    const { id, actor, call, batch, undoes, changes } = entry;
    const kept: Buffer[] = [];
    for (const hash of new Set(changes.flatMap(blobsOf))) {
      const bytes = await bytesOf(from, hash);
      if (bytes !== null) kept.push(bytes);
    }
    const author = { actor, call, batch, isPinned: call === PINNED_CALL };
    await to.recordAll(
      { id, at: entry.at, author: undoes === null ? author : { ...author, undoes } },
      (keep) => {
        for (const bytes of kept) keep([bytes]);
        return changes;
      },
    );
  }
  return newestFirst.length;
}

/** Null when they are no longer kept. */
async function bytesOf(history: History, hash: string): Promise<Buffer | null> {
  try {
    return await keptBytes(history, hash);
  } catch (error) {
    if (error instanceof ExpectedError && error.code === "not_found") return null;
    throw error;
  }
}
