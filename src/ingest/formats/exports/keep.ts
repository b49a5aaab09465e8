import path from "node:path";

import { z } from "zod";

import {
  converted,
  ImageCollector,
  type Converted,
  type InsideFile,
} from "../../convert/converted.ts";
import type { ZipReader } from "../../convert/zip-reader.ts";
import { noteFile } from "./exported-note.ts";

const KeepNote = z.object({
  title: z.string().default(""),
  textContent: z.string().default(""),
  listContent: z
    .array(z.object({ text: z.string(), isChecked: z.boolean().default(false) }))
    .default([]),
  labels: z.array(z.object({ name: z.string() })).default([]),
  attachments: z.array(z.object({ filePath: z.string() })).default([]),
  annotations: z
    .array(z.object({ url: z.string().optional(), title: z.string().optional() }))
    .default([]),
  isTrashed: z.boolean().default(false),
  createdTimestampUsec: z.number().optional(),
  userEditedTimestampUsec: z.number(),
});

const NOTE_FILE = /(?:^|\/)Keep\/[^/]+\.json$/u;

/** True for an archive of Google Takeout that holds notes of Keep. */
export function isKeep(files: readonly string[]): boolean {
  return files.some((file) => NOTE_FILE.test(file));
}

/** Each note that was not thrown away. */
export function keepNotes(zip: ZipReader, most: number): Converted {
  const files = zip.files.filter((file) => NOTE_FILE.test(file));
  const inside: InsideFile[] = [];
  let trashed = 0;
  let unread = 0;
  for (const file of files.slice(0, most)) {
    const note = noteIn(zip, file);
    if (note === null) unread += 1;
    else if (note.isTrashed) trashed += 1;
    else inside.push(...filesOf(zip, file, note));
  }
  const left = files.length - Math.min(files.length, most);
  const notices = [
    ...(trashed === 0 ? [] : [`Notes in the trash of Keep were left out: ${trashed}.`]),
    ...(unread === 0 ? [] : [`Files that are no notes of Keep were left out: ${unread}.`]),
    ...(left === 0 ? [] : [`Notes were left out: ${left}. At most ${most} are taken in at once.`]),
  ];
  return { ...converted(null, "", { notices }), inside, folder: "Google Keep" };
}

function noteIn(zip: ZipReader, file: string): z.infer<typeof KeepNote> | null {
  try {
    return KeepNote.safeParse(JSON.parse(zip.text(file) ?? "")).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A note with its pictures, and its recordings and other files beside it. */
function filesOf(zip: ZipReader, file: string, note: z.infer<typeof KeepNote>): InsideFile[] {
  const images = new ImageCollector();
  const beside: InsideFile[] = [];
  const folder = path.posix.dirname(file);
  const pictures = note.attachments.flatMap(({ filePath }) => {
    const bytes = zip.read(path.posix.join(folder, filePath));
    const address = bytes === null ? images.add(null) : images.tryAdd(bytes);
    if (address !== null) return [`![](${address})`];
    if (bytes !== null) beside.push({ name: path.posix.basename(filePath), bytes });
    return [];
  });
  const list = note.listContent.map(
    ({ text, isChecked }) => `- [${isChecked ? "x" : " "}] ${text}`,
  );
  const links = note.annotations.flatMap(({ url }) =>
    url !== undefined && /^https?:\/\/[^\s<>]+$/u.test(url) ? [`- <${url}>`] : [],
  );
  const parts = [note.textContent, list.join("\n"), links.join("\n"), ...pictures];
  const [line = ""] = note.textContent.trim().split("\n", 1);
  const made = noteFile({
    title: note.title || line.slice(0, 60) || "Untitled",
    created: (note.createdTimestampUsec ?? note.userEditedTimestampUsec) / 1000,
    markdown: parts.filter((part) => part.trim() !== "").join("\n\n"),
    tags: note.labels.map(({ name }) => name),
    images,
  });
  return [made, ...beside];
}
