import { createHash } from "node:crypto";
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { ExpectedError, explainErrno } from "../../errors.ts";

export interface DownloadOptions {
  readonly url: string;
  /** Where it comes to lie; nothing is there until all of it is. */
  readonly file: string;
  /** Called as it goes on, in bytes; `total` is null when the server does not say. */
  readonly onProgress?: (done: number, total: number | null) => void;
}

/** What a server says of a file before it sends it. */
interface Facts {
  readonly bytes: number | null;
  readonly sha256: string | null;
  /** Tells one version from another. */
  readonly version: string;
}

/** How often a connection may break in a row without bringing anything. */
const ATTEMPTS = 5;
const SHA256 = /^"?([0-9a-f]{64})"?$/iu;

/**
 * Fetches a model's file. What was fetched before a break, of the connection or of the program, is not fetched again. The file is
 * taken only when its size, its checksum and its first bytes are right.
 */
export async function download({ url, file, onProgress }: DownloadOptions): Promise<void> {
  const facts = await factsOf(url);
  const version = createHash("sha256").update(facts.version).digest("hex").slice(0, 8);
  const part = `${file}.${version}.part`;
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    await fetchAll(url, part, { facts, onProgress });
    await check(part, url, facts);
    renameSync(part, file);
  } catch (error) {
    throw explainErrno(error, `The model's file ${file}`);
  }
}

/** Asked without following: a store of large files says the checksum where it sends one on to them. */
async function factsOf(url: string): Promise<Facts> {
  let response: Response;
  try {
    response = await fetch(url, { method: "HEAD", redirect: "manual" });
  } catch (error) {
    throw unreachable(url, error);
  }
  if (response.status >= 400) throw refused(url, response.status);
  const { headers } = response;
  const isSentOn = response.status >= 300;
  const length = headers.get("x-linked-size") ?? (isSentOn ? null : headers.get("content-length"));
  const tag = headers.get("x-linked-etag") ?? (isSentOn ? null : headers.get("etag"));
  return {
    bytes: length === null ? null : Number(length),
    sha256: SHA256.exec(tag ?? "")?.[1]?.toLowerCase() ?? null,
    version: tag ?? length ?? "",
  };
}

/** Takes a broken connection up again for as long as it brings something. */
async function fetchAll(url: string, part: string, more: Wanted): Promise<void> {
  let vain = 0;
  while (more.facts.bytes === null || sizeOf(part) !== more.facts.bytes) {
    const before = sizeOf(part);
    const broke = await fetchRest(url, part, more);
    if (broke === null) return;
    vain = sizeOf(part) > before ? 0 : vain + 1;
    if (vain >= ATTEMPTS) throw unreachable(url, broke);
  }
}

interface Wanted {
  readonly facts: Facts;
  readonly onProgress: DownloadOptions["onProgress"];
}

/** Null when it came to its end; else why it did not. */
async function fetchRest(
  url: string,
  part: string,
  { facts, onProgress }: Wanted,
): Promise<unknown> {
  const have = sizeOf(part);
  try {
    const response = await fetch(url, have > 0 ? { headers: { range: `bytes=${have}-` } } : {});
    if (response.status === 416) {
      rmSync(part, { force: true });
      return response.status;
    }
    if (!response.ok || response.body === null) throw refused(url, response.status);
    // A server that knows no ranges sends everything again.
    const isRest = response.status === 206;
    let done = isRest ? have : 0;
    const counted = async function* (body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const bytes of body) {
        done += bytes.length;
        onProgress?.(done, facts.bytes);
        yield bytes;
      }
    };
    const target = createWriteStream(part, { flags: isRest ? "a" : "w" });
    await pipeline(Readable.fromWeb(response.body), counted, target);
    return null;
  } catch (error) {
    if (error instanceof ExpectedError) throw error;
    return error;
  }
}

async function check(part: string, url: string, { bytes, sha256 }: Facts): Promise<void> {
  const why = await wrongWith(part, bytes, sha256);
  if (why === null) return;
  rmSync(part, { force: true });
  throw new ExpectedError(
    "unavailable",
    `What came from ${url} is not the model: ${why}. Is there a proxy or a login page between? Try again.`,
  );
}

async function wrongWith(
  part: string,
  bytes: number | null,
  sha256: string | null,
): Promise<string | null> {
  if (!existsSync(part)) return "nothing came";
  if (bytes !== null && sizeOf(part) !== bytes) return `it has ${sizeOf(part)} bytes, not ${bytes}`;
  if (firstBytes(part) !== "GGUF") return "it does not begin as a GGUF file does";
  if (sha256 === null) return null;
  const hash = createHash("sha256");
  await pipeline(createReadStream(part), hash);
  return hash.digest("hex") === sha256 ? null : "its checksum is another";
}

function firstBytes(file: string): string {
  const bytes = Buffer.alloc(4);
  const open = openSync(file, "r");
  try {
    readSync(open, bytes, 0, bytes.length, 0);
  } finally {
    closeSync(open);
  }
  return bytes.toString("latin1");
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0;
}

function unreachable(url: string, cause: unknown): ExpectedError {
  return new ExpectedError(
    "unavailable",
    `${new URL(url).host} cannot be reached, or breaks off. What came so far is kept: try again later.`,
    { cause },
  );
}

function refused(url: string, status: number): ExpectedError {
  return new ExpectedError("unavailable", `${url} answered ${status}. Is the model's name right?`);
}
