import { existsSync } from "node:fs";
import path from "node:path";

/** Where the owner of a vault says how to reach it. Apart from the lock, which takes longer to load than a command that has no owner needs. */
export function ownerFile(state: string): string {
  return path.join(state, "owner.json");
}

/** False when no process answers for the vault; true does not yet mean that one does. */
export function isOwnerPublished(state: string): boolean {
  return existsSync(ownerFile(state));
}
