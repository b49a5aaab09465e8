import { ExpectedError } from "../errors.ts";
import { bomLength, decodeUtf8 } from "../text/utf8.ts";
import { versionHash } from "../vault/files/version.ts";
import type { ProposedFile } from "../vault/overlay/proposed-files.ts";
import { showPath, type VaultPath } from "../vault/paths.ts";
import type { ChangeAuthor } from "../vault/history/history-types.ts";
import type { CallersVault, VaultReader } from "../vault/vault.ts";
import { editedText } from "./edit-lines.ts";
import type { LineEdit, ProposedChange } from "./finding.ts";

/** What becomes of a file; all edits of several proposals together. */
type FileChange =
  | { readonly kind: "edit"; readonly hash: string; readonly edits: readonly LineEdit[] }
  | Exclude<ProposedChange, { kind: "edit" }>;

function byFile(changes: readonly ProposedChange[]): Map<VaultPath, FileChange> {
  const files = new Map<VaultPath, FileChange>();
  for (const change of changes) {
    const known = files.get(change.path);
    const isMore = known?.kind === "edit" && change.kind === "edit";
    files.set(
      change.path,
      isMore ? { ...known, edits: [...known.edits, ...change.edits] } : change,
    );
  }
  return files;
}

function editedBytes(bytes: Buffer, edits: readonly LineEdit[]): Buffer {
  const bom = bytes.subarray(0, bomLength(bytes));
  return Buffer.concat([bom, Buffer.from(editedText(decodeUtf8(bytes), edits))]);
}

/** The bytes of a file; null when there is none. */
async function bytesOf(vault: VaultReader, path: VaultPath): Promise<Buffer | null> {
  if ((await vault.find(path)).kind !== "file") return null;
  return (await vault.readBytes(path, Number.MAX_SAFE_INTEGER)).bytes;
}

/** Whether a file is still as it was when the change was proposed. */
function isAsBefore(change: FileChange, bytes: Buffer | null): boolean {
  if (change.kind === "create") return bytes === null;
  return bytes !== null && versionHash(bytes) === change.hash;
}

/** What would become of each file; `changed` are those that are no longer as they were. */
export async function proposedFilesOf(
  changes: readonly ProposedChange[],
  vault: VaultReader,
): Promise<{ files: ProposedFile[]; changed: VaultPath[] }> {
  const [files, changed]: [ProposedFile[], VaultPath[]] = [[], []];
  for (const [path, change] of byFile(changes)) {
    const before = await bytesOf(vault, path);
    if (!isAsBefore(change, before)) changed.push(path);
    else files.push({ path, from: null, before, after: afterOf(change, before) });
  }
  return { files, changed };
}

function afterOf(change: FileChange, before: Buffer | null): Buffer | null {
  if (change.kind === "remove") return null;
  if (change.kind === "create") return Buffer.from(change.text);
  return editedBytes(before ?? Buffer.alloc(0), change.edits);
}

/**
 * Makes changes in a vault, in one change of its history.
 * @param removed a folder that goes with them
 * @throws ExpectedError `conflict` with the files that are no longer as they were, before any is changed
 */
export async function applyChanges(
  vault: CallersVault,
  author: ChangeAuthor,
  changes: readonly ProposedChange[],
  removed: VaultPath | null,
): Promise<void> {
  await vault.change(author, async ({ writer, readWhole }) => {
    const files = byFile(changes);
    const changed: VaultPath[] = [];
    for (const [path, change] of files)
      if (!isAsBefore(change, await bytesOf(vault, path))) changed.push(path);
    if (changed.length > 0) throw changedMeanwhile(changed);
    for (const [path, change] of files) {
      if (change.kind === "create") await writer.create(path, Buffer.from(change.text));
      else if (change.kind === "remove") await writer.remove(path);
      else {
        const seen = await readWhole(path);
        await writer.update(seen, editedBytes(seen.bytes, change.edits));
      }
    }
    if (removed !== null) await writer.remove(removed);
  });
}

function changedMeanwhile(changed: readonly VaultPath[]): ExpectedError {
  const list = changed.map((path) => showPath(path)).join(", ");
  return new ExpectedError(
    "conflict",
    `Changed since it was looked through: ${list}. Nothing was changed. Run coffre tidy again, or answer with other numbers.`,
  );
}
