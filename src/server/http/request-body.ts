import { z } from "zod";

import { ExpectedError } from "../../errors.ts";

export const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** The JSON of a request, `undefined` when it has none. Reads no more than 8 MiB of it. */
export async function jsonBody(request: Request): Promise<unknown> {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw tooLarge();
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

/**
 * Checks what a request says.
 * @param subject what is checked, as the error names it: `limit`, or `Send {"question": "…"}`
 */
export function checked<T>(schema: z.ZodType<T>, value: unknown, subject: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ExpectedError("invalid_argument", `${subject}: ${z.prettifyError(result.error)}`);
}

async function readBounded(request: Request): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // Not cancelled when it is refused halfway: the answer goes back on the same connection.
    for await (const chunk of request.body?.values({ preventCancel: true }) ?? []) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ExpectedError) throw error;
    throw new ExpectedError("invalid_argument", "The body ended before all of it was sent.", {
      cause: error,
    });
  }
  return Buffer.concat(chunks);
}

function tooLarge(): ExpectedError {
  return new ExpectedError(
    "too_large",
    "The body has more than 8 MiB; send less at once, or put the file into the vault's folder.",
  );
}
