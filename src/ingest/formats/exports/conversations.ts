import { z } from "zod";

import { converted, type Converted, type InsideFile } from "../../convert/converted.ts";
import { decodeText } from "../../convert/file-kind.ts";
import { fenced } from "../../convert/markdown-table.ts";
import type { ConversionJob } from "../formats.ts";
import { dayAndTime } from "./chat.ts";
import { noteFile } from "./exported-note.ts";

const Message = z.object({
  author: z.object({ role: z.string() }),
  create_time: z.number().nullish(),
  content: z.object({
    content_type: z.string().optional(),
    parts: z.array(z.unknown()).optional(),
  }),
  metadata: z.object({ is_visually_hidden_from_conversation: z.boolean().optional() }).nullish(),
});
const ChatGpt = z.object({
  title: z.string().nullish(),
  create_time: z.number().nullish(),
  current_node: z.string().nullish(),
  mapping: z.record(
    z.string(),
    z.object({ parent: z.string().nullish(), message: Message.nullish().catch(null) }),
  ),
});

const Claude = z.object({
  name: z.string().nullish(),
  created_at: z.string().optional(),
  chat_messages: z.array(
    z.object({
      sender: z.string(),
      text: z.string().nullish(),
      created_at: z.string().optional(),
      content: z
        .array(z.object({ type: z.string(), text: z.string().optional() }))
        .optional()
        .catch([]),
      attachments: z
        .array(
          z.object({ file_name: z.string().nullish(), extracted_content: z.string().nullish() }),
        )
        .optional()
        .catch([]),
    }),
  ),
});

interface Turn {
  readonly who: string;
  readonly at: number | null;
  readonly text: string;
}

/** `conversations.json` of ChatGPT or Claude: each conversation by itself. */
export function convertConversations({ name, bytes, kind, limits }: ConversionJob): Converted {
  return conversationNotes(decodeText(bytes, kind.encoding), name, limits.notes);
}

export function conversationNotes(json: string, name: string, most: number): Converted {
  const list = z.array(z.unknown()).parse(JSON.parse(json));
  const inside: InsideFile[] = [];
  let unread = 0;
  let folder = "ChatGPT";
  for (const each of list.slice(0, most)) {
    const claude = Claude.safeParse(each);
    const chatGpt = ChatGpt.safeParse(each);
    if (claude.success) {
      folder = "Claude";
      inside.push(claudeNote(claude.data));
    } else if (chatGpt.success) inside.push(chatGptNote(chatGpt.data));
    else unread += 1;
  }
  const left = list.length - Math.min(list.length, most);
  const notices = [
    ...(unread === 0
      ? []
      : [`Conversations in ${name} of a form that is not read were left out: ${unread}.`]),
    ...(left === 0
      ? []
      : [`Conversations were left out: ${left}. At most ${most} are taken in at once.`]),
  ];
  return { ...converted(null, "", { notices }), inside, folder };
}

function chatGptNote({
  title,
  create_time: created,
  current_node: last,
  mapping,
}: z.infer<typeof ChatGpt>): InsideFile {
  const turns: Turn[] = [];
  const seen = new Set<string>();
  // The branch that was shown last; others were replaced by it.
  let id = last ?? Object.keys(mapping).at(-1) ?? "";
  while (!seen.has(id) && Object.hasOwn(mapping, id)) {
    seen.add(id);
    const node = mapping[id];
    const message = node?.message;
    if (message !== null && message !== undefined) {
      const { role } = message.author;
      const text = (message.content.parts ?? [])
        .map((part) => (typeof part === "string" ? part : "*(a file or picture)*"))
        .join("\n\n");
      const isShown =
        (role === "user" || role === "assistant") &&
        message.metadata?.is_visually_hidden_from_conversation !== true &&
        text.trim() !== "";
      const at = seconds(message.create_time);
      if (isShown) turns.push({ who: role === "user" ? "You" : "ChatGPT", at, text });
    }
    id = node?.parent ?? "";
  }
  return noteFile({
    title: title ?? "",
    created: seconds(created),
    markdown: turnsMarkdown(turns.toReversed()),
  });
}

function claudeNote({
  name,
  created_at: created,
  chat_messages: messages,
}: z.infer<typeof Claude>): InsideFile {
  const turns = messages.map(({ sender, text, content = [], attachments = [], created_at: at }) => {
    const parts = content.filter(({ type }) => type === "text").map((part) => part.text ?? "");
    const files = attachments.map(({ file_name: file, extracted_content: extracted }) =>
      [`*(${file || "a file"})*`, ...(extracted?.trim() ? [fenced(extracted, "")] : [])].join(
        "\n\n",
      ),
    );
    const said = parts.join("\n\n").trim() || (text ?? "");
    return {
      who: sender === "human" ? "You" : "Claude",
      at: iso(at),
      text: [said, ...files].join("\n\n"),
    };
  });
  return noteFile({
    title: name ?? "",
    created: iso(created),
    markdown: turnsMarkdown(turns.filter(({ text }) => text.trim() !== "")),
  });
}

function turnsMarkdown(turns: readonly Turn[]): string {
  return turns
    .map(({ who, at, text }) => {
      const { day, time } = at === null ? { day: "", time: "" } : dayAndTime(at);
      return `**${who}**${day === "" ? "" : ` (${day} ${time})`}:\n\n${text.trim()}`;
    })
    .join("\n\n");
}

function seconds(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : value * 1000;
}

function iso(value: string | undefined): number | null {
  const time = Date.parse(value ?? "");
  return Number.isNaN(time) ? null : time;
}
