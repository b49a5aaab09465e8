import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import path from "node:path";

import { ExpectedError, explainErrno } from "../../errors.ts";
import { baseOf, decodeAddress } from "../convert/converted.ts";
import type { Ingest } from "../ingest.ts";
import { tooLargeFile, type Limits } from "../limits.ts";

/** The files of a form, on disk, and its other fields. */
export interface Uploads {
  readonly files: readonly { readonly name: string; readonly path: string }[];
  readonly fields: ReadonlyMap<string, string>;
}

/** The head of a part of a form. */
export interface PartHead {
  /** The field of the form. */
  readonly field: string;
  /** Null for a field without a file. */
  readonly fileName: string | null;
}

const MAX_HEAD_BYTES = 16 * 1024;
/** Of all fields together; they are held in memory. */
const MAX_FIELD_BYTES = 8 * 1024 * 1024;
const HEAD_END = Buffer.from("\r\n\r\n");
const LINE_END = Buffer.from("\r\n");

/**
 * Receives the files of a form, and removes them when `work` has ended. Writes them to disk as they arrive, so that a large file is never in
 * memory as a whole.
 */
export async function withUploads<T>(
  request: Request,
  { scratch, limits }: Pick<Ingest, "scratch" | "limits">,
  work: (uploads: Uploads) => Promise<T>,
): Promise<T> {
  const receiver = new Receiver(path.join(scratch, randomUUID()), limits);
  try {
    await receiver.receive(request);
    return await work(receiver);
  } catch (error) {
    if (request.signal.aborted)
      throw new ExpectedError("unavailable", "The client disconnected.", { cause: error });
    throw error;
  } finally {
    receiver.remove();
  }
}

class Receiver implements Uploads {
  readonly files: { name: string; path: string }[] = [];
  readonly fields = new Map<string, string>();
  readonly #folder: string;
  readonly #limits: Limits;
  /** The part that is arriving; `fd` is null for a field. */
  #part: { readonly name: string; readonly fd: number | null; size: number } | null = null;
  #text: Buffer[] = [];
  #fieldBytes = 0;
  #fileBytes = 0;

  constructor(folder: string, limits: Limits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  async receive({ headers, body }: Request): Promise<void> {
    try {
      const boundary = boundaryOf(headers.get("content-type"));
      // Not cancelled when it is refused halfway, because the answer is sent on the same connection.
      for await (const part of readForm(body?.values({ preventCancel: true }) ?? [], boundary)) {
        if (Buffer.isBuffer(part)) this.#write(part);
        else this.#begin(part);
      }
      this.#end();
    } catch (error) {
      throw explainErrno(error, "The upload");
    }
  }

  remove(): void {
    this.#end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #begin({ field, fileName }: PartHead): void {
    this.#end();
    if (fileName === null) {
      this.#part = { name: field, fd: null, size: 0 };
      return;
    }
    if (this.files.length >= this.#limits.files) {
      throw new ExpectedError(
        "too_large",
        `A form may hold ${this.#limits.files} files. Send the others in another.`,
      );
    }
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const name = baseOf(fileName) || "file";
    // Numbered: the name that was sent may be anything.
    const file = path.join(this.#folder, String(this.files.length));
    this.files.push({ name, path: file });
    this.#part = { name, fd: openSync(file, "wx", 0o600), size: 0 };
  }

  #write(piece: Buffer): void {
    const part = this.#part;
    if (part === null) return;
    if (part.fd === null) {
      this.#fieldBytes += piece.length;
      if (this.#fieldBytes > MAX_FIELD_BYTES) throw tooLargeFile(part.name, MAX_FIELD_BYTES);
      // A copy: the piece is part of a larger buffer.
      this.#text.push(Buffer.from(piece));
      return;
    }
    part.size += piece.length;
    this.#fileBytes += piece.length;
    if (part.size > this.#limits.bytes) throw tooLargeFile(part.name, this.#limits.bytes);
    if (this.#fileBytes > this.#limits.unpackedBytes) {
      throw new ExpectedError("too_large", "The files are too large together. Send fewer at once.");
    }
    for (let at = 0; at < piece.length;) at += writeSync(part.fd, piece, at);
  }

  /** Ends the part that was arriving. */
  #end(): void {
    const part = this.#part;
    this.#part = null;
    if (part === null) return;
    const text = Buffer.concat(this.#text).toString("utf8");
    this.#text = [];
    // Browsers send every line end of a field as CRLF.
    if (part.fd === null) this.fields.set(part.name, text.replaceAll("\r\n", "\n"));
    else closeSync(part.fd);
  }
}

/** The boundary that a `content-type` names. Throws for a request that is not a form with files. */
export function boundaryOf(contentType: string | null): string {
  const match = /^multipart\/form-data\b.*;\s*boundary=(?:"([^"]{1,200})"|([^\s;]{1,200}))/iu.exec(
    contentType ?? "",
  );
  const boundary = match?.[1] ?? match?.[2];
  if (boundary !== undefined) return boundary;
  throw new ExpectedError(
    "invalid_argument",
    'Send the files as a form (multipart/form-data), for instance: curl -F "file=@devis.pdf".',
  );
}

/**
 * The parts of a form as it arrives: the head of each, then its bytes in pieces. Holds no more in memory than the last piece and a
 * boundary. Throws `invalid_argument` for a form that is malformed or cut off.
 */
export async function* readForm(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<PartHead | Buffer> {
  const delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  // With a line end before the form, all boundaries look the same.
  let held: Buffer = LINE_END;
  const source = arriving(pieces);
  const more = async (): Promise<void> => {
    const { done, value } = await source.next();
    if (done === true) throw malformed("it ends before its last boundary");
    held = Buffer.concat([held, value]);
  };
  try {
    while (held.length < delimiter.length) await more();
    if (!held.subarray(0, delimiter.length).equals(delimiter))
      throw malformed("it does not begin with its boundary");
    for (;;) {
      // At a boundary: two dashes end the form, a line end begins a part.
      while (held.length < delimiter.length + 2) await more();
      // The line end stays: a part without headers has an empty line at once.
      held = held.subarray(delimiter.length);
      const after = held.toString("latin1", 0, 2);
      if (after === "--") break;
      if (after !== "\r\n") throw malformed("a boundary is followed by something else");
      while (!held.includes(HEAD_END)) {
        if (held.length > MAX_HEAD_BYTES) throw malformed("the head of a part does not end");
        await more();
      }
      const headLength = held.indexOf(HEAD_END);
      yield headOf(held.toString("utf8", 0, headLength));
      held = held.subarray(headLength + HEAD_END.length);
      while (!held.includes(delimiter)) {
        // Keeps what could be the beginning of a boundary.
        const sure = held.length - delimiter.length + 1;
        if (sure > 0) {
          yield held.subarray(0, sure);
          held = held.subarray(sure);
        }
        await more();
      }
      const end = held.indexOf(delimiter);
      if (end > 0) yield held.subarray(0, end);
      held = held.subarray(end);
    }
    // The rest has no meaning, but must be read before the answer can be sent.
    while ((await source.next()).done !== true);
  } finally {
    await source.return(undefined);
  }
}

/** A connection that breaks is the sender's error, not a bug. */
async function* arriving(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw new ExpectedError("invalid_argument", "The form ended before all of it was sent.", {
      cause: error,
    });
  }
}

function headOf(text: string): PartHead {
  const disposition = /^content-disposition:\s*form-data(.*)$/imu.exec(text)?.[1] ?? "";
  const field = /;\s*name="([^"]*)"/iu.exec(disposition)?.[1];
  if (field === undefined) throw malformed("a part has no name");
  const plain = /;\s*filename="([^"]*)"/iu.exec(disposition)?.[1];
  const encoded = /;\s*filename\*=utf-8''([^\s;]+)/iu.exec(disposition)?.[1];
  const fileName = encoded === undefined ? plain : decodeAddress(encoded);
  // Browsers encode quotes and line breaks in a name this way.
  return {
    field,
    fileName: fileName === undefined ? null : fileName.replaceAll(/%(?:22|0D|0A)/giu, "_"),
  };
}

function malformed(why: string): ExpectedError {
  return new ExpectedError(
    "invalid_argument",
    `The form cannot be read: ${why}. Was all of it sent?`,
  );
}
