export const ROOT = "vault/";

/** The last part of a path: `state.md`, `projects`. */
export function nameOf(path: string): string {
  return path.replace(/\/$/u, "").split("/").at(-1) ?? path;
}

/** The folder that a path is in, with its final slash. The root is in itself. */
export function folderOf(path: string): string {
  const end = path.replace(/\/$/u, "").lastIndexOf("/");
  return end < 0 ? ROOT : path.slice(0, end + 1);
}

/** The folders above a path, the root first, each with its final slash. */
export function foldersAbove(path: string): string[] {
  const parts = path.replace(/\/$/u, "").split("/").slice(0, -1);
  return parts.map((_, index) => `${parts.slice(0, index + 1).join("/")}/`);
}

export function isImage(path: string): boolean {
  return /\.(?:png|jpe?g|gif|webp)$/iu.test(path);
}

/** A note that a person may write: not the listing that the service makes. */
export function isEditable(path: string): boolean {
  return isMarkdown(path) && path !== `${ROOT}tree.md`;
}

export function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/iu.test(path);
}
