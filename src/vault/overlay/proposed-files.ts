import { isUnder, type VaultPath } from "../paths.ts";
import type { VaultReader } from "../vault.ts";
import type { OverlayVault } from "./overlay-vault.ts";

/** What would become of a file. */
export interface ProposedFile {
  readonly path: VaultPath;
  /** Where it is now, when it would be moved. */
  readonly from: VaultPath | null;
  /** Null for a new file. */
  readonly before: Buffer | null;
  /** Null for a file that would be deleted. */
  readonly after: Buffer | null;
}

/** All that an overlay would change, one row a file, whatever number of changes led to it. */
export async function proposedFiles(overlay: OverlayVault): Promise<ProposedFile[]> {
  const { base, brought } = overlay;
  const now = await placesNow(overlay);
  const proposed: ProposedFile[] = [];
  for (const from of brought.keys()) {
    const place = now.get(from) ?? null;
    const before = await bytesOf(base, from);
    const after = place === null ? null : await bytesOf(overlay, place);
    const isMoved = place !== null && place !== from;
    if (isMoved || !isSame(before, after))
      proposed.push({ path: place ?? from, from: isMoved ? from : null, before, after });
  }
  const known = new Set(now.values());
  for (const place of await overlay.copied())
    if (!known.has(place))
      proposed.push({
        path: place,
        from: null,
        before: null,
        after: await bytesOf(overlay, place),
      });
  return proposed.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Where the files that were copied are by now; null when they are gone. */
async function placesNow(overlay: OverlayVault): Promise<Map<VaultPath, VaultPath>> {
  const now = new Map([...overlay.brought.keys()].map((place) => [place, place]));
  for (const change of await overlay.changes()) {
    if (change.kind !== "move" && change.kind !== "remove") continue;
    for (const [from, place] of now) {
      if (!isUnder(place, change.path)) continue;
      if (change.kind === "remove") now.delete(from);
      else now.set(from, change.to + place.slice(change.path.length));
    }
  }
  return now;
}

async function bytesOf(vault: VaultReader, place: VaultPath): Promise<Buffer | null> {
  if ((await vault.find(place)).kind !== "file") return null;
  return (await vault.readBytes(place, Number.MAX_SAFE_INTEGER)).bytes;
}

function isSame(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}
