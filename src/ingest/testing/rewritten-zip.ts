import { ZipReader } from "../convert/zip-reader.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { zipFile } from "./zip-file.ts";

/** The same archive with other texts in the files that a pattern names. */
export function rewrittenZip(
  file: Buffer,
  names: RegExp,
  change: (text: string) => string,
): Buffer {
  const zip = new ZipReader(file, "an archive", DEFAULT_LIMITS);
  const entries = zip.files.map((name): [string, string | Uint8Array] => [
    name,
    names.test(name) ? change(zip.text(name) ?? "") : (zip.read(name) ?? ""),
  ]);
  return zipFile(Object.fromEntries(entries));
}
