import type { Converted } from "../convert/converted.ts";
import { kindOf } from "../convert/file-kind.ts";
import { convertFile } from "../formats/formats.ts";
import { DEFAULT_LIMITS, type Limits } from "../limits.ts";

/** Converts in this process, as the converting process does. */
export async function convertHere(
  name: string,
  content: string | Uint8Array,
  limits: Partial<Limits> = {},
): Promise<Converted> {
  const bytes = Buffer.from(content);
  const kind = await kindOf(name, bytes);
  const ocr = { folder: "/no/language/data" };
  return convertFile(
    { name, bytes, kind, limits: { ...DEFAULT_LIMITS, ...limits }, ocr },
    () => {},
  );
}
