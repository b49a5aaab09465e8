import { lchownSync, lstatSync, readdirSync } from "node:fs";
import path from "node:path";

const NOBODY = 65_534;

/**
 * Runs `work` with the rights of an ordinary user who owns `folder`. A process that is not root has them already; root takes
 * on those of `nobody` for a while, since no permission stops root.
 */
export async function asOrdinaryUser<T>(folder: string, work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  giveAway(folder, NOBODY);
  process.setegid?.(NOBODY);
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}

/** Gives a folder and all under it to a user, links themselves and not what they lead to. */
export function giveAway(place: string, user: number): void {
  lchownSync(place, user, user);
  if (!lstatSync(place).isDirectory()) return;
  for (const child of readdirSync(place)) giveAway(path.join(place, child), user);
}
