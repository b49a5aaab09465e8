import { z } from "zod";

import { InboxItem, UpdateReport, UpdateStatus } from "../../agents/contract.ts";

/*
 * Remembering and recalling over HTTP, for both ends.
 */

export type { InboxItem, InboxItemText, RecallAnswer, RunEvent } from "../../agents/contract.ts";

/** Base64, alone or with a name; browsers give it as `data:image/png;base64,…`. */
const Image = z.union([
  z.string(),
  z.strictObject({ data: z.string(), name: z.string().max(200).optional() }),
]);

/** The body of `POST /api/update`. */
export const UpdateBody = z.strictObject({
  content: z.string().default(""),
  images: z.array(Image).max(20).default([]),
  inbox_ref: z.string().nullish(),
  sources: z.array(z.string()).max(100).default([]),
  untrusted: z.boolean().default(false),
});

/**
 * The same as a form (`multipart/form-data`): these fields, and any number of files, whose text and pictures become part of the update.
 * `trust` is `true` when the text of the files is the person's own.
 */
export const UpdateForm = z.strictObject({
  content: z.string().default(""),
  inbox_ref: z.string().optional(),
  trust: z.enum(["true", "false"]).default("false"),
});

/** For clients that send such a form. */
export type UpdateFields = z.input<typeof UpdateForm>;

export const SearchBody = z.strictObject({ question: z.string() });

const Count = z.int().nonnegative();

/** An update as it is shown: the beginning of its text, and how many images it has. */
export const UpdateAnswer = z.object({
  id: z.string(),
  status: UpdateStatus,
  content: z.string(),
  images: Count,
  inbox_ref: z.string().nullable(),
  from: z.string(),
  /** Local times. */
  created: z.string(),
  started: z.string().nullable(),
  ended: z.string().nullable(),
  attempts: Count,
  report: UpdateReport.nullable(),
  /** Why it failed or was cancelled. */
  error: z.string().nullable(),
});

export type UpdateView = Readonly<z.infer<typeof UpdateAnswer>>;

export const UpdatesAnswer = z.object({ updates: z.array(UpdateAnswer) });

/** `failures`: the files of a form that could not be read, when there are any; the update has the rest. */
export const AcceptedAnswer = z.object({
  id: z.string(),
  status: z.literal("accepted"),
  failures: z
    .array(z.object({ name: z.string(), code: z.string(), message: z.string() }))
    .optional(),
});

export type AcceptedUpdate = z.infer<typeof AcceptedAnswer>;

export const InboxAnswer = z.object({ items: z.array(InboxItem) });
