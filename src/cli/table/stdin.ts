import { isUtf8 } from "node:buffer";
import { buffer } from "node:stream/consumers";

import { decodeUtf8 } from "../../text/utf8.ts";
import { ExpectedError } from "../../errors.ts";
import { UsageError } from "./command.ts";

export interface InputStream extends AsyncIterable<Uint8Array | string> {
  readonly isTTY?: boolean | undefined;
  /** Of a terminal: what is typed is not shown, and comes key by key. */
  setRawMode?(isRaw: boolean): unknown;
}

/**
 * All the text on standard input, without a byte-order mark. Nobody is left waiting at a terminal: there it throws, saying how to
 * give the text.
 * @param howElse completes "Give the text…"
 */
export async function readStdin(stdin: InputStream, howElse: string): Promise<string> {
  if (stdin.isTTY === true) throw new UsageError(`There is no text. Give it ${howElse}.`);
  return decodeText(await buffer(stdin), "The text on standard input");
}

/** All the bytes on standard input. Throws at a terminal, where nobody can type a file. */
export async function readStdinBytes(stdin: InputStream): Promise<Buffer> {
  if (stdin.isTTY !== true) return buffer(stdin);
  throw new UsageError(
    "Standard input is a terminal. Pipe a file into it: coffre ingest - < FILE.",
  );
}

/** Bytes as text; throws rather than put replacement characters into someone's notes. */
export function decodeText(bytes: Buffer, what: string): string {
  if (!isUtf8(bytes)) {
    throw new ExpectedError(
      "not_text",
      `${what} is not UTF-8; nothing was changed. Convert it first, for instance with iconv.`,
    );
  }
  return decodeUtf8(bytes);
}
