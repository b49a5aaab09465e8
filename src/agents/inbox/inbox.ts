import { ExpectedError } from "../../errors.ts";
import { IMAGE_EXTENSIONS } from "../../ingest/convert/converted.ts";
import { freeName } from "../../ingest/filing/free-name.ts";
import { localDay } from "../../text/local-time.ts";
import { slugOf } from "../../text/slug.ts";
import { formatBytes } from "../../text/tokens.ts";
import { frontmatterLines } from "../../vault/files/headings.ts";
import { isImageExtension, sniffImage } from "../../vault/files/image.ts";
import {
  extensionOf,
  isMarkdown,
  joinPath,
  nameOf,
  parsePath,
  showPath,
  type VaultPath,
} from "../../vault/paths.ts";
import type { Vault, VaultReader } from "../../vault/vault.ts";
import type { ImageInput, InboxItem, InboxItemText, UpdateInput } from "../contract.ts";

export const INBOX: VaultPath = "inbox";
export const REVIEW = "review.md";

/** All items, oldest first. */
export async function inboxItems(vault: VaultReader): Promise<InboxItem[]> {
  const items: InboxItem[] = [];
  for (const folder of await itemFolders(vault)) {
    const { review: _, ...item } = await readItem(vault, folder);
    items.push(item);
  }
  return items;
}

/** The number of items, without opening any. */
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

/** The text under the heading "Question", which is the same in English and French. */
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

/** How an original can be shown to a model. */
export function kindOfOriginal(path: VaultPath): "text" | "image" | "other" {
  if (isMarkdown(path) || extensionOf(path) === ".txt") return "text";
  return isImageExtension(extensionOf(path)) ? "image" : "other";
}

/** The `read` tool shows images up to this size. */
export const MAX_IMAGE_BYTES = 7_000_000;
/** Characters. */
export const MAX_SLUG_LENGTH = 40;

/** The images of an input with safe names and the type their bytes have. Throws for what is not an image. */
export function checkedImages(
  images: readonly ImageInput[],
): { name: string; data: string; mimeType: string }[] {
  const taken = new Set<string>();
  return images.map(({ name, data }, at) => {
    const bytes = Buffer.from(data, "base64");
    const facts = sniffImage(bytes);
    const shown = name ?? `image ${at + 1}`;
    if (facts === null) {
      throw new ExpectedError(
        "not_text",
        `${shown} is not a PNG, JPEG, GIF or WebP image. Bring other files in with coffre ingest.`,
      );
    }
    if (bytes.length > MAX_IMAGE_BYTES) {
      throw new ExpectedError(
        "too_large",
        `${shown} is ${formatBytes(bytes.length)}; images up to ${formatBytes(MAX_IMAGE_BYTES)} are accepted. Make it smaller first.`,
      );
    }
    const stem = slugOf((name ?? "").replace(/\.[^.]*$/u, ""), "image", MAX_SLUG_LENGTH);
    const extension = IMAGE_EXTENSIONS[facts.mimeType];
    let safe = stem + extension;
    for (let n = 2; taken.has(safe); n += 1) safe = `${stem}-${n}${extension}`;
    taken.add(safe);
    return { name: safe, data, mimeType: facts.mimeType };
  });
}

/** A folder for a new item, named after the day and the title; it does not exist yet. */
export async function freshItem(
  vault: VaultReader,
  now: Date,
  input: Pick<UpdateInput, "content" | "sources">,
): Promise<VaultPath> {
  const slug = slugOf(titleOf(input) || "image", "note", MAX_SLUG_LENGTH);
  return joinPath(INBOX, await freeName(vault, INBOX, `${localDay(now)}-${slug}`));
}

/** The first line that has a word, shortened; empty when there is none. */
export function titleOf({ content, sources }: Pick<UpdateInput, "content" | "sources">): string {
  const line = content.split("\n").find((each) => /[\p{L}\p{N}]/u.test(each)) ?? sources[0] ?? "";
  const title = line.replace(/^[#>*\s-]+/u, "").trim();
  return title.length <= 70 ? title : `${title.slice(0, 69).toWellFormed().trimEnd()}…`;
}

/** Writes text and images of an input into a folder, byte for byte. Files that exist are left as they are. */
export async function keepOriginals(
  vault: Vault,
  folder: VaultPath,
  { content, images }: UpdateInput,
  author: { readonly actor: string; readonly batch: string },
): Promise<void> {
  const files = checkedImages(images).map(({ name, data }) => ({
    name,
    bytes: Buffer.from(data, "base64"),
  }));
  if (content.trim() !== "")
    files.unshift({ name: "original.md", bytes: Buffer.from(content.replace(/\n*$/u, "\n")) });
  await vault.change({ ...author, call: "remember" }, async ({ writer }) => {
    for (const { name, bytes } of files) {
      const path = joinPath(folder, name);
      if ((await vault.find(path)).kind === "missing") await writer.create(path, bytes);
    }
  });
}
