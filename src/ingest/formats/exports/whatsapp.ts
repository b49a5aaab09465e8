import { converted, stemOf, type Converted } from "../../convert/converted.ts";
import { decodeText } from "../../convert/file-kind.ts";
import { chatMarkdown, type ChatMessage } from "./chat.ts";
import type { ConversionJob } from "../formats.ts";

const LINE =
  /^\u200e?\[?(\d{1,4}[./-]\d{1,2}[./-]\d{1,4}),? (\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:[\s\u202f]?[ap]\.?m\.?)?)(?:\]| -) (?:([^:\n]{1,80}): )?(.*)$/iu;

/** A chat that WhatsApp exported: who said what, day by day. Days stand as the telephone wrote them. */
export function convertWhatsapp({ name, bytes, kind }: ConversionJob): Converted {
  const messages: { day: string; time: string; author: string; text: string }[] = [];
  for (const line of decodeText(bytes, kind.encoding).split("\n")) {
    const parts = LINE.exec(line);
    const last = messages.at(-1);
    if (parts !== null) {
      const [, day = "", time = "", author = "", text = ""] = parts;
      messages.push({ day, time, author: author.replaceAll(/[\u200e\u202a\u202c]/gu, ""), text });
    } else if (last !== undefined) last.text += `\n${line}`;
  }
  const shown: ChatMessage[] = messages.map((message) => ({
    ...message,
    text: message.text.replaceAll("\u200e", "").trim(),
  }));
  return converted(stemOf(name), chatMarkdown(shown));
}
