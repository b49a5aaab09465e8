import { z } from "zod";

import { InboxItem, UpdateReport, UpdateStatus } from "../../agents/contract.ts";
import { CitedSource } from "../../evidence/contract.ts";
import { Failure } from "../../ingest/contract.ts";
import { Said } from "../../tidy/finding.ts";
import { ChangeContent, Count } from "./contract.ts";

/*
 * Remembering and recalling over HTTP, for both ends.
 */

export type { InboxItem, InboxItemText, RecallAnswer, RunEvent } from "../../agents/contract.ts";

/** Base64; browsers give it as `data:image/png;base64,…`. */
const Base64 = z.string().transform((data) => data.replace(/^data:[^,]*,/u, ""));

/** Alone or with a name. */
const Image = z.union([
  Base64.transform((data) => ({ data })),
  z.strictObject({ data: Base64, name: z.string().max(200).optional() }),
]);

/** The body of `POST /api/update`. */
export const UpdateBody = z.strictObject({
  content: z.string().default(""),
  images: z.array(Image).max(20).default([]),
  inbox_ref: z.string().nullish(),
  sources: z.array(z.string()).max(100).default([]),
  untrusted: z.boolean().default(false),
  /** Try it only, and wait for a yes. */
  preview: z.boolean().default(false),
  /** From a client with the token: the person said this to it. Else it is material, which is only added to inbox and buckets. */
  said_by_person: z.boolean().default(false),
});

/**
 * The same as a form (`multipart/form-data`): these fields, and any number of files, whose text and pictures become part of the update.
 * `trust` is `true` when the text of the files is the person's own; `said_by_person` and `untrusted` as above.
 */
export const UpdateForm = z.strictObject({
  content: z.string().default(""),
  inbox_ref: z.string().optional(),
  trust: z.enum(["true", "false"]).default("false"),
  said_by_person: z.enum(["true", "false"]).default("false"),
  untrusted: z.enum(["true", "false"]).default("false"),
  preview: z.enum(["true", "false"]).default("false"),
});

/** For clients that send such a form. */
export type UpdateFields = z.input<typeof UpdateForm>;

export type { Verified } from "../../evidence/contract.ts";

/** The body of `POST /api/verify`: an answer's text, or its sources. */
export const VerifyBody = z.object({
  answer: z.string().optional(),
  sources: z.array(CitedSource).max(1000).optional(),
  evidence: z.array(CitedSource).max(1000).optional(),
});

export const SearchBody = z.strictObject({ question: z.string() });

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
  /** Of a preview that is asked for by its id: what a yes would change, one element a file. */
  changes: z.array(ChangeContent).optional(),
});

export type UpdateView = Readonly<z.infer<typeof UpdateAnswer>>;

export const UpdatesAnswer = z.object({ updates: z.array(UpdateAnswer) });

/** `failures`: the files of a form that could not be read, when there are any; the update has the rest. */
export const AcceptedAnswer = z.object({
  id: z.string(),
  status: z.literal("accepted"),
  failures: z.array(Failure).optional(),
});

export type AcceptedUpdate = z.infer<typeof AcceptedAnswer>;

export const InboxAnswer = z.object({ items: z.array(InboxItem) });

/** The body of `POST /api/tidy`: nothing to look now, or a switch for the daily run. */
export const TidyBody = z.strictObject({ daily: z.boolean().optional() });

/** What is untidy. */
export const TidyAnswer = z.object({
  /** Whether it is looked for every day, and the local time of the last look. */
  daily: z.boolean(),
  last: z.string().nullable(),
  /** The inbox item that waits for an answer; null when there is none. */
  ref: z.string().nullable(),
  /** That of the vault, in which the item is written. */
  language: z.enum(["en", "fr"]),
  /** By the numbers that an answer names, from 1, with what each would change. */
  proposals: z.array(
    z.object({
      number: Count,
      kind: z.string(),
      title: Said,
      changes: z.array(ChangeContent),
    }),
  ),
  /** What only the person can decide. */
  notes: z.array(z.object({ kind: z.string(), title: Said })),
  /** Why the model could not help; null when it did, or there is none. */
  problem: z.string().nullable(),
});

export type TidyView = Readonly<z.infer<typeof TidyAnswer>>;
