import { ExpectedError } from "../../errors.ts";
import { frontmatterLines } from "../../vault/files/headings.ts";
import { isImageExtension } from "../../vault/files/image.ts";
import {
  extensionOf,
  isMarkdown,
  joinPath,
  nameOf,
  parsePath,
  showPath,
  type VaultPath,
} from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import type { InboxItem, InboxItemText } from "../contract.ts";

export const INBOX: VaultPath = "inbox";
export const REVIEW = "review.md";

/** What waits, oldest first. */
export async function inboxItems(vault: VaultReader): Promise<InboxItem[]> {
  const items: InboxItem[] = [];
  for (const folder of await itemFolders(vault)) {
    const { review: _, ...item } = await readItem(vault, folder);
    items.push(item);
  }
  return items;
}

/** How many items wait, without opening any. */
export async function countInbox(vault: VaultReader): Promise<number> {
  return (await itemFolders(vault)).length;
}

/** The item that a person or a model names. Throws `not_found` with the names there are. */
export async function inboxItem(vault: VaultReader, given: string): Promise<InboxItemText> {
  return readItem(vault, await itemFolder(vault, given));
}

/** Its folder. Takes `2026-01-31-name`, and also `inbox/2026-01-31-name` with or without `vault/`. */
export async function itemFolder(vault: VaultReader, given: string): Promise<VaultPath> {
  const { path } = parsePath(given);
  const folder = path.startsWith(`${INBOX}/`) ? path : joinPath(INBOX, path);
  const known = await itemFolders(vault);
  const found = known.find((each) => each === folder);
  if (found !== undefined) return found;
  const names = known.map((each) => nameOf(each)).join(", ");
  throw new ExpectedError(
    "not_found",
    `There is no inbox item ${JSON.stringify(given)}. ${names === "" ? "The inbox is empty." : `There are: ${names}.`}`,
  );
}

async function itemFolders(vault: VaultReader): Promise<VaultPath[]> {
  if ((await vault.find(INBOX)).kind !== "folder") return [];
  const listed = await vault.list(INBOX);
  return listed.filter(({ kind }) => kind === "folder").map(({ path }) => path);
}

async function readItem(vault: VaultReader, folder: VaultPath): Promise<InboxItemText> {
  const files = await Array.fromAsync(vault.walk(folder), ({ path }) => path);
  const review = files.find((path) => path === joinPath(folder, REVIEW));
  const text = review === undefined ? "" : await wholeText(vault, review);
  return {
    ref: nameOf(folder),
    path: showPath(folder, "folder"),
    title: /^# +(?:(?:Review|Revue) *: *)?(.+)$/mu.exec(text)?.[1]?.trim() ?? nameOf(folder),
    question: questionOf(text),
    originals: files.filter((path) => path !== review).map((path) => showPath(path)),
    review: text,
  };
}

/** What stands under the heading of that name, the same in English and French. */
function questionOf(review: string): string | null {
  const found = /^## +Questions?[^\n]*\n+([\s\S]*?)(?=^#|(?![\s\S]))/mu.exec(review)?.[1]?.trim();
  return found === undefined || found === "" ? null : found;
}

/** The text of a small file, without its frontmatter. */
export async function wholeText(vault: VaultReader, path: VaultPath): Promise<string> {
  const file = await vault.openText(path);
  const lines = file.totalLines === 0 ? [] : file.range(1, file.totalLines).lines;
  return lines.slice(frontmatterLines(lines)).join("\n").trim();
}

/** What of an item can be shown to a model as text, or as an image. */
export function kindOfOriginal(path: VaultPath): "text" | "image" | "other" {
  if (isMarkdown(path) || extensionOf(path) === ".txt") return "text";
  return isImageExtension(extensionOf(path)) ? "image" : "other";
}
