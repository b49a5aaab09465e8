import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";

/**
 * Everything under a folder, hidden files too: a line for each thing by its name on disk (so that NFC and NFD differ), with what
 * it is, its mode, and its content. Two folders with equal snapshots cannot be told apart by looking.
 * @param times whether the files' times of change count
 */
export function snapshotOf(root: string, { times = false } = {}): Record<string, string> {
  const seen: Record<string, string> = {};
  const look = (place: string, name: string): void => {
    const stat = lstatSync(place, { bigint: true });
    const mode = (stat.mode & 0o7777n).toString(8);
    const owner = `${stat.uid}:${stat.gid}`;
    if (stat.isSymbolicLink()) seen[name] = `link to ${readlinkSync(place)}`;
    else if (stat.isDirectory()) {
      seen[name] = `folder ${mode} ${owner}`;
      for (const child of readdirSync(place)) look(path.join(place, child), `${name}/${child}`);
    } else if (stat.isFile()) {
      const hash = createHash("sha256").update(readFileSync(place)).digest("hex").slice(0, 16);
      const time = times ? ` ${stat.mtimeNs}` : "";
      seen[name] = `file ${mode} ${owner} ${stat.size} bytes ${hash}${time}`;
    } else seen[name] = `special ${mode}`;
  };
  for (const child of readdirSync(root)) look(path.join(root, child), child);
  return seen;
}

/** Names under a folder that the vault's writes left unfinished. */
export function leftovers(root: string): string[] {
  return Object.keys(snapshotOf(root)).filter((name) => name.includes(".coffre-tmp-"));
}
