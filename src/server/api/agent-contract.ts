import { z } from "zod";

import type { InboxItem, InboxItemText } from "../../agents/inbox/inbox.ts";
import type { UpdateTask } from "../../agents/memory.ts";
import type { RecallAnswer } from "../../agents/recall/recall-answer.ts";
import type { RunEvent } from "../../agents/run-events.ts";
import { UpdateReport } from "../../agents/update/update-input.ts";

export type { InboxItem, InboxItemText, RecallAnswer, RunEvent };

/*
 * What goes over the wire for remembering and recalling, for both ends.
 */

const Image = z.union([
  z.string().transform((data) => ({ data: withoutPrefix(data) })),
  z
    .strictObject({ data: z.string(), name: z.string().max(200).optional() })
    .transform(({ data, name }) => ({
      data: withoutPrefix(data),
      ...(name === undefined ? {} : { name }),
    })),
]);

/** Browsers give images as `data:image/png;base64,…`. */
function withoutPrefix(data: string): string {
  return data.replace(/^data:[^,]*,/u, "");
}

/** What is handed over. `images` are base64, alone or with a name. */
export const UpdateBody = z.strictObject({
  content: z.string().default(""),
  images: z.array(Image).max(20).default([]),
  inbox_ref: z.string().nullish(),
  sources: z.array(z.string()).max(100).default([]),
  /** Others wrote it: nothing but inbox and buckets may be written for it. */
  untrusted: z.boolean().default(false),
});

export const SearchBody = z.strictObject({ question: z.string() });

const Count = z.int().nonnegative();
const Usage = z.object({ input: Count, output: Count, cached: Count });

/** An update as it is shown: without its images, and the beginning of its text. */
export type UpdateView = Omit<UpdateTask, "input"> & {
  readonly content: string;
  readonly images: number;
  readonly inbox_ref: string | null;
  readonly from: string;
};

export const UpdateAnswer: z.ZodType<UpdateView> = z.object({
  id: z.string(),
  status: z.enum(["waiting", "running", "done", "parked", "failed", "cancelled"]),
  content: z.string(),
  images: Count,
  inbox_ref: z.string().nullable(),
  from: z.string(),
  created: z.string(),
  started: z.string().nullable(),
  ended: z.string().nullable(),
  attempts: Count,
  report: UpdateReport.nullable(),
  error: z.string().nullable(),
});

export const UpdatesAnswer = z.object({ updates: z.array(UpdateAnswer) });

export const AcceptedAnswer = z.object({ id: z.string(), status: z.literal("accepted") });

export const SearchAnswer: z.ZodType<RecallAnswer> = z.object({
  answer: z.string(),
  overview: z.string(),
  sources: z.array(z.object({ path: z.string(), lines: z.string() })),
  model: z.string().nullable(),
  steps: Count,
  usage: Usage,
});

const Item = z.object({
  ref: z.string(),
  path: z.string(),
  title: z.string(),
  question: z.string().nullable(),
  originals: z.array(z.string()),
});

export const InboxAnswer: z.ZodType<{ readonly items: readonly InboxItem[] }> = z.object({
  items: z.array(Item),
});

export const InboxItemAnswer: z.ZodType<InboxItemText> = Item.extend({ review: z.string() });

/** What an agent does, as server-sent events: `event` is the type, `data` the rest. */
export const RunEventAnswer: z.ZodType<RunEvent> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("thinking"), text: z.string() }),
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("retry"), reason: z.string(), wait: z.number() }),
  z.object({ type: z.literal("call"), id: z.string(), tool: z.string(), args: z.string() }),
  z.object({
    type: z.literal("result"),
    id: z.string(),
    tool: z.string(),
    isError: z.boolean(),
    text: z.string(),
  }),
  z.object({ type: z.literal("done"), steps: Count, usage: Usage }),
  z.object({ type: z.literal("error"), message: z.string() }),
]);

const LONGEST_CONTENT = 2000;

export function viewOf({ input, ...task }: UpdateTask): UpdateView {
  const { content, images, inboxRef, from } = input;
  return {
    ...task,
    content:
      content.length <= LONGEST_CONTENT
        ? content
        : `${content.slice(0, LONGEST_CONTENT).toWellFormed()}…`,
    images: images.length,
    inbox_ref: inboxRef,
    from,
  };
}
