import { ExpectedError } from "../../errors.ts";
import { sniffImage } from "../../vault/files/image.ts";
import { parsePath, showPath } from "../../vault/paths.ts";
import { isTextBytes } from "../../text/utf8.ts";
import { formatBytes } from "../../text/tokens.ts";
import type { FileNode, TreeNode } from "../../vault/tree/totals.ts";
import type { VaultReader } from "../../vault/vault.ts";
import type { FilePage } from "./contract.ts";

/** Bytes as they are on disk, and what they are: by their content, whatever the name says. */
export interface FileBytes {
  readonly mimeType: string;
  readonly isText: boolean;
  readonly bytes: Buffer;
}

const PAGE = 1000;

/**
 * The files of the vault by their paths, a page at a time.
 * @param after the `next` of the page before; null for the first
 */
export async function listFiles(
  vault: VaultReader,
  after: string | null,
  most = PAGE,
): Promise<FilePage> {
  const rest = [...filesUnder(await vault.shape(""))]
    .map(({ path, facts: { bytes, changed } }) => ({ path: showPath(path), bytes, changed }))
    .filter(({ path }) => after === null || path > after)
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const files = rest.slice(0, most);
  return { files, next: rest.length > most ? (files.at(-1)?.path ?? null) : null };
}

function* filesUnder(node: TreeNode): Generator<FileNode> {
  if (node.kind === "file") yield node;
  else for (const child of node.children()) yield* filesUnder(child);
}

/** How much is in the vault. */
export function contentOf(root: TreeNode): { files: number; folders: number; tokens: number } {
  return root.kind === "file"
    ? { files: 1, folders: 0, tokens: root.facts.tokens }
    : { files: root.files, folders: countFolders(root), tokens: root.tokens };
}

/** Those under a node, not itself. */
function countFolders(node: TreeNode): number {
  if (node.kind === "file") return 0;
  const folders = node.children().filter(({ kind }) => kind === "folder");
  return folders.reduce((sum, folder) => sum + countFolders(folder), folders.length);
}

/** @param most more bytes are refused */
export async function fileBytes(
  vault: VaultReader,
  shownPath: string,
  most: number,
): Promise<FileBytes> {
  const { path, mustBeFolder } = parsePath(shownPath);
  if (mustBeFolder || (await vault.get(path)).kind === "folder") {
    throw new ExpectedError("not_a_file", `${showPath(path, "folder")} is a folder, not a file.`);
  }
  const { bytes, size } = await vault.readBytes(path, most);
  if (size > most) {
    throw new ExpectedError(
      "too_large",
      `${showPath(path)} has ${formatBytes(size)}; at most ${formatBytes(most)} are sent whole. The tool read shows a part: give it head or tail.`,
    );
  }
  const isText = isTextBytes(bytes);
  return { mimeType: mimeType(path, bytes, isText), isText, bytes };
}

/** Never what a browser would run: a page, or an image with a script in it, is text here. */
function mimeType(path: string, bytes: Buffer, isText: boolean): string {
  const image = sniffImage(bytes);
  if (image !== null) return image.mimeType;
  if (!isText) return "application/octet-stream";
  return /\.(?:md|markdown)$/iu.test(path) ? "text/markdown" : "text/plain";
}
