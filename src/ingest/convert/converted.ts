/** A file that came in: a name somebody gave it, and what is in it. */
export interface SourceFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A picture found in a document. Its markdown shows it as `![…](attachment:NAME)`. */
export interface FoundImage {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What a converter makes of one file. */
export interface Converted {
  /** What the document calls itself; null when it does not say. */
  readonly title: string | null;
  readonly markdown: string;
  readonly images: readonly FoundImage[];
  /** Files inside this one, each to be ingested by itself: attachments of a mail, entries of an archive. */
  readonly inside: readonly SourceFile[];
  /** What a person should know: pages without text, parts that were left out. Whole sentences. */
  readonly notices: readonly string[];
  /** Something could not be read for want of a program that can be installed: the same file is worth another try. */
  readonly isPartial?: boolean;
}

/** Most documents are only text. */
export function textOnly(title: string | null, markdown: string): Converted {
  return { title, markdown, images: [], inside: [], notices: [] };
}

/** How a converter tells how far it is: pages, slides, entries. */
export type Step = (done: number, total: number) => void;

/** The address that stands for an image of the same document, until it has a place in the vault. */
export function imageAddress(name: string): string {
  return `attachment:${encodeURIComponent(name)}`;
}

const ADDRESS = /attachment:([^\s)<>"]+)/gu;

/** Gives images of a document their final addresses. */
export function withImageAddresses(
  markdown: string,
  addressOf: (name: string) => string | undefined,
): string {
  return markdown.replace(ADDRESS, (whole, encoded: string) => {
    const address = addressOf(decoded(encoded));
    return address === undefined ? whole : encodeURI(address);
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
