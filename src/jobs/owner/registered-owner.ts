import { readFileSync } from "node:fs";

import { isOwnerPublished } from "./owner-file.ts";

/** The process that owns a vault, wherever it keeps the vault's state. Apart from vault-registry.ts, which takes long to load. */
export interface RegisteredOwner {
  readonly pid: number;
  readonly state: string;
}

/** @param file the vault's place in the registry */
export function registeredOwner(file: string): RegisteredOwner | null {
  try {
    const found: unknown = JSON.parse(readFileSync(`${file}.json`, "utf8"));
    if (typeof found !== "object" || found === null) return null;
    const { pid, state }: { pid?: unknown; state?: unknown } = found;
    return typeof pid === "number" && typeof state === "string" ? { pid, state } : null;
  } catch {
    return null;
  }
}

/** The state folder of the process that owns the vault now and can be asked; null when there is none. A killed one does not count. */
export function registeredState(file: string): string | null {
  const owner = registeredOwner(file);
  return owner !== null && isRunning(owner.pid) && isOwnerPublished(owner.state)
    ? owner.state
    : null;
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
