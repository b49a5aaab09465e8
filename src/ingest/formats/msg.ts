import { createRequire } from "node:module";

import type msgreader from "@kenjiuno/msgreader";

import { checkCompoundFile } from "../convert/compound-file.ts";
import type { Converted } from "../convert/converted.ts";
import { decodeText, encodingOf } from "../convert/file-kind.ts";
import { ExpectedError } from "../../errors.ts";
import type { ConversionJob } from "./formats.ts";
import { mailNote, type MailParts } from "./mail.ts";

const MAX_ATTACHMENTS = 500;

type Fields = ReturnType<InstanceType<typeof msgreader.default>["getFileData"]>;

/** A mail as Outlook saves it (`.msg`). */
export function convertMsg({ name, bytes }: ConversionJob): Converted {
  checkCompoundFile(name, bytes);
  // A CommonJS module, whose default export the loaders of Node and of the tests give differently.
  const { default: Reader }: typeof msgreader = createRequire(import.meta.url)(
    "@kenjiuno/msgreader",
  );
  const reader = new Reader(new Uint8Array(bytes).buffer);
  const fields = reader.getFileData();
  if (fields.error !== undefined || fields.dataType !== "msg") {
    throw new ExpectedError(
      "not_text",
      `${name} is not a whole Outlook mail: ${fields.error ?? "nothing in it can be read"}. Save it again, or save it as .eml.`,
    );
  }
  const html = htmlOf(fields);
  const people = (type: string): NonNullable<MailParts["to"]> =>
    (fields.recipients ?? [])
      .filter(({ recipType = "to" }) => recipType === type)
      .map((person) => mailbox(person.name, person.smtpAddress ?? person.email));
  const attachments = (fields.attachments ?? []).slice(0, MAX_ATTACHMENTS).map((each) => {
    const { fileName, content } = reader.getAttachment(each);
    const isMail = each.innerMsgContent === true;
    return {
      filename: each.fileName ?? fileName,
      mimeType: isMail ? "application/vnd.ms-outlook" : "application/octet-stream",
      disposition: "attachment" as const,
      content: new Uint8Array(content),
      ...(each.pidContentId === undefined ? {} : { contentId: each.pidContentId }),
    };
  });
  const date = fields.messageDeliveryTime ?? fields.clientSubmitTime ?? fields.creationTime;
  const note = mailNote({
    headers: [],
    attachments,
    from: mailbox(fields.senderName, fields.senderSmtpAddress ?? fields.senderEmail),
    to: people("to"),
    cc: people("cc"),
    ...(fields.subject === undefined ? {} : { subject: fields.subject }),
    ...(date === undefined ? {} : { date }),
    ...(html === undefined ? {} : { html }),
    ...(fields.body === undefined ? {} : { text: fields.body.replaceAll(/\r\n?/gu, "\n") }),
  });
  const left = (fields.attachments?.length ?? 0) - attachments.length;
  return left === 0 ? note : { ...note, notices: [...note.notices, attachmentsLeft(left)] };
}

function attachmentsLeft(left: number): string {
  return `Attachments were left out: ${left}. At most ${MAX_ATTACHMENTS} of a mail are taken in.`;
}

function mailbox(name = "", address = ""): { name: string; address: string } {
  return { name, address };
}

function htmlOf({ bodyHtml, html }: Fields): string | undefined {
  if (bodyHtml !== undefined) return bodyHtml;
  return html === undefined ? undefined : decodeText(html, encodingOf(html) ?? "windows-1252");
}
