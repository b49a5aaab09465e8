import type { Converted, SourceFile } from "../convert/converted.ts";
import type { Limits } from "../limits.ts";
import { ZipReader } from "../convert/zip-reader.ts";

/** What systems add to archives by themselves. */
const CLUTTER = /(?:^|\/)(?:__MACOSX\/|\.(?!\.)|thumbs\.db$|desktop\.ini$)/iu;

/** An archive: its files, each to be ingested. Folders in it only show in the names. */
export function convertZip(name: string, bytes: Uint8Array, limits: Limits): Converted {
  const zip = new ZipReader(bytes, name, limits);
  const files = zip.entries.filter((entry) => !entry.isFolder && !CLUTTER.test(entry.name));
  const inside = files.slice(0, limits.files).flatMap((entry): SourceFile[] => {
    const unpacked = zip.read(entry.name);
    return unpacked === null ? [] : [{ name: entry.name, bytes: unpacked }];
  });
  const left = files.length - inside.length;
  return {
    title: null,
    markdown: "",
    images: [],
    inside,
    notices:
      left === 0
        ? []
        : [
            `${left} of the ${files.length} files in ${name} were left out: at most ${limits.files} are taken in.`,
          ],
  };
}
