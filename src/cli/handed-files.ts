import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { isUtf8 } from "node:buffer";

import type { ImageInput } from "../agents/update-input.ts";
import { ExpectedError, explainErrno } from "../vault/errors.ts";
import { sniffImage } from "../vault/image.ts";
import { formatBytes } from "../vault/tokens.ts";

/** Bytes: what the service takes in one request, with room for the rest of it. */
const MOST_BYTES = 5_500_000;

export interface HandedFiles {
  /** The texts, each under its name when there are several. */
  readonly text: string;
  readonly images: readonly ImageInput[];
  readonly names: readonly string[];
}

/** Reads files of this machine that are handed over: text and images. Others must be converted first. */
export function readHandedFiles(files: readonly string[]): HandedFiles {
  const texts: { name: string; text: string }[] = [];
  const images: ImageInput[] = [];
  let left = MOST_BYTES;
  for (const file of files) {
    const bytes = readOne(file, left);
    left -= bytes.length;
    const name = path.basename(file);
    if (sniffImage(bytes) !== null) images.push({ name, data: bytes.toString("base64") });
    else if (isUtf8(bytes) && !bytes.includes(0)) {
      texts.push({ name, text: bytes.toString("utf8").replace(/^\uFEFF/u, "") });
    } else {
      throw new ExpectedError(
        "not_text",
        `${file} is neither text nor an image. Convert it first with: coffre ingest`,
      );
    }
  }
  const [only] = texts;
  const text =
    only !== undefined && texts.length === 1
      ? only.text
      : texts.map((each) => `## ${each.name}\n\n${each.text.trim()}`).join("\n\n");
  return { text, images, names: files.map((file) => path.basename(file)) };
}

function readOne(file: string, most: number): Buffer {
  try {
    const { size } = statSync(file);
    if (size <= most) return readFileSync(file);
    throw new ExpectedError(
      "too_large",
      `${file} (${formatBytes(size)}) does not fit: ${formatBytes(MOST_BYTES)} can be handed over at once. Put it into the vault's bucket/ instead.`,
    );
  } catch (error) {
    throw explainErrno(error, file);
  }
}
