import { ExpectedError } from "../../errors.ts";
import type { Change, ChangeGuard } from "../../vault/history/history-types.ts";
import { showPath, type VaultPath } from "../../vault/paths.ts";
import { placesOf } from "../../vault/visible/visible-vault.ts";
import { unusable } from "../../vault/visible/visible-writer.ts";
import type { Rights } from "./rights.ts";

/** Lets a caller change only what their rights allow. What is hidden from them answers as it does at the gate of reading. */
export function rightsGuard(rights: Rights): ChangeGuard {
  return (deed, path) => {
    refuseUnwritable(rights, path);
    if (deed === "alter") return;
    const [readOnly] = rights.readOnlyUnder(path);
    if (readOnly !== undefined) throw onlyReadable(readOnly);
    // What its caller does not see would go with it, or what they bring would disappear there. Refused also when nothing is there, or that would be told.
    if (rights.hidesUnder(path)) throw unusable(path);
  };
}

/** Refuses to take back changes that their caller could not have made. */
export function refuseUndo(rights: Rights, changes: readonly Change[]): void {
  const guard = rightsGuard(rights);
  for (const change of changes) {
    for (const path of placesOf(change)) refuseUnwritable(rights, path);
    if (change.kind !== "move") continue;
    guard("take", change.to);
    guard("add", change.path);
  }
}

/** Refuses a place that a caller may not write to. */
export function refuseUnwritable(rights: Rights, path: VaultPath): void {
  if (rights.mayWrite(path)) return;
  throw rights.mayRead(path) ? onlyReadable(path) : unusable(path);
}

function onlyReadable(path: VaultPath): ExpectedError {
  return new ExpectedError(
    "no_permission",
    `${showPath(path)} is yours to read, not to change. Ask an owner of the vault for the role editor.`,
  );
}
