import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import type { MiddlewareHandler } from "hono";

/** Bytes: a smaller answer fits into one packet either way. */
const WORTH_IT = 1400;
/** Fast: an answer is made once for each request. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const GZIP = { level: 5 };

const withBrotli = promisify(brotliCompress);
const withGzip = promisify(gzip);

/** JSON and texts. Not event streams, which must arrive as they are written, nor images, which are compressed already. */
const COMPRESSIBLE = /^(?:application\/(?:json|problem\+json)|text\/(?!event-stream))/iu;

export type Encoding = "br" | "gzip";

/** The best encoding that a client accepts; null when it wants the bytes as they are. */
export function acceptedEncoding(header: string | undefined): Encoding | null {
  const accepted = new Map(
    (header ?? "").split(",").map((part) => {
      const [name = "", ...parameters] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/u);
      const weight = parameters.find((each) => each.startsWith("q="))?.slice(2) ?? "1";
      return [name, Number(weight) > 0] as const;
    }),
  );
  const isAccepted = (name: Encoding): boolean => accepted.get(name) ?? accepted.get("*") ?? false;
  if (isAccepted("br")) return "br";
  return isAccepted("gzip") ? "gzip" : null;
}

/** Compresses answers for clients that accept it. An answer is whole in memory already, so its compression needs no stream. */
export const compressAnswers: MiddlewareHandler = async (c, next) => {
  await next();
  const { res } = c;
  if (!COMPRESSIBLE.test(res.headers.get("content-type") ?? "")) return;
  if (res.body === null || res.headers.has("content-encoding")) return;
  res.headers.append("vary", "accept-encoding");
  const encoding = acceptedEncoding(c.req.header("accept-encoding"));
  if (encoding === null || c.req.method === "HEAD") return;
  const bytes = new Uint8Array(await res.arrayBuffer());
  const headers = new Headers(res.headers);
  headers.delete("content-length");
  const isSmall = bytes.length < WORTH_IT;
  if (!isSmall) headers.set("content-encoding", encoding);
  const body = isSmall ? bytes : await compressed(bytes, encoding);
  // Hono adds the headers of the answer that is replaced to the new one, the old length among them.
  c.res = undefined;
  c.res = new Response(body, { status: res.status, headers });
};

async function compressed(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  const packed = encoding === "br" ? await withBrotli(bytes, BROTLI) : await withGzip(bytes, GZIP);
  return new Uint8Array(packed);
}
