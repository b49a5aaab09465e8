import { existsSync } from "node:fs";
import path from "node:path";

/** Where the owner of a vault publishes how to reach it. Apart from owner-lock.ts, which takes long to load. */
export function ownerFile(state: string): string {
  return path.join(state, "owner.json");
}

/** False when no process owns the vault; a file left by a killed owner makes it true as well. */
export function isOwnerPublished(state: string): boolean {
  return existsSync(ownerFile(state));
}
