import { z } from "zod";

import { converted, type Converted, type InsideFile } from "../../convert/converted.ts";
import type { ZipReader } from "../../convert/zip-reader.ts";
import { chatMarkdown, dayAndTime, type ChatMessage } from "./chat.ts";
import { noteFile } from "./exported-note.ts";

const User = z.object({
  id: z.string(),
  name: z.string().optional(),
  real_name: z.string().optional(),
  profile: z
    .object({ display_name: z.string().optional(), real_name: z.string().optional() })
    .optional(),
});
const Message = z.object({
  user: z.string().optional(),
  username: z.string().optional(),
  text: z.string().default(""),
  ts: z.string(),
  files: z
    .array(z.object({ name: z.string().nullish() }))
    .optional()
    .catch([]),
});

const DAY_FILE = /^(?:.*\/)?([^/]+)\/\d{4}-\d\d-\d\d\.json$/u;

/** True for an archive that Slack exported. */
export function isSlack(files: readonly string[]): boolean {
  return (
    files.some((file) => /(?:^|\/)users\.json$/u.test(file)) &&
    files.some((file) => DAY_FILE.test(file))
  );
}

/** One note for each channel. */
export function slackNotes(zip: ZipReader, most: number): Converted {
  const users = zip.files.find((file) => /(?:^|\/)users\.json$/u.test(file)) ?? "";
  const names = new Map(
    listIn(zip, users, User).map(({ id, name, real_name: real, profile }) => [
      id,
      profile?.display_name || profile?.real_name || real || name || id,
    ]),
  );
  const days = zip.files.filter((file) => DAY_FILE.test(file)).toSorted();
  const channels = Map.groupBy(days, (file) => DAY_FILE.exec(file)?.[1] ?? "");
  const inside: InsideFile[] = [...channels].slice(0, most).map(([channel, files]) => {
    const messages = files.flatMap((file) => listIn(zip, file, Message));
    const sorted = messages.toSorted((a, b) => Number(a.ts) - Number(b.ts));
    const shown = sorted.map((message) => chatMessage(message, names));
    const first = Number(sorted[0]?.ts ?? Number.NaN) * 1000;
    return noteFile({
      title: `#${channel}`,
      created: Number.isNaN(first) ? null : first,
      markdown: chatMarkdown(shown),
    });
  });
  const left = channels.size - inside.length;
  const notices =
    left === 0 ? [] : [`Channels were left out: ${left}. At most ${most} are taken in at once.`];
  return { ...converted(null, "", { notices }), inside, folder: "Slack" };
}

function chatMessage(
  { user, username, text, ts, files = [] }: z.infer<typeof Message>,
  names: ReadonlyMap<string, string>,
): ChatMessage {
  const shown = text
    .replaceAll(/<@(\w+)(?:\|[^>]*)?>/gu, (_, id: string) => `@${names.get(id) ?? id}`)
    .replaceAll(/<#\w+\|([^>]*)>/gu, "#$1")
    .replaceAll(/<(https?:[^|>]+)\|([^>]*)>/gu, "$2 ($1)")
    .replaceAll(/<((?:https?|mailto):[^>]+)>/gu, "$1")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
  const attached = files.map(({ name }) => `(file: ${name ?? "without a name"})`);
  return {
    ...dayAndTime(Number(ts) * 1000),
    author: names.get(user ?? "") ?? username ?? user ?? "",
    text: [shown, ...attached].join(" ").trim(),
  };
}

/** The entries of a list that have the right form. */
function listIn<T>(zip: ZipReader, file: string, schema: z.ZodType<T>): T[] {
  let json: unknown;
  try {
    json = JSON.parse(zip.text(file) ?? "[]");
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
  return Array.isArray(json)
    ? json.flatMap((each: unknown) => {
        const parsed = schema.safeParse(each);
        return parsed.success ? [parsed.data] : [];
      })
    : [];
}
