import { createHash } from "node:crypto";
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
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
  /** Its destination; created when the download is complete. */
  readonly file: string;
  /** Called with the bytes so far; `total` is null when the server does not say. */
  readonly onProgress?: (done: number, total: number | null) => void;
}

/** What the server says of a file before the download. */
interface Facts {
  readonly bytes: number | null;
  readonly sha256: string | null;
  /** Tells one version from another. */
  readonly version: string;
}

/** How often in a row a connection may break without a byte received. */
const ATTEMPTS = 5;
const SHA256 = /^"?([0-9a-f]{64})"?$/iu;

/**
 * Downloads a model's file; resumes after a broken connection or an ended program. The file is accepted only when its size, its checksum
 * and its first bytes are right.
 */
export async function download({ url, file, ...progress }: DownloadOptions): Promise<void> {
  const facts = await factsOf(url);
  const version = createHash("sha256").update(facts.version).digest("hex").slice(0, 8);
  const part = `${file}.${version}.part`;
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    await fetchAll(url, part, { ...facts, ...progress });
    await check(part, url, facts);
    renameSync(part, file);
  } catch (error) {
    throw explainErrno(error, `The model's file ${file}`);
  }
}

/** Does not follow redirects: a store of large files names the checksum in the redirect. */
async function factsOf(url: string): Promise<Facts> {
  let response: Response;
  try {
    response = await fetch(url, { method: "HEAD", redirect: "manual" });
  } catch (error) {
    throw unreachable(url, error);
  }
  if (response.status >= 400) throw refused(url, response.status);
  const { headers } = response;
  const isRedirect = response.status >= 300;
  const length =
    headers.get("x-linked-size") ?? (isRedirect ? null : headers.get("content-length"));
  const tag = headers.get("x-linked-etag") ?? (isRedirect ? null : headers.get("etag"));
  return {
    bytes: length === null ? null : Number(length),
    sha256: SHA256.exec(tag ?? "")?.[1]?.toLowerCase() ?? null,
    version: tag ?? length ?? "",
  };
}

/** Retries for as long as each attempt brings something. */
async function fetchAll(url: string, part: string, options: FetchOptions): Promise<void> {
  let failures = 0;
  while (sizeOf(part) !== options.bytes) {
    const before = sizeOf(part);
    const problem = await fetchRest(url, part, options);
    if (problem === null) return;
    failures = sizeOf(part) > before ? 0 : failures + 1;
    if (failures >= ATTEMPTS) throw unreachable(url, problem);
  }
}

type FetchOptions = Pick<Facts, "bytes"> & Pick<DownloadOptions, "onProgress">;

/** Null when it is complete; else the error that ended it. */
async function fetchRest(
  url: string,
  part: string,
  { bytes: total, onProgress }: FetchOptions,
): Promise<unknown> {
  const have = sizeOf(part);
  try {
    const response = await fetch(url, have > 0 ? { headers: { range: `bytes=${have}-` } } : {});
    if (response.status === 416) {
      rmSync(part, { force: true });
      return response.status;
    }
    if (!response.ok || response.body === null) throw refused(url, response.status);
    // A server without ranges sends everything again.
    const isRest = response.status === 206;
    let done = isRest ? have : 0;
    const counted = async function* (body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const bytes of body) {
        done += bytes.length;
        onProgress?.(done, total);
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
  const size = sizeOf(part);
  let why: string;
  if (size === 0) why = "it is empty";
  else if (bytes !== null && size !== bytes) why = `it has ${size} bytes, not ${bytes}`;
  else if ((await firstBytes(part)) !== "GGUF") why = "it is not a GGUF file";
  else if (sha256 === null || (await sha256Of(part)) === sha256) return;
  else why = "its checksum differs";
  rmSync(part, { force: true });
  throw new ExpectedError(
    "unavailable",
    `What was downloaded from ${url} is not the model: ${why}. Is there a proxy or a login page in between? Try again.`,
  );
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

async function firstBytes(file: string): Promise<string> {
  let text = "";
  for await (const bytes of createReadStream(file, { end: 3, encoding: "latin1" })) text += bytes;
  return text;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function unreachable(url: string, cause: unknown): ExpectedError {
  return new ExpectedError(
    "unavailable",
    `${new URL(url).host} cannot be reached, or the connection broke. What was downloaded is kept: try again later.`,
    { cause },
  );
}

function refused(url: string, status: number): ExpectedError {
  return new ExpectedError("unavailable", `${url} answered ${status}. Is the model's name right?`);
}
