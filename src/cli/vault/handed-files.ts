import { readFileSync, statSync } from "node:fs";
import path from "node:path";

import type { ImageInput } from "../../agents/update/update-input.ts";
import type { Gathered } from "../../ingest/filing/gather.ts";
import { ExpectedError, explainErrno } from "../../errors.ts";
import { decodeUtf8, isTextBytes } from "../../text/utf8.ts";
import { sniffImage } from "../../vault/files/image.ts";
import { formatBytes } from "../../text/tokens.ts";

/** Bytes: what the service takes in one request, with room for the rest of it. */
const MOST_BYTES = 5_500_000;

export interface HandedFiles {
  /** The texts, each under its name when there are several. */
  readonly text: string;
  readonly images: readonly ImageInput[];
  readonly names: readonly string[];
}

interface Handed {
  readonly texts: { readonly name: string; readonly text: string }[];
  readonly images: ImageInput[];
}

/**
 * Reads files of this machine that are handed over. What is neither text nor an image becomes both.
 * @param convert makes text and images of a file of another form
 */
export async function readHandedFiles(
  files: readonly string[],
  convert: (file: string) => Promise<Gathered>,
): Promise<HandedFiles> {
  const handed: Handed = { texts: [], images: [] };
  for (const file of files) {
    const name = path.basename(file);
    const bytes = readOne(file);
    if (sniffImage(bytes) !== null) handed.images.push({ name, data: bytes.toString("base64") });
    else if (isTextBytes(bytes)) {
      handed.texts.push({ name, text: decodeUtf8(bytes) });
    } else take(await convert(file), handed);
  }
  refuseTooMuch(handed);
  const [only] = handed.texts;
  const text =
    only !== undefined && handed.texts.length === 1
      ? only.text
      : handed.texts.map((each) => `## ${each.name}\n\n${each.text.trim()}`).join("\n\n");
  return { text, images: handed.images, names: files.map((file) => path.basename(file)) };
}

/** A document, the pictures in it, and the files in it. What could not be read is said in its text: it must not get lost unseen. */
function take({ file, converted, inside, failures, notices }: Gathered, handed: Handed): void {
  const { name, bytes } = file;
  const isImage = converted === null && sniffImage(Buffer.from(bytes)) !== null;
  if (isImage) handed.images.push({ name, data: Buffer.from(bytes).toString("base64") });
  const remarks = [...notices, ...failures.map(({ message }) => message)];
  const text = [converted?.markdown ?? "", ...remarks].filter((part) => part !== "").join("\n\n");
  if (text !== "") handed.texts.push({ name, text });
  for (const image of converted?.images ?? []) {
    handed.images.push({ name: image.name, data: Buffer.from(image.bytes).toString("base64") });
  }
  for (const each of inside) take(each, handed);
}

function refuseTooMuch({ texts, images }: Handed): void {
  const sizes = [
    ...texts.map(({ text }) => Buffer.byteLength(text)),
    ...images.map(({ data }) => Buffer.byteLength(data, "base64")),
  ];
  const size = sizes.reduce((sum, each) => sum + each, 0);
  if (size <= MOST_BYTES) return;
  throw new ExpectedError(
    "too_large",
    `These files come to ${formatBytes(size)}; ${formatBytes(MOST_BYTES)} can be handed over at once. Put them into the vault instead: coffre ingest FILE…`,
  );
}

/** Large documents are read again by who converts them. */
function readOne(file: string): Buffer {
  try {
    const { size } = statSync(file);
    return size > MOST_BYTES ? Buffer.alloc(1) : readFileSync(file);
  } catch (error) {
    throw explainErrno(error, file);
  }
}
