import PostalMime, { type Address, type Email } from "postal-mime";

import {
  converted,
  ImageCollector,
  type Converted,
  type SourceFile,
} from "../convert/converted.ts";
import { decodeText, encodingOf } from "../convert/file-kind.ts";
import { hiddenNotices, removeHiddenText } from "../convert/hidden-text.ts";
import { documentMarkdown, parsePage } from "../convert/html.ts";
import { plainCell } from "../convert/markdown-table.ts";
import type { ConversionJob } from "./formats.ts";

/** What a mail is, whichever program wrote it down. */
export type MailParts = Pick<
  Email,
  "subject" | "from" | "to" | "cc" | "date" | "headers" | "html" | "text" | "attachments"
>;

/** A mail: who wrote to whom, when and about what, then what it says; its attachments are files of their own. */
export async function convertMail({ bytes }: ConversionJob): Promise<Converted> {
  return mailNote(withText(await PostalMime.parse(bytes, { attachmentEncoding: "arraybuffer" })));
}

/** What a mail says is taken for a file without a name where its type is not whole (`Content-Type: text`). */
function withText(mail: Email): MailParts {
  const said = mail.attachments.find(
    ({ filename, mimeType }) => !filename && /^text\/?$/iu.test(mimeType),
  );
  if (said === undefined || mail.text !== undefined || mail.html !== undefined) return mail;
  const { content } = said;
  const bytes = typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
  const text = decodeText(bytes, encodingOf(bytes) ?? "utf-8");
  return { ...mail, text, attachments: mail.attachments.filter((each) => each !== said) };
}

export function mailNote(mail: MailParts): Converted {
  const images = new ImageCollector();
  const { shown, inside } = attachmentsOf(mail, images);
  const body = bodyOf(mail, shown, images);
  const markdown = `${headersOf(mail, inside)}\n\n${body.markdown}`.trim();
  const notices = hiddenNotices(body.hidden);
  const more = { images, notices };
  return { ...converted(mail.subject?.trim() || null, markdown, more), inside };
}

function headersOf(mail: MailParts, inside: readonly SourceFile[]): string {
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
function dateOf({ date, headers }: MailParts): string {
  return headers.find(({ key }) => key === "date")?.value ?? date ?? "";
}

/** Pictures that the text shows are part of it; everything else is attached. */
function attachmentsOf(
  mail: MailParts,
  images: ImageCollector,
): { shown: Map<string, string>; inside: SourceFile[] } {
  const shown = new Map<string, string>();
  const inside: SourceFile[] = [];
  for (const [at, { filename, content, contentId, mimeType }] of mail.attachments.entries()) {
    const bytes = typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
    const id = contentId?.replaceAll(/^<|>$/gu, "") ?? "";
    const isShown = id !== "" && (mail.html?.includes(`cid:${id}`) ?? false);
    const address = isShown ? images.tryAdd(bytes) : null;
    if (address === null) inside.push({ name: filename ?? fallbackName(at, mimeType), bytes });
    else shown.set(id, address);
  }
  return { shown, inside };
}

function fallbackName(at: number, mimeType: string): string {
  return `attachment-${at + 1}${mimeType === "message/rfc822" ? ".eml" : ""}`;
}

/** What a mail shows, and how many words it does not. */
function bodyOf(
  mail: MailParts,
  shown: ReadonlyMap<string, string>,
  images: ImageCollector,
): { markdown: string; hidden: number } {
  const text = mail.text?.trim() ?? "";
  if (mail.html === undefined) return { markdown: text, hidden: 0 };
  const page = parsePage(mail.html);
  const hidden = removeHiddenText(page);
  for (const image of page.querySelectorAll("img")) {
    const id = /^cid:(.+)$/u.exec(image.getAttribute("src") ?? "")?.[1];
    const address = id === undefined ? undefined : shown.get(id);
    if (address !== undefined) image.setAttribute("src", address);
    // One pixel from a server tells the sender that the mail was read.
    else if (image.getAttribute("width") === "1" || image.getAttribute("height") === "1")
      image.remove();
  }
  const markdown = documentMarkdown(page, images);
  return { markdown: markdown === "" ? text : markdown, hidden };
}
