import { watchLimit } from "./watch-disk.ts";

/** Why a folder is not watched. `open`: the folder itself could not be opened or read. */
export interface WatchFailure {
  readonly step: "open" | "watch";
  readonly errno: string;
}

const INSTEAD = "so the vault is scanned every few seconds instead";

/**
 * A sentence for the person about a folder that is not watched; null when they need do nothing: a folder they may not read is no
 * part of the vault for them.
 */
export function describeFailure({ step, errno }: WatchFailure, place: string): string | null {
  if (errno === "EACCES" || errno === "EPERM") return null;
  if (step === "watch" && errno === "ENOSPC") {
    return `The system watches no more folders for this user, ${INSTEAD}${raising("max_user_watches", 524_288)}.`;
  }
  if (step === "watch" && errno === "EMFILE") {
    return `The system starts no more watchers for this user, ${INSTEAD}${raising("max_user_instances", 512)}.`;
  }
  if (errno === "EMFILE" || errno === "ENFILE") {
    return `Too many files are open to watch every folder, ${INSTEAD}; raise the limit with \`ulimit -n 65536\`.`;
  }
  return `The folder ${place} cannot be watched (${errno}), ${INSTEAD}.`;
}

export function describeLostRoot(root: string): string {
  return `The vault's folder ${root} is gone, cannot be read, or is suddenly empty: was it moved, or is its disk not mounted? It is checked every few seconds.`;
}

/** The command that doubles a limit of the kernel, where the kernel has one. */
function raising(limit: string, least: number): string {
  const current = watchLimit(limit);
  if (current === null) return "";
  const raised = Math.max(least, current * 2);
  return `; raise the limit with \`sudo sysctl fs.inotify.${limit}=${raised}\``;
}
