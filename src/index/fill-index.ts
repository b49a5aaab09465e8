import { ExpectedError, type ErrorCode } from "../errors.ts";
import { localTime } from "../text/local-time.ts";
import { splitLines } from "../vault/files/lines.ts";
import type { MeasuredFile } from "../vault/files/measure.ts";
import { BOM } from "../text/utf8.ts";
import { lastChange, type KnownTime } from "../vault/known-time.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { VaultReader } from "../vault/vault.ts";
import { isIndexed, type IndexedFile, type SearchIndex } from "./search-index.ts";

/** More changed files than this are loaded in bulk. */
const MANY = 200;

/** Every markdown file of the vault that belongs into an index. Files that cannot be read are skipped. */
export async function* readIndexable(vault: VaultReader): AsyncGenerator<IndexedFile> {
  for await (const { path } of vault.walk("")) {
    if (!isIndexed(path) || (await vault.isGenerated(path))) continue;
    const file = await readIndexed(vault, path);
    if (file !== null) yield file;
  }
}

/**
 * One file as an index takes it; null when it cannot be read.
 * @param knownTime asked for the time of its last change
 */
export async function readIndexed(
  vault: VaultReader,
  path: VaultPath,
  knownTime?: KnownTime,
): Promise<IndexedFile | null> {
  try {
    return await readByLines(vault, path, knownTime);
  } catch (error) {
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}

async function readByLines(
  vault: VaultReader,
  path: VaultPath,
  knownTime?: KnownTime,
): Promise<IndexedFile> {
  const file = await vault.openText(path);
  const lines = file.totalLines === 0 ? [] : file.range(1, file.totalLines).lines;
  const text = textOf(lines);
  const { signature, hash } = file.version;
  const updated =
    lastChange(knownTime?.(file.path, signature, () => hash) ?? null, text) ??
    localTime(new Date((await vault.get(path)).modified));
  return { path, text, updated, signature };
}

/** Refusals of a file that changed or went since it was found: the change itself is reported too. */
const CHANGED: ReadonlySet<ErrorCode> = new Set([
  "busy",
  "not_found",
  "not_a_file",
  "not_text",
  "too_large",
]);

/** A file that was measured, as an index takes it; null when its text was not kept. */
function indexedFrom(path: VaultPath, { facts, text }: MeasuredFile): IndexedFile | null {
  if (text === null) return null;
  const lines = splitLines(text.startsWith(BOM) ? text.slice(BOM.length) : text);
  return { path, text: textOf(lines), updated: facts.changed, signature: facts.signature };
}

/**
 * The same, with a text too large to be kept read again by its lines; null when it changed meanwhile.
 * @throws when the disk does not give it
 */
export async function indexable(
  vault: VaultReader,
  path: VaultPath,
  measured: MeasuredFile,
): Promise<IndexedFile | null> {
  const file = indexedFrom(path, measured);
  if (file !== null) return file;
  try {
    return await readByLines(vault, path);
  } catch (error) {
    if (error instanceof ExpectedError && CHANGED.has(error.code)) return null;
    throw error;
  }
}

/** With a final newline: without it, a last line that is empty would be lost when the text is split again. */
function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** Puts all of the vault into an index. */
export async function fillIndex(vault: VaultReader, index: SearchIndex): Promise<void> {
  await index.load(readIndexable(vault));
}

/** Brings an index up to date with files that were written, moved or removed. */
export async function followFiles(
  vault: VaultReader,
  index: Pick<SearchIndex, "apply">,
  paths: readonly VaultPath[],
): Promise<void> {
  const put: IndexedFile[] = [];
  const gone: VaultPath[] = [];
  for (const path of paths) {
    const isShown = isIndexed(path) && !(await vault.isGenerated(path));
    const found = isShown ? await vault.find(path) : null;
    const file = found?.kind === "file" && found.isListed ? await readIndexed(vault, path) : null;
    if (file === null) gone.push(path);
    else put.push(file);
  }
  await index.apply({ put, gone });
}

/**
 * Makes the index equal to the vault: reads only the files whose version differs from the indexed one.
 * @param onFile called after each file that had to be read, with how many of how many are done
 */
export async function reconcile(
  vault: VaultReader,
  index: SearchIndex,
  onFile?: (done: number, total: number) => void,
  knownTime?: KnownTime,
): Promise<{ readonly changed: number; readonly gone: number }> {
  const { changed, gone } = await changesOf(vault, await index.signatures());
  await index.apply({ put: [], gone });
  let done = 0;
  async function* read(): AsyncGenerator<IndexedFile> {
    for (const path of changed) {
      const file = await readIndexed(vault, path, knownTime);
      done += 1;
      onFile?.(done, changed.length);
      if (file !== null) yield file;
    }
  }
  if (changed.length > MANY) await index.load(read());
  else for await (const file of read()) await index.put(file);
  return { changed: changed.length, gone: gone.length };
}

/** The files that differ from what is indexed, and those that are gone. */
export async function changesOf(
  vault: VaultReader,
  signatures: ReadonlyMap<VaultPath, string>,
): Promise<{ readonly changed: readonly VaultPath[]; readonly gone: readonly VaultPath[] }> {
  const known = new Map(signatures);
  const changed: VaultPath[] = [];
  for await (const { path } of vault.walk("")) {
    if (!isIndexed(path) || (await vault.isGenerated(path))) continue;
    const found = await vault.find(path);
    if (found.kind !== "file") continue;
    if (known.get(path) !== found.version) changed.push(path);
    known.delete(path);
  }
  return { changed, gone: [...known.keys()] };
}
