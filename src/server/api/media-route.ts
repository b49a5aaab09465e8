import type { Hono } from "hono";
import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import { nameOf, parsePath, showPath, type VaultPath } from "../../vault/paths.ts";
import { formatBytes } from "../../text/tokens.ts";
import { checked } from "../http/request.ts";
import type { AppOptions } from "./app.ts";

const MediaQuery = z.object({ path: z.string().min(1) });

/** A recording of an hour or two. */
const MAX_BYTES = 200_000_000;

/** Types that a browser shows or plays by itself, and that hold no script of the page's origin. */
const PLAYED = /^(?:application\/pdf|audio\/[\w.+-]+|video\/[\w.+-]+)$/u;

/**
 * `GET /api/media?path=`: a PDF, recording or film for the browser's own viewer, with a type that is decided by its content, whatever the name
 * says. A part of it when the browser asks for one, so that one can go to any place in it. Only our own page may show it in a frame.
 */
export function addMediaRoute(app: Hono, { service }: Pick<AppOptions, "service">): void {
  app.get("/api/media", async (c) => {
    const asked = checked(MediaQuery, c.req.query(), "Say which file, ?path=vault/…");
    const { path } = parsePath(asked.path);
    const { bytes, size } = await service.vault.readBytes(path, MAX_BYTES);
    if (size > MAX_BYTES) {
      throw new ExpectedError(
        "too_large",
        `${showPath(path)} has ${formatBytes(size)}; at most ${formatBytes(MAX_BYTES)} are sent whole.`,
      );
    }
    const { fileTypeFromBuffer } = await import("file-type");
    const mimeType =
      (await fileTypeFromBuffer(bytes.subarray(0, 65_536)))?.mime.split(";")[0] ?? "";
    if (!PLAYED.test(mimeType)) {
      throw new ExpectedError("not_text", `${showPath(path)} is no PDF, recording or film.`);
    }
    const range = rangeIn(c.req.header("range"), size);
    if (range === "none") return c.body(null, 416, { "content-range": `bytes */${size}` });
    const part = range === null ? bytes : bytes.subarray(range.start, range.end + 1);
    return c.body(new Uint8Array(part), range === null ? 200 : 206, {
      "content-type": mimeType,
      "content-security-policy": "frame-ancestors 'self'",
      "x-frame-options": "SAMEORIGIN",
      "accept-ranges": "bytes",
      // The viewer shows this name, and saves under it.
      "content-disposition": `inline; filename*=UTF-8''${encodedName(path)}`,
      ...(range === null ? {} : { "content-range": `bytes ${range.start}-${range.end}/${size}` }),
    });
  });
}

/** As a header can carry it: these four are no part of a name there. */
function encodedName(path: VaultPath): string {
  return encodeURIComponent(nameOf(path)).replaceAll(
    /['()*]/gu,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The bytes that a request names; null for all of them, `none` when there are none such. Of several ranges, all are sent. */
export function rangeIn(
  header: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | "none" | null {
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/u.exec(header ?? "") ?? [];
  if (from === "" && to === "") return null;
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  return start > end ? "none" : { start, end };
}
