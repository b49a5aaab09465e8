import { converted, type Converted, type SourceFile } from "../convert/converted.ts";
import { ZipReader } from "../convert/zip-reader.ts";
import type { ConversionJob } from "./formats.ts";

/** What operating systems add to archives. */
const CLUTTER = /(?:^|\/)(?:__MACOSX\/|\.(?!\.)|thumbs\.db$|desktop\.ini$)/iu;

/** An archive: its files, each to be ingested. Folders in it only show in the names. */
export function convertZip({ name, bytes, limits }: ConversionJob): Converted {
  const zip = new ZipReader(bytes, name, limits);
  const files = zip.entries.filter((entry) => !entry.isFolder && !CLUTTER.test(entry.name));
  const inside = files.slice(0, limits.files).flatMap((entry): SourceFile[] => {
    const unpacked = zip.read(entry.name);
    return unpacked === null ? [] : [{ name: entry.name, bytes: unpacked }];
  });
  const left = files.length - inside.length;
  const notice = `${left} of the ${files.length} files in ${name} were left out: at most ${limits.files} are taken in.`;
  return { ...converted(null, ""), inside, notices: left === 0 ? [] : [notice] };
}
