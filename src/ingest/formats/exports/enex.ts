import { createHash } from "node:crypto";

import {
  converted,
  ImageCollector,
  type Converted,
  type InsideFile,
  type Step,
} from "../../convert/converted.ts";
import { decodeText } from "../../convert/file-kind.ts";
import { removeHiddenText, hiddenNotices } from "../../convert/hidden-text.ts";
import { documentMarkdown, parseFragment } from "../../convert/html.ts";
import {
  childElements,
  descendants,
  firstOf,
  parseXml,
  textOf,
  type XmlElement,
} from "../../convert/xml-tree.ts";
import type { ConversionJob } from "../formats.ts";
import { noteFile, oneLine } from "./exported-note.ts";

/** What Evernote exported: each note by itself, with its pictures, and its other files beside it. */
export function convertEnex({ name, bytes, kind, limits }: ConversionJob, step: Step): Converted {
  const notes = descendants(parseXml(decodeText(bytes, kind.encoding), name), "note");
  const inside: InsideFile[] = [];
  let hidden = 0;
  for (const [at, note] of notes.slice(0, limits.notes).entries()) {
    step(at, notes.length);
    const made = noteFiles(note);
    inside.push(...made.files);
    hidden += made.hidden;
  }
  const left = notes.length - Math.min(notes.length, limits.notes);
  const notices =
    left === 0
      ? []
      : [`Notes were left out: ${left}. At most ${limits.notes} are taken in at once.`];
  return {
    ...converted(null, "", { notices: [...notices, ...hiddenNotices(hidden)] }),
    inside,
    folder: "Evernote",
  };
}

function noteFiles(note: XmlElement): { files: InsideFile[]; hidden: number } {
  const part = (of: string): string => {
    const found = childElements(note).find((child) => child.name === of);
    return found === undefined ? "" : textOf(found).trim();
  };
  const title = oneLine(part("title"));
  const images = new ImageCollector();
  const addresses = new Map<string, string>();
  const files: InsideFile[] = [];
  for (const resource of childElements(note).filter((child) => child.name === "resource")) {
    const data = Buffer.from(textOf(firstOf(resource, "data") ?? ""), "base64");
    const address = images.tryAdd(data);
    // The text names its pictures by this hash.
    if (address !== null) addresses.set(createHash("md5").update(data).digest("hex"), address);
    else if (data.length > 0) {
      const file = oneLine(textOf(firstOf(resource, "file-name") ?? "")) || "attachment";
      files.push({ name: file, bytes: data });
    }
  }
  const html = part("content")
    .replaceAll(/<\?xml[^>]*>|<!DOCTYPE[^>]*>/giu, "")
    // In HTML a tag such as `<en-todo/>` would stay open.
    .replaceAll(/<(en-todo|en-media)\b([^>]*?)\/?>(?:<\/\1>)?/giu, "<$1$2></$1>");
  const page = parseFragment(html);
  const hidden = removeHiddenText(page);
  for (const media of page.querySelectorAll("en-media")) {
    const address = addresses.get(media.getAttribute("hash") ?? "");
    const image = page.createElement("img");
    if (address === undefined) media.remove();
    else {
      image.setAttribute("src", address);
      media.replaceWith(image);
    }
  }
  for (const box of page.querySelectorAll("en-todo")) {
    const input = page.createElement("input");
    input.setAttribute("type", "checkbox");
    if (box.getAttribute("checked") === "true") input.setAttribute("checked", "checked");
    box.replaceWith(input);
  }
  const markdown = documentMarkdown(page, images);
  const tags = childElements(note)
    .filter((child) => child.name === "tag")
    .map(textOf);
  return {
    files: [
      noteFile({ title, created: timeOf(part("created")), markdown, tags, images }),
      ...files,
    ],
    hidden,
  };
}

/** `20240302T100000Z`. */
function timeOf(text: string): number | null {
  const iso = text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u, "$1-$2-$3T$4:$5:$6Z");
  const time = Date.parse(iso);
  return Number.isNaN(time) ? null : time;
}
