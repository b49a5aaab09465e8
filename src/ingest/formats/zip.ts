import { converted, type Converted, type SourceFile } from "../convert/converted.ts";
import { ZipReader } from "../convert/zip-reader.ts";
import type { Limits } from "../limits.ts";
import { conversationNotes } from "./exports/conversations.ts";
import { isKeep, keepNotes } from "./exports/keep.ts";
import { isNotion, notionNotes } from "./exports/notion.ts";
import { isSlack, slackNotes } from "./exports/slack.ts";
import type { ConversionJob } from "./formats.ts";

/** What operating systems add to archives. */
const CLUTTER = /(?:^|\/)(?:__MACOSX\/|\.(?!\.)|thumbs\.db$|desktop\.ini$)/iu;

/** An archive: its files, each to be ingested. Folders in it only show in the names. */
export function convertZip({ name, bytes, limits }: ConversionJob): Converted {
  const zip = new ZipReader(bytes, name, limits);
  const files = zip.files.filter((file) => !CLUTTER.test(file));
  const exported = exportIn(zip, files, limits);
  if (exported !== null) return exported;
  const inside = files.slice(0, limits.files).flatMap((file): SourceFile[] => {
    const unpacked = zip.read(file);
    return unpacked === null ? [] : [{ name: file, bytes: unpacked }];
  });
  const left = files.length - inside.length;
  const notice = `${left} of the ${files.length} files in ${name} were left out: at most ${limits.files} are taken in.`;
  return { ...converted(null, ""), inside, notices: left === 0 ? [] : [notice] };
}

/** What other programs export as an archive: their notes; null for any other archive. */
function exportIn(zip: ZipReader, files: readonly string[], { notes }: Limits): Converted | null {
  const conversations = files.find((file) => /(?:^|\/)conversations\.json$/u.test(file));
  if (conversations !== undefined)
    return conversationNotes(zip.text(conversations) ?? "[]", zip.name, notes);
  if (isSlack(files)) return slackNotes(zip, notes);
  if (isKeep(files)) return keepNotes(zip, notes);
  return isNotion(files) ? notionNotes(zip, notes) : null;
}
