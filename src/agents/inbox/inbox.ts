import { ExpectedError } from "../../errors.ts";
import { IMAGE_EXTENSIONS } from "../../ingest/convert/converted.ts";
import { DRAWING, isDrawingFile } from "../../ingest/convert/drawing-kind.ts";
import { freeName } from "../../ingest/filing/free-name.ts";
import { withSentFiles } from "../../ingest/filing/sent-files.ts";
import { localDay } from "../../text/local-time.ts";
import { slugOf } from "../../text/slug.ts";
import { formatBytes } from "../../text/tokens.ts";
import { frontmatterLines } from "../../vault/files/headings.ts";
import { sniffImage } from "../../vault/files/image.ts";
import { isMarkedFile } from "../../vault/files/untrusted-mark.ts";
import {
  extensionOf,
  isImage,
  isMarkdown,
  joinPath,
  nameOf,
  parsePath,
  showPath,
  type VaultPath,
} from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import { changeInRun, type WritingParts } from "../agent-run.ts";
import { questionIn } from "./review-parts.ts";
import { marked } from "./untrusted-mark.ts";
import type { ImageInput, InboxItem, InboxItemText, UpdateInput } from "../contract.ts";

export const INBOX: VaultPath = "inbox";
export const REVIEW = "review.md";

/** All items, oldest first. */
export async function inboxItems(vault: VaultReader): Promise<InboxItem[]> {
  const items: InboxItem[] = [];
  for (const folder of await foldersIn(vault, INBOX)) {
    const { review: _, ...item } = await readItem(vault, folder);
    items.push(item);
  }
  return items;
}

/** The number of items, without opening any. */
export async function countInbox(vault: VaultReader): Promise<number> {
  return (await foldersIn(vault, INBOX)).length;
}

/** The item that a person or a model names. Throws `not_found` with the names there are. */
export async function inboxItem(vault: VaultReader, given: string): Promise<InboxItemText> {
  return readItem(vault, await itemFolder(vault, given));
}

/** Its folder. Takes `2026-01-31-name`, and also `inbox/2026-01-31-name` with or without `vault/`. */
export async function itemFolder(vault: VaultReader, given: string): Promise<VaultPath> {
  const { path } = parsePath(given);
  const folder = path.startsWith(`${INBOX}/`) ? path : joinPath(INBOX, path);
  const known = await foldersIn(vault, INBOX);
  const found = known.find((each) => each === folder);
  if (found !== undefined) return found;
  const names = known.map((each) => nameOf(each)).join(", ");
  throw new ExpectedError(
    "not_found",
    `There is no inbox item ${JSON.stringify(given)}. ${names === "" ? "The inbox is empty." : `There are: ${names}.`}`,
  );
}

/** None when the folder itself is missing, or hidden by a `.coffreignore`. */
export async function foldersIn(vault: VaultReader, folder: VaultPath): Promise<VaultPath[]> {
  try {
    if ((await vault.find(folder)).kind !== "folder") return [];
  } catch (error) {
    if (error instanceof ExpectedError && error.code === "outside_vault") return [];
    throw error;
  }
  const listed = await vault.list(folder);
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
    question: questionIn(text),
    originals: files.filter((path) => path !== review).map((path) => showPath(path)),
    review: text,
  };
}

/** The text of a small file, without its frontmatter. */
export async function wholeText(vault: VaultReader, path: VaultPath): Promise<string> {
  const file = await vault.openText(path);
  const lines = file.totalLines === 0 ? [] : file.range(1, file.totalLines).lines;
  return lines.slice(frontmatterLines(lines)).join("\n").trim();
}

/** Whether any note in an item's folder is marked as written by others. */
export async function isUntrustedItem(vault: VaultReader, folder: VaultPath): Promise<boolean> {
  for await (const { path } of vault.walk(folder))
    if (isMarkdown(path) && (await isMarkedFile(vault, path))) return true;
  return false;
}

/** How an original can be shown to a model. */
export function kindOfOriginal(path: VaultPath): "text" | "image" | "other" {
  if (isMarkdown(path) || extensionOf(path) === ".txt") return "text";
  return isImage(path) ? "image" : "other";
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
    const kind = kindOfImage(bytes);
    const shown = name ?? `image ${at + 1}`;
    if (kind === null) {
      throw new ExpectedError(
        "not_text",
        `${shown} is not a PNG, JPEG, GIF, WebP or SVG image. Bring other files in with coffre ingest.`,
      );
    }
    if (bytes.length > MAX_IMAGE_BYTES) {
      throw new ExpectedError(
        "too_large",
        `${shown} is ${formatBytes(bytes.length)}; images up to ${formatBytes(MAX_IMAGE_BYTES)} are accepted. Make it smaller first.`,
      );
    }
    const stem = slugOf((name ?? "").replace(/\.[^.]*$/u, ""), "image", MAX_SLUG_LENGTH);
    const { mimeType, extension } = kind;
    let safe = stem + extension;
    for (let n = 2; taken.has(safe); n += 1) safe = `${stem}-${n}${extension}`;
    taken.add(safe);
    return { name: safe, data, mimeType };
  });
}

function kindOfImage(bytes: Buffer): { mimeType: string; extension: string } | null {
  const facts = sniffImage(bytes);
  if (facts === null) return isDrawingFile(bytes) ? DRAWING : null;
  return { mimeType: facts.mimeType, extension: IMAGE_EXTENSIONS[facts.mimeType] };
}

/** A folder for a new item, named after the day and the title; it does not exist yet. */
export async function freshItem(
  { vault, now }: WritingParts,
  input: Pick<UpdateInput, "content" | "sources">,
): Promise<VaultPath> {
  const slug = slugOf(titleOf(input) || "image", "note", MAX_SLUG_LENGTH);
  return joinPath(INBOX, await freeName(vault, INBOX, `${localDay(now())}-${slug}`));
}

/** The first line that has a word, shortened; empty when there is none. */
export function titleOf({ content, sources }: Pick<UpdateInput, "content" | "sources">): string {
  const line = content.split("\n").find((each) => /[\p{L}\p{N}]/u.test(each)) ?? sources[0] ?? "";
  const title = line.replace(/^[#>*\s-]+/u, "").trim();
  return title.length <= 70 ? title : `${title.slice(0, 69).toWellFormed().trimEnd()}…`;
}

/** Writes text and images of an input into a folder, byte for byte; text of others is marked, and has the hashes of its files. Files that exist are left as they are. */
export async function keepOriginals(
  run: WritingParts,
  folder: VaultPath,
  { content, images, isUntrusted, files: sent }: UpdateInput,
): Promise<void> {
  const files = checkedImages(images).map(({ name, data }) => ({
    name,
    bytes: Buffer.from(data, "base64"),
  }));
  if (content.trim() !== "") {
    const text = content.replace(/\n*$/u, "\n");
    const kept = withSentFiles(isUntrusted ? marked(text) : text, sent);
    files.unshift({ name: "original.md", bytes: Buffer.from(kept) });
  }
  await changeInRun(run, async (writer) => {
    for (const { name, bytes } of files) {
      const path = joinPath(folder, name);
      if (!(await exists(run.vault, path))) await writer.create(path, bytes);
    }
  });
}

/** What waits in a vault, as those see it who see that vault. */
export function inboxOf(vault: VaultReader): {
  list(): Promise<InboxItem[]>;
  /** Throws `not_found`. */
  show(ref: string): Promise<InboxItemText>;
  count(): Promise<number>;
} {
  return {
    list: async () => inboxItems(vault),
    show: async (ref) => inboxItem(vault, ref),
    count: async () => countInbox(vault),
  };
}

export async function exists(vault: VaultReader, path: VaultPath): Promise<boolean> {
  return (await vault.find(path)).kind !== "missing";
}
