import { ExpectedError } from "../../errors.ts";
import { sniffImage, type ImageFacts } from "../../vault/files/image.ts";
import { localDay } from "../../text/local-time.ts";
import { joinPath, type VaultPath } from "../../vault/paths.ts";
import { slugOf } from "../../text/slug.ts";
import { formatBytes } from "../../text/tokens.ts";
import type { Vault, VaultReader } from "../../vault/vault.ts";
import { INBOX } from "./inbox.ts";
import type { ImageInput, UpdateInput } from "../contract.ts";

/** Bytes. What `read` can show again. */
const LARGEST_IMAGE = 7_000_000;
/** Characters. */
export const MAX_SLUG_LENGTH = 40;
const ENDINGS: Readonly<Record<ImageFacts["mimeType"], string>> = {
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/gif": ".gif",
  "image/webp": ".webp",
};

export interface CheckedImage {
  readonly name: string;
  readonly data: string;
  readonly mimeType: string;
}

/** The images of an input with safe names and the type their bytes have. Throws for what is not an image. */
export function checkedImages(images: readonly ImageInput[]): CheckedImage[] {
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
    if (bytes.length > LARGEST_IMAGE) {
      throw new ExpectedError(
        "too_large",
        `${shown} is ${formatBytes(bytes.length)}; images up to ${formatBytes(LARGEST_IMAGE)} are taken. Make it smaller first.`,
      );
    }
    const stem = slugOf((name ?? "").replace(/\.[^.]*$/u, ""), "image", MAX_SLUG_LENGTH);
    let safe = `${stem}${ENDINGS[facts.mimeType]}`;
    for (let n = 2; taken.has(safe); n += 1) safe = `${stem}-${n}${ENDINGS[facts.mimeType]}`;
    taken.add(safe);
    return { name: safe, data, mimeType: facts.mimeType };
  });
}

/** A folder of the inbox that does not exist yet. */
export async function freshItem(vault: VaultReader, now: Date, title: string): Promise<VaultPath> {
  const wanted = `${localDay(now)}-${slugOf(title, "note", MAX_SLUG_LENGTH)}`;
  return freePath(vault, INBOX, wanted, "");
}

/** `folder/stem.ending`, with a number when that is taken. */
export async function freePath(
  vault: VaultReader,
  folder: VaultPath,
  stem: string,
  ending: string,
): Promise<VaultPath> {
  for (let n = 1; ; n += 1) {
    const path = joinPath(folder, n === 1 ? stem + ending : `${stem}-${n}${ending}`);
    if ((await vault.find(path)).kind === "missing") return path;
  }
}

/** The first line that says something, short. */
export function titleOf({ content, sources }: Pick<UpdateInput, "content" | "sources">): string {
  const line = content.split("\n").find((each) => /[\p{L}\p{N}]/u.test(each)) ?? sources[0] ?? "";
  const title = line.replace(/^[#>*\s-]+/u, "").trim();
  return title.length <= 70 ? title : `${title.slice(0, 69).toWellFormed().trimEnd()}…`;
}

/** Puts what was handed over into a folder, byte for byte. The paths made. */
export async function keepOriginals(
  vault: Vault,
  folder: VaultPath,
  input: UpdateInput,
  author: { readonly actor: string; readonly batch: string },
): Promise<VaultPath[]> {
  const made: VaultPath[] = [];
  await vault.change({ ...author, call: "remember" }, async ({ writer }) => {
    const put = async (name: string, bytes: Buffer): Promise<void> => {
      const path = joinPath(folder, name);
      if ((await vault.find(path)).kind !== "missing") return;
      await writer.create(path, bytes);
      made.push(path);
    };
    if (input.content.trim() !== "")
      await put("original.md", Buffer.from(input.content.replace(/\n*$/u, "\n")));
    for (const { name, data } of checkedImages(input.images))
      await put(name, Buffer.from(data, "base64"));
  });
  return made;
}
