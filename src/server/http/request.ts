import type { z } from "zod";

import { ExpectedError } from "../../errors.ts";

/** Who calls: what one client has read through the service counts for what it writes. Percent-encoded. */
export const CLIENT_HEADER = "coffre-client";

/** Tells apart clients of one name that are connected at once: what one has read does not count for the other. */
export const CONNECTION_HEADER = "coffre-connection";

/** Who made a change, in the history, when the caller gives no name of its own. */
export const CALLERS = { cli: "cli", http: "http", mcp: "mcp", page: "page" } as const;

const utf8 = new TextDecoder("utf-8", { fatal: true });

export const MAX_BODY_BYTES = 8 * 1024 * 1024;
const MAX_NAME_LENGTH = 200;

export function isForm({ headers }: Request): boolean {
  return /^multipart\/form-data\b/iu.test(headers.get("content-type") ?? "");
}

/** The JSON of a request, `undefined` when it has none. Reads no more than 8 MiB of it. */
export async function jsonBody(request: Request): Promise<unknown> {
  const length = request.headers.get("content-length");
  if (Number(length ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const bytes = await readBounded(request, length !== null);
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(utf8.decode(bytes));
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
  const problems = result.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join(".")}: ${message}`,
  );
  throw new ExpectedError("invalid_argument", `${subject}: ${problems.join("; ")}.`);
}

/** @param isMeasured its length is known and right: all of it is read at once, which costs much less than its stream */
async function readBounded(request: Request, isMeasured: boolean): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    if (isMeasured) return Buffer.from(await request.arrayBuffer());
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

/**
 * Who sends a request, by its header. Headers carry no accents, so a name may be percent-encoded.
 * @param unnamed shared by all callers that do not give a name
 */
export function clientOf({ headers }: Request, unnamed: string = CALLERS.http): string {
  const header = headers.get(CLIENT_HEADER);
  if (header === null || header === "") return unnamed;
  return checkedName(decoded(header));
}

/** Throws for a name that is too long for the history. */
export function checkedName(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  throw new ExpectedError(
    "invalid_argument",
    `The client's name (${CLIENT_HEADER}) has ${name.length} characters; at most ${MAX_NAME_LENGTH} are accepted.`,
  );
}

function decoded(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}
