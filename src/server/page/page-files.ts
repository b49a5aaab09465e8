import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

import { errnoOf } from "../../errors.ts";

const withoutBrotli = promisify(brotliDecompress);

/** A file of the page. Browsers may cache it: its name changes with its content. */
export interface PageAsset {
  readonly mimeType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** `br` when these are the bytes that the build compressed. */
  readonly encoding: "br" | null;
}

/** What the build makes; other files are not served. */
const MIME_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

const HTML = "text/html; charset=utf-8";

/** Where the build puts the page: as far above the sources as above what is built from them. */
export const PAGE_FOLDER = path.join(import.meta.dirname, "..", "..", "..", "dist", "web");

/** The document of every view; null when the page was not built. Read at each request, so that a new build is served without a restart. */
export async function pageIndex(folder: string): Promise<string | null> {
  return (await read(path.join(folder, "index.html")))?.toString("utf8") ?? null;
}

/**
 * @param name of a file in the page's folder `assets`; null when there is none
 * @param isPacked whether the client accepts brotli
 */
export async function pageAsset(
  folder: string,
  name: string,
  isPacked = false,
): Promise<PageAsset | null> {
  const mimeType = MIME_TYPES[path.extname(name)];
  // A name and nothing else: no separator, no dot in front.
  if (mimeType === undefined || !/^[\w-][\w.-]*$/u.test(name)) return null;
  return fileOf(path.join(folder, "assets", name), mimeType, isPacked);
}

/** The service worker, which makes the page an app; null when the page was not built. */
export async function pageWorker(folder: string): Promise<PageAsset | null> {
  return fileOf(path.join(folder, "worker.js"), MIME_TYPES[".js"] ?? "", false);
}

/** @param name of a picture in the page's folder `icons`; null when there is none */
export async function pageIcon(folder: string, name: string): Promise<PageAsset | null> {
  if (!/^[a-z]+-\d+\.png$/u.test(name)) return null;
  return fileOf(path.join(folder, "icons", name), "image/png", false);
}

/** A document that is shown in a sandboxed frame, with the hash of its one script for its own policy. */
export interface PageFrame extends PageAsset {
  readonly scriptHash: string;
  readonly etag: string;
}

/** @param name of a document in the page's folder `frame`; null when there is none */
export async function pageFrame(
  folder: string,
  name: string,
  isPacked = false,
): Promise<PageFrame | null> {
  if (!/^[a-z]+$/u.test(name)) return null;
  const file = path.join(folder, "frame", `${name}.html`);
  const [asset, hash] = await Promise.all([
    fileOf(file, HTML, isPacked),
    read(path.join(folder, "frame", `${name}.hash`)),
  ]);
  if (asset === null || hash === null) return null;
  const etag = createHash("sha256").update(asset.bytes).digest("base64url").slice(0, 22);
  return { ...asset, scriptHash: hash.toString("utf8").trim(), etag: `"${etag}"` };
}

async function fileOf(
  file: string,
  mimeType: string,
  isPacked: boolean,
): Promise<PageAsset | null> {
  const packed = isPacked ? await read(`${file}.br`) : null;
  if (packed !== null) return { mimeType, bytes: new Uint8Array(packed), encoding: "br" };
  const bytes = (await read(file)) ?? (await unpacked(`${file}.br`));
  return bytes === null ? null : { mimeType, bytes: new Uint8Array(bytes), encoding: null };
}

/** Of the frames the package has only what the build compressed: five megabytes less, and nearly every browser takes that. */
async function unpacked(file: string): Promise<Buffer | null> {
  const packed = await read(file);
  return packed === null ? null : withoutBrotli(packed);
}

async function read(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
}
