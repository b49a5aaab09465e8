import PostalMime, { type Address, type Email } from "postal-mime";

import {
  converted,
  ImageCollector,
  type Converted,
  type SourceFile,
} from "../convert/converted.ts";
import { documentMarkdown, parsePage } from "../convert/html.ts";
import { plainCell } from "../convert/markdown-table.ts";
import type { ConversionJob } from "./formats.ts";

/** A mail: who wrote to whom, when and about what, then what it says; its attachments are files of their own. */
export async function convertMail({ bytes }: ConversionJob): Promise<Converted> {
  const mail = await PostalMime.parse(bytes, { attachmentEncoding: "arraybuffer" });
  const images = new ImageCollector();
  const { shown, inside } = attachmentsOf(mail, images);
  const markdown = `${headersOf(mail, inside)}\n\n${bodyOf(mail, shown, images)}`.trim();
  return { ...converted(mail.subject?.trim() || null, markdown, images), inside };
}

function headersOf(mail: Email, inside: readonly SourceFile[]): string {
  const lines: readonly (readonly [string, string])[] = [
    ["From", addresses(mail.from === undefined ? [] : [mail.from])],
    ["To", addresses(mail.to ?? [])],
    ["Cc", addresses(mail.cc ?? [])],
    ["Date", dateOf(mail)],
    ["Attachments", inside.map(({ name }) => name).join(", ")],
  ];
  return lines
    .filter(([, value]) => value !== "")
    .map(([label, value]) => `- ${label}: ${plainCell(value.replaceAll(/\s+/gu, " "))}`)
    .join("\n");
}

function addresses(list: readonly Address[]): string {
  return list
    .flatMap((each) => (each.group === undefined ? [each] : each.group))
    .map(({ name, address }) => (name && address ? `${name} <${address}>` : (address ?? name)))
    .join(", ");
}

/** As the mail has it, in the sender's time zone; cut to what a line can hold. */
function dateOf({ date, headers }: Email): string {
  return headers.find(({ key }) => key === "date")?.value ?? date ?? "";
}

/** Pictures that the text shows are part of it; everything else is attached. */
function attachmentsOf(
  mail: Email,
  images: ImageCollector,
): { shown: Map<string, string>; inside: SourceFile[] } {
  const shown = new Map<string, string>();
  const inside: SourceFile[] = [];
  for (const [at, { filename, content, contentId, mimeType }] of mail.attachments.entries()) {
    const bytes = typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
    const id = contentId?.replaceAll(/^<|>$/gu, "") ?? "";
    const isShown = id !== "" && (mail.html?.includes(`cid:${id}`) ?? false);
    const address = isShown ? images.add(bytes) : null;
    if (address === null) inside.push({ name: filename ?? fallbackName(at, mimeType), bytes });
    else shown.set(id, address);
  }
  return { shown, inside };
}

function fallbackName(at: number, mimeType: string): string {
  return `attachment-${at + 1}${mimeType === "message/rfc822" ? ".eml" : ""}`;
}

function bodyOf(mail: Email, shown: ReadonlyMap<string, string>, images: ImageCollector): string {
  if (mail.html === undefined) return mail.text?.trim() ?? "";
  const page = parsePage(mail.html);
  for (const image of page.querySelectorAll("img")) {
    const id = /^cid:(.+)$/u.exec(image.getAttribute("src") ?? "")?.[1];
    const address = id === undefined ? undefined : shown.get(id);
    if (address !== undefined) image.setAttribute("src", address);
    // One pixel from a server tells the sender that the mail was read.
    else if (image.getAttribute("width") === "1" || image.getAttribute("height") === "1")
      image.remove();
  }
  const markdown = documentMarkdown(page, images);
  return markdown === "" ? (mail.text?.trim() ?? "") : markdown;
}
