import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";

import type { Erasure, Needles } from "../vault/history/erase-history.ts";
import { createVault } from "../vault/vault.ts";
import { findInState } from "./state-bytes.ts";

/** In a state folder: copies of notes, with a history of their own, of each change that waits for a yes. */
export const PREVIEWS = "previews";

/**
 * Removes the previews that hold what must not exist, and leaves the others.
 * @param isDry only counts them
 */
export async function erasePreviews(
  state: string,
  { needles, erasure }: { readonly needles: Needles; readonly erasure: Erasure },
  isDry: boolean,
): Promise<number> {
  const folder = path.join(state, PREVIEWS);
  let count = 0;
  for (const id of existsSync(folder) ? readdirSync(folder) : []) {
    const place = path.join(folder, id);
    const found = findInState(place, needles);
    // One that cannot be read may hold it.
    const isHeld = found.files.length + found.unread.length > 0 || (await keeps(place, erasure));
    if (!isHeld) continue;
    count += 1;
    if (!isDry) rmSync(place, { recursive: true, force: true });
  }
  return count;
}

/** Whether its copies or its history, which is compressed, have it. */
async function keeps(place: string, erasure: Erasure): Promise<boolean> {
  const [root, state] = [path.join(place, "notes"), path.join(place, "state")];
  if (!existsSync(root)) return false;
  const copies = createVault({ root, state });
  try {
    if ("path" in erasure && (await copies.find(erasure.path)).kind !== "missing") return true;
    return (await copies.erase(erasure, true)).changes > 0;
  } finally {
    copies.close();
  }
}
