import path from "node:path";

import {
  converted,
  decodeAddress,
  ImageCollector,
  type Converted,
  type InsideFile,
} from "../../convert/converted.ts";
import type { ZipReader } from "../../convert/zip-reader.ts";
import { noteFile } from "./exported-note.ts";

/** Notion writes an id of 32 digits behind every title. */
const PAGE = /(?:^|\/)([^/]*?) ([0-9a-f]{32})\.md$/u;
const WITH_ID = / [0-9a-f]{32}(?=\.\w+$|_all\.csv$)/u;
const IMAGE = /!\[([^\]]*)\]\(([^)\s]+)\)/gu;

/** True for an archive that Notion exported as markdown. */
export function isNotion(files: readonly string[]): boolean {
  const pages = files.filter((file) => PAGE.test(file)).length;
  return pages > 0 && pages >= files.filter((file) => file.endsWith(".md")).length / 2;
}

/** Each page with its pictures; databases and other files as they are, without the ids in their names. */
export function notionNotes(zip: ZipReader, most: number): Converted {
  const files = zip.files.filter((file) => !/(?:^|\/)(?:__MACOSX\/|\.)/u.test(file));
  const used = new Set<string>();
  const pages = files.filter((file) => PAGE.test(file));
  const notes = pages.slice(0, most).map((file) => pageOf(zip, file, used));
  const others = files
    .filter((file) => !PAGE.test(file) && !used.has(file))
    // A database comes twice: as it was shown, and with all its rows.
    .filter((file) => !files.includes(file.replace(/\.csv$/u, "_all.csv")));
  const beside = others.slice(0, Math.max(0, most - notes.length)).flatMap((file): InsideFile[] => {
    const bytes = zip.read(file);
    return bytes === null ? [] : [{ name: file.replace(WITH_ID, ""), bytes }];
  });
  const left = pages.length + others.length - notes.length - beside.length;
  const notices =
    left === 0 ? [] : [`Files were left out: ${left}. At most ${most} are taken in at once.`];
  return { ...converted(null, "", { notices }), inside: [...notes, ...beside], folder: "Notion" };
}

function pageOf(zip: ZipReader, file: string, used: Set<string>): InsideFile {
  const text = zip.text(file) ?? "";
  const images = new ImageCollector();
  const folder = path.posix.dirname(file);
  const markdown = text.replaceAll(IMAGE, (whole, alt: string, address: string) => {
    const place = path.posix.join(folder, decodeAddress(address));
    const kept = /^[a-z]+:/iu.test(address) ? null : images.tryAdd(zip.read(place));
    if (kept === null) return whole;
    used.add(place);
    return `![${alt}](${kept})`;
  });
  const heading = /^#\s+(.+)\n/u.exec(markdown);
  const created = /^(?:Created(?: time)?|Date): (.+)$/mu.exec(markdown.slice(0, 2000))?.[1];
  const time = Date.parse(`${created ?? ""} UTC`);
  return noteFile({
    title: heading?.[1] ?? PAGE.exec(file)?.[1] ?? "",
    created: Number.isNaN(time) ? null : time,
    markdown: heading === null ? markdown : markdown.slice(heading[0].length),
    images,
  });
}
