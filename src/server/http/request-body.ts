import { ExpectedError } from "../../errors.ts";

/** Bytes. */
export const LARGEST_BODY = 8 * 1024 * 1024;

/** The JSON of a request, `undefined` when it has none. Reads no more than 8 MiB of it. */
export async function jsonBody(request: Request): Promise<unknown> {
  if (Number(request.headers.get("content-length") ?? 0) > LARGEST_BODY) throw tooLarge();
  const bytes = await readBounded(request);
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ExpectedError("invalid_argument", `The body is not JSON in UTF-8: ${why}.`, {
      cause: error,
    });
  }
}

async function readBounded(request: Request): Promise<Buffer> {
  if (request.body === null) return Buffer.alloc(0);
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await nextChunk(reader);
    if (done) return Buffer.concat(chunks);
    size += value.length;
    if (size > LARGEST_BODY) throw tooLarge();
    chunks.push(value);
  }
}

async function nextChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReturnType<typeof reader.read> {
  try {
    return await reader.read();
  } catch (error) {
    throw new ExpectedError("invalid_argument", "The body ended before all of it was sent.", {
      cause: error,
    });
  }
}

function tooLarge(): ExpectedError {
  return new ExpectedError(
    "too_large",
    "The body has more than 8 MiB; send less at once, or put the file into the vault's folder.",
  );
}
