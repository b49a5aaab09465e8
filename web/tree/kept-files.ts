import { keptAs } from "../api/base.ts";
import type { ListedFile } from "../../src/server/api/contract.ts";

/** The files of the vault at a version of the service's events. */
export interface Listing {
  readonly files: readonly ListedFile[];
  readonly version: string;
}

/** In this tab alone, and gone with it. */
const KEPT = keptAs("coffre-files");

type Row = readonly [path: string, bytes: number, changed: string | null];

export function keepFiles({ files, version }: Listing): void {
  const rows = files.map(({ path, bytes, changed }): Row => [path, bytes, changed]);
  try {
    window.sessionStorage.setItem(KEPT, JSON.stringify({ version, rows }));
  } catch {
    // More than browsers keep for a tab: the next load asks for all of them.
    window.sessionStorage.removeItem(KEPT);
  }
}

/** What {@link keepFiles} kept; null when there is nothing. */
export function keptFiles(): Listing | null {
  const text = window.sessionStorage.getItem(KEPT);
  if (text === null) return null;
  const { version, rows }: { version: string; rows: readonly Row[] } = JSON.parse(text);
  return { version, files: rows.map(([path, bytes, changed]) => ({ path, bytes, changed })) };
}
