import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import path from "node:path";

import { ExpectedError } from "../../errors.ts";
import { largerThanAllowed, type Limits } from "../limits.ts";
import { boundaryOf, MultipartReader, type PartHead } from "./multipart.ts";
import { baseOf } from "../filing/note-name.ts";

/** Files that were sent, each in a place of its own on this machine until {@link Uploads.remove}. */
export interface Uploads {
  readonly files: readonly { readonly name: string; readonly path: string }[];
  /** The other fields of the form. */
  readonly fields: ReadonlyMap<string, string>;
  remove(): void;
}

export interface UploadOptions {
  /** Made when it is missing. */
  readonly folder: string;
  readonly limits: Limits;
}

const LONGEST_FIELD = 10_000;

/** Writes the files of a form to disk as they come in: however large, they are never in memory whole. */
export async function receiveUploads(
  request: Request,
  { folder, limits }: UploadOptions,
): Promise<Uploads> {
  const receiver = new Receiver(path.join(folder, randomUUID()), limits);
  try {
    const reader = new MultipartReader(boundaryOf(request.headers.get("content-type")), receiver);
    // Not cancelled when it is refused halfway: the answer still has to go back on the same connection.
    const pieces = request.body?.values({ preventCancel: true }) ?? [];
    for await (const piece of pieces) reader.write(piece);
    reader.end();
    if (receiver.files.length > 0) return receiver;
    throw new ExpectedError(
      "invalid_argument",
      'The form has no file in it. Send at least one: curl -F "file=@devis.pdf".',
    );
  } catch (error) {
    receiver.remove();
    // A connection that breaks is no bug of ours.
    if (error instanceof ExpectedError) throw error;
    throw new ExpectedError("invalid_argument", "The form ended before all of it was sent.", {
      cause: error,
    });
  }
}

class Receiver implements Uploads {
  readonly files: { name: string; path: string }[] = [];
  readonly fields = new Map<string, string>();
  readonly #folder: string;
  readonly #limits: Limits;
  #open: {
    readonly head: PartHead;
    readonly fd: number | null;
    size: number;
    text: string;
  } | null = null;
  #total = 0;

  constructor(folder: string, limits: Limits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  begin(head: PartHead): void {
    if (head.fileName === null) {
      this.#open = { head, fd: null, size: 0, text: "" };
      return;
    }
    if (this.files.length >= this.#limits.files) {
      throw new ExpectedError(
        "too_large",
        `A form may hold ${this.#limits.files} files. Send the others in another.`,
      );
    }
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    // Not under the name that was sent: it may be anything.
    const file = path.join(this.#folder, String(this.files.length));
    this.files.push({ name: baseOf(head.fileName) || "file", path: file });
    this.#open = { head, fd: openSync(file, "wx", 0o600), size: 0, text: "" };
  }

  bytes(piece: Buffer): void {
    const part = this.#open;
    if (part === null) return;
    part.size += piece.length;
    this.#total += piece.length;
    const name = part.head.fileName ?? part.head.field;
    if (part.fd === null) {
      if (part.size > LONGEST_FIELD) throw largerThanAllowed(name, LONGEST_FIELD);
      part.text += piece.toString("latin1");
      return;
    }
    if (part.size > this.#limits.bytes) throw largerThanAllowed(name, this.#limits.bytes);
    if (this.#total > this.#limits.unpackedBytes) {
      throw new ExpectedError("too_large", "The files are too large together. Send fewer at once.");
    }
    for (let at = 0; at < piece.length;) at += writeSync(part.fd, piece, at);
  }

  end(): void {
    if (this.#open?.fd === null) {
      const { head, text } = this.#open;
      this.fields.set(head.field, Buffer.from(text, "latin1").toString("utf8"));
    }
    this.#close();
  }

  #close(): void {
    const fd = this.#open?.fd ?? null;
    this.#open = null;
    if (fd !== null) closeSync(fd);
  }

  remove(): void {
    this.#close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
