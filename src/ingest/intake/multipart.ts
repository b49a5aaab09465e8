import { ExpectedError } from "../../errors.ts";

/** A part of a form as it is sent: what it is called, then its bytes, piece by piece. */
export interface PartHead {
  /** The field of the form. */
  readonly field: string;
  /** Null for a field that is no file. */
  readonly fileName: string | null;
}

/** Hears of the parts of a form, in their order. */
export interface PartListener {
  begin(head: PartHead): void;
  bytes(piece: Buffer): void;
  end(): void;
}

const LONGEST_HEAD = 16 * 1024;
const HEAD_END = Buffer.from("\r\n\r\n");
const LINE_END = Buffer.from("\r\n");

/** The boundary that a `content-type` names. Throws for anything that is no form with files. */
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

/** Takes a form apart as it comes, holding no more of it than a boundary is long. */
export class MultipartReader {
  readonly #delimiter: Buffer;
  readonly #listener: PartListener;
  /** What is not yet understood. It begins as if the form came after a line end, so that all boundaries look the same. */
  #held = LINE_END;
  #state: "between" | "head" | "part" | "after" = "between";

  constructor(boundary: string, listener: PartListener) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
    this.#listener = listener;
  }

  write(piece: Uint8Array): void {
    this.#held = Buffer.concat([this.#held, piece]);
    while (this.#step());
  }

  /** Throws when the form is not whole. */
  end(): void {
    if (this.#state !== "after") throw malformed("it ends before its last boundary");
  }

  /** True when there may be more to understand in what is held. */
  #step(): boolean {
    switch (this.#state) {
      case "between":
        return this.#boundary();
      case "head":
        return this.#head();
      case "part":
        return this.#part();
      case "after":
        this.#held = Buffer.alloc(0);
        return false;
    }
  }

  /** At a boundary: two dashes end the form, a line end begins a part. */
  #boundary(): boolean {
    const { length } = this.#delimiter;
    if (this.#held.length < length + 2) return false;
    if (!this.#held.subarray(0, length).equals(this.#delimiter))
      throw malformed("it does not begin with its boundary");
    const after = this.#held.toString("latin1", length, length + 2);
    if (after !== "--" && after !== "\r\n")
      throw malformed("a boundary is followed by something else");
    // The line end stays: a part without headers has an empty line at once.
    this.#held = this.#held.subarray(length);
    this.#state = after === "--" ? "after" : "head";
    return true;
  }

  #head(): boolean {
    const end = this.#held.indexOf(HEAD_END);
    if (end < 0) {
      if (this.#held.length > LONGEST_HEAD) throw malformed("the head of a part does not end");
      return false;
    }
    const head = this.#held.toString("utf8", 0, end);
    this.#held = this.#held.subarray(end + HEAD_END.length);
    this.#listener.begin(headOf(head));
    this.#state = "part";
    return true;
  }

  #part(): boolean {
    const at = this.#held.indexOf(this.#delimiter);
    // What could be the beginning of a boundary waits for the rest of it.
    const end = at >= 0 ? at : Math.max(0, this.#held.length - this.#delimiter.length + 1);
    if (end > 0) this.#listener.bytes(this.#held.subarray(0, end));
    this.#held = this.#held.subarray(end);
    if (at < 0) return false;
    this.#listener.end();
    this.#state = "between";
    return true;
  }
}

function headOf(text: string): PartHead {
  const disposition = /^content-disposition:\s*form-data(.*)$/imu.exec(text)?.[1] ?? "";
  const field = /;\s*name="([^"]*)"/iu.exec(disposition)?.[1];
  if (field === undefined) throw malformed("a part has no name");
  const plain = /;\s*filename="([^"]*)"/iu.exec(disposition)?.[1];
  const encoded = /;\s*filename\*=utf-8''([^\s;]+)/iu.exec(disposition)?.[1];
  const fileName = encoded === undefined ? plain : decoded(encoded);
  // Browsers write quotes and line breaks in a name so.
  return {
    field,
    fileName: fileName === undefined ? null : fileName.replaceAll(/%(?:22|0D|0A)/giu, "_"),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function malformed(why: string): ExpectedError {
  return new ExpectedError(
    "invalid_argument",
    `The form cannot be read: ${why}. Was all of it sent?`,
  );
}
