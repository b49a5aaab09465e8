import { ExpectedError } from "../errors.ts";
import { block } from "../vault/files/lines.ts";
import {
  isImage,
  parsePath,
  refuseFileAsFolder,
  showPath,
  type VaultPath,
} from "../vault/paths.ts";
import type { TextFile } from "../vault/files/text-file.ts";
import type { Listed } from "../vault/listing.ts";
import type { ReadContext } from "./define.ts";
import type { BlockOutput } from "./output.ts";

/** A file of which only the size is told, because those before it in its folder are enough for one answer. */
export interface Unread {
  readonly path: VaultPath;
  readonly tokens: number;
}

interface Targets {
  readonly targets: readonly VaultPath[];
  readonly unread: readonly Unread[];
}

/** The most tokens of a folder's files that a model is shown; it can ask for each of the others. */
const FOLDER_TOKENS = 12_000;
const MOST_NAMED = 20;

/** The one text that a call names, opened at once, as most calls do; null for anything else, and for what cannot be opened. */
export async function openSingle(
  paths: readonly string[],
  vault: ReadContext["vault"],
): Promise<{ readonly path: VaultPath; readonly file: TextFile } | null> {
  const [only, another] = paths;
  if (only === undefined || another !== undefined) return null;
  try {
    const { path, mustBeFolder } = parsePath(only);
    if (mustBeFolder || isImage(path)) return null;
    return { path, file: await vault.openText(path) };
  } catch (error) {
    // Looking it up explains what is wrong.
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}

/**
 * The files the paths name, each once, at its first place. Folders without files are shown; what is missing is noted.
 * @param isBounded whether a folder may give less than all its files; one that is named itself is always given
 */
export async function expandPaths(
  paths: readonly string[],
  { vault }: ReadContext,
  output: BlockOutput,
  isBounded: boolean,
): Promise<Targets> {
  const targets = new Map<VaultPath, VaultPath>();
  const unread = new Map<VaultPath, Unread>();
  const add = (shown: VaultPath, real: VaultPath): void => {
    if (!targets.has(real)) targets.set(real, shown);
  };
  for (const given of paths) {
    try {
      const parsed = parsePath(given);
      const { path } = parsed;
      const found = await vault.get(path);
      refuseFileAsFolder(parsed, found.kind);
      if (found.kind !== "folder") {
        add(path, found.path);
        continue;
      }
      const listed = await vault.list(path);
      const files = listed.filter(({ kind }) => kind === "file");
      if (files.length === 0) output.addBlock(emptyFolder(path, listed));
      let left = FOLDER_TOKENS;
      for (const file of files) {
        const tokens = isBounded ? await tokensOf(file.path, vault) : 0;
        left -= tokens;
        if (left >= 0 || isImage(file.path)) add(file.path, file.path);
        else unread.set(file.path, { path: file.path, tokens });
      }
    } catch (error) {
      output.addFailure(given, error);
    }
  }
  const others = [...unread.values()].filter(({ path }) => !targets.has(path));
  return { targets: [...targets.values()], unread: others };
}

/** The header, and which folders there are to read instead. */
function emptyFolder(path: VaultPath, folders: readonly Listed[]): string {
  const header = block(showPath(path, "folder"), "");
  if (folders.length === 0) return header;
  const named = folders.slice(0, MOST_NAMED).map((folder) => showPath(folder.path, "folder"));
  const more = folders.length > MOST_NAMED ? ` and ${folders.length - MOST_NAMED} more` : "";
  return `${header}\nFolders in it: ${named.join(", ")}${more}.`;
}

/** As `tree` counts them; 0 for what cannot be read, which is explained when it is. */
async function tokensOf(path: VaultPath, vault: ReadContext["vault"]): Promise<number> {
  try {
    const node = await vault.shape(path);
    return node.kind === "file" ? node.facts.tokens : 0;
  } catch (error) {
    if (error instanceof ExpectedError) return 0;
    throw error;
  }
}
