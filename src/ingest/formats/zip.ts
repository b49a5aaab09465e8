import { baseOf, converted, type Converted, type SourceFile } from "../convert/converted.ts";
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

/** The page with which ChatGPT's export shows its conversations. */
const SAME_CONVERSATIONS = /(?:^|\/)chat\.html$/u;
const MOST_NAMES = 5;

/** Pictures, uploads and settings that an export holds beside its conversations. */
function othersLeftOut(files: readonly string[]): string[] {
  const names = files.slice(0, MOST_NAMES).map(baseOf).join(", ");
  const more = files.length > MOST_NAMES ? ", …" : "";
  return files.length === 0
    ? []
    : [`Other files of the export were left out: ${files.length} (${names}${more}).`];
}

/** What other programs export as an archive: their notes; null for any other archive. */
function exportIn(zip: ZipReader, files: readonly string[], { notes }: Limits): Converted | null {
  const conversations = files.find((file) => /(?:^|\/)conversations\.json$/u.test(file));
  if (conversations !== undefined) {
    const exported = conversationNotes(zip.text(conversations) ?? "[]", zip.name, notes);
    const others = files.filter((file) => file !== conversations && !SAME_CONVERSATIONS.test(file));
    return { ...exported, notices: [...exported.notices, ...othersLeftOut(others)] };
  }
  if (isSlack(files)) return slackNotes(zip, notes);
  if (isKeep(files)) return keepNotes(zip, notes);
  return isNotion(files) ? notionNotes(zip, notes) : null;
}
