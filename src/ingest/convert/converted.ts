import { createHash } from "node:crypto";

import { sniffImage, type ImageFacts } from "../../vault/files/image.ts";

/** A file to ingest: the name its sender gave it, and its bytes. */
export interface SourceFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A file inside another one. */
export interface InsideFile extends SourceFile {
  /** What it says, when that is known already: a note of an export. */
  readonly converted?: Converted;
}

/** The last part of a name: some programs put folders before it. */
export function baseOf(name: string): string {
  return name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
}

/** The same without its extension. */
export function stemOf(name: string): string {
  const base = baseOf(name);
  const dot = base.lastIndexOf(".");
  return dot > 0 ? base.slice(0, dot) : base;
}

/** What a converter makes of one file. */
export interface Converted {
  /** The document's own title; null when it has none. */
  readonly title: string | null;
  readonly markdown: string;
  /** Pictures in the document. Its markdown shows them as `![…](attachment:NAME)`. */
  readonly images: readonly SourceFile[];
  /** Files inside this one, each to be ingested by itself: attachments of a mail, entries of an archive. */
  readonly inside: readonly InsideFile[];
  /** The name of a folder for them, when they are many notes that belong together: an export of another program. */
  readonly folder?: string;
  /** For the person: pages without text, parts that were left out. Whole sentences. */
  readonly notices: readonly string[];
  /** Something could not be read because a program is missing: after installing it, the same file can be ingested again. */
  readonly isPartial?: boolean;
}

/** A document without files inside it. Its pictures are those that were collected; the notice on those that are not kept is among its own. */
export function converted(
  title: string | null,
  markdown: string,
  { images, notices = [] }: { images?: ImageCollector; notices?: readonly string[] } = {},
): Converted {
  return {
    title,
    markdown,
    images: images?.images ?? [],
    inside: [],
    notices: [...notices, ...(images?.notices ?? [])],
  };
}

/** Reports the progress of a converter: pages, slides, entries. */
export type Step = (done: number, total: number) => void;

/** No trailing spaces but the two of a line break, no runs of empty lines. */
export function tidy(markdown: string): string {
  return markdown
    .replaceAll(/[ \t\u00a0]+$/gmu, (spaces) => (spaces === "  " ? spaces : ""))
    .replaceAll(/\n{3,}/gu, "\n\n")
    .trim();
}

export const IMAGE_EXTENSIONS: Readonly<Record<ImageFacts["mimeType"], string>> = {
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/gif": ".gif",
  "image/webp": ".webp",
};

/** More pictures than this are decoration. */
const MAX_IMAGES = 100;

/** Collects the pictures of one document; the same picture twice is kept once. */
export class ImageCollector {
  readonly images: SourceFile[] = [];
  /** Pictures that are not kept: the same one counts once, as with those that are. */
  readonly #lost = new Set<string>();
  #missing = 0;

  /** For the person; none when every picture is kept. */
  get notices(): string[] {
    const lost = this.#lost.size + this.#missing;
    return lost === 0
      ? []
      : [
          `Pictures that are damaged, missing, of a kind that is not kept, or more than ${MAX_IMAGES} were left out: ${lost}.`,
        ];
  }

  /** The address for the picture in the document's markdown; null when it is not kept, which the notice counts. */
  add(bytes: Uint8Array | null): string | null {
    const address = this.tryAdd(bytes);
    if (address !== null) return address;
    if (bytes === null) this.#missing += 1;
    else this.#lost.add(createHash("sha256").update(bytes).digest("base64"));
    return null;
  }

  /** The same for what is kept in another way when it is no picture. */
  tryAdd(bytes: Uint8Array | null): string | null {
    if (bytes === null) return null;
    const known = this.images.find((image) => Buffer.compare(image.bytes, bytes) === 0);
    if (known !== undefined) return imageAddress(known.name);
    const facts = sniffImage(asBuffer(bytes));
    if (facts === null || this.images.length >= MAX_IMAGES) return null;
    const name = `image-${this.images.length + 1}${IMAGE_EXTENSIONS[facts.mimeType]}`;
    this.images.push({ name, bytes });
    return imageAddress(name);
  }

  /** Takes a picture that is written into its address (`data:image/png;base64,…`). */
  addData(address: string): string | null {
    const encoded = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/=\s]+)$/u.exec(address)?.[1];
    return this.add(Buffer.from(encoded ?? address, encoded === undefined ? "utf8" : "base64"));
  }
}

/** The same memory as a `Buffer`. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Stands for an image of the same document until it has a path in the vault. */
function imageAddress(name: string): string {
  return `attachment:${encodeURIComponent(name)}`;
}

/** Replaces the addresses of a document's images by their final ones. */
export function withImageAddresses(
  markdown: string,
  addressOf: (name: string) => string | undefined,
): string {
  return markdown.replace(/attachment:([^\s)<>"]+)/gu, (whole, encoded: string) => {
    const address = addressOf(decodeAddress(encoded));
    return address === undefined ? whole : encodeURI(address);
  });
}

/** The text that percent signs stand for; unchanged when they are not valid. */
export function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
