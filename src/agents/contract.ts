import { z } from "zod";

import { Doubt, Evidence } from "../evidence/contract.ts";

/*
 * What the memory is given and what it gives back. The queue stores these shapes and HTTP carries them; their types are inferred from the schemas.
 */

const Count = z.int().nonnegative();

/** Tokens as the provider counts them; estimated when it does not. `cached` is the part of `input` that was read from its cache. */
export const TokenUsage = z.object({ input: Count, output: Count, cached: Count });

export type TokenUsage = Readonly<z.infer<typeof TokenUsage>>;

/** The usage of a run without a model. */
export const NO_USAGE: TokenUsage = { input: 0, output: 0, cached: 0 };

/** An image that comes with a text. `data` is base64; `name` is its original file name. */
export const ImageInput = z.object({ name: z.string().optional(), data: z.string() });

export type ImageInput = Readonly<z.infer<typeof ImageInput>>;

/** Who handed something over, where several people do: agents then see and write what that person may at the time. */
export const Asker = z.object({
  id: z.string(),
  name: z.string(),
  /** What their credential took away from their rights. */
  limit: z.string(),
  /** What they might do then. */
  rights: z.string(),
});

export type Asker = Readonly<z.infer<typeof Asker>>;

/** An update to be filed. The queue stores it in this form. */
export const UpdateInput = z.object({
  content: z.string(),
  images: z.array(ImageInput).readonly().default([]),
  /** The inbox item this answers: the name of its folder. */
  inboxRef: z.string().nullable().default(null),
  /** Where it came from: file names, subjects of mails. */
  sources: z.array(z.string()).readonly().default([]),
  /** Written by others: it may hold anything, even instructions to agents. */
  isUntrusted: z.boolean().default(false),
  /** The person's word, as a client that they talked to says: it may append and edit, but not delete, move, or change `profile.md`. */
  isRelayed: z.boolean().default(false),
  /** Its changes are only tried, and wait for a yes. */
  isPreview: z.boolean().default(false),
  /** Who sent it, for the history: `cli`, a client's name. */
  from: z.string(),
  /** The connection of a client that made these changes itself: there is nothing to file, only to accept. */
  connection: z.string().optional(),
  /** It came through a client that carries the answers to a model: they say no more than a model may see. */
  reader: z.literal("model").optional(),
  asker: Asker.optional(),
});

/** Complete, with defaults filled in. */
export type UpdateInput = Readonly<z.output<typeof UpdateInput>>;

/** The same as callers give it: what has a default may be left out. */
export type RememberInput = Readonly<z.input<typeof UpdateInput>>;

/** The result of an update. */
export const UpdateReport = z.object({
  /** `filed`; or `inbox`, where it waits for an answer. */
  outcome: z.enum(["filed", "inbox"]),
  /** For people, in their language. */
  text: z.string(),
  /** Taken from the history, not from what the model says. */
  touched: z.array(z.object({ path: z.string(), change: z.string() })),
  /** The inbox item that was created, or that is left. */
  inbox: z.string().nullable(),
  /** Undoes all of it: `coffre undo BATCH`. Null when nothing was changed. */
  batch: z.string().nullable(),
  /** Null without a model. */
  model: z.string().nullable(),
  steps: Count,
  usage: TokenUsage,
  /** Nothing is changed yet: `touched` is what a yes would change. */
  isPreview: z.literal(true).optional(),
  /** What its asker might do when it ran; never shown. */
  rights: z.string().optional(),
});

export type UpdateReport = Readonly<z.infer<typeof UpdateReport>>;

/**
 * `parked`: it waits in the inbox for an answer. `preview`: its changes wait for a yes. `failed`: nothing was changed, and a retry may help.
 */
export const UpdateStatus = z.enum([
  "waiting",
  "running",
  "done",
  "parked",
  "preview",
  "failed",
  "cancelled",
]);

export type UpdateStatus = z.infer<typeof UpdateStatus>;

/** A step of an agent's run, for the page, the terminal and the log. It holds no secrets. */
export const RunEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("thinking"), text: z.string() }),
  z.object({ type: z.literal("text"), text: z.string() }),
  /** The model is called again after `wait` milliseconds; discard what this turn streamed so far. */
  z.object({ type: z.literal("retry"), reason: z.string(), wait: z.number() }),
  /** `about` are the words and paths of the call, for people; `args` the beginning of its JSON. */
  z.object({
    type: z.literal("call"),
    id: z.string(),
    tool: z.string(),
    args: z.string(),
    about: z.string().optional(),
  }),
  /** `text` is the beginning of the result. */
  z.object({
    type: z.literal("result"),
    id: z.string(),
    tool: z.string(),
    isError: z.boolean(),
    text: z.string(),
  }),
  z.object({ type: z.literal("done"), steps: Count, usage: TokenUsage }),
  z.object({ type: z.literal("error"), message: z.string() }),
]);

export type RunEvent = Readonly<z.infer<typeof RunEvent>>;

export type OnRunEvent = (event: RunEvent) => void;

/** A passage: a path as shown, and lines like `9-14`, as `concat` takes them. */
export const Source = z.object({ path: z.string(), lines: z.string() });

export type Source = Readonly<z.infer<typeof Source>>;

/** A source with its lines, byte for byte. */
export const Passage = Source.extend({
  text_lines: z.array(z.object({ number: Count, text: z.string() })),
});

export type Passage = Readonly<z.infer<typeof Passage>>;

export const RecallAnswer = z.object({
  /** The overview, the lines of `evidence` and `doubts`, a line `---`, and the sources byte for byte. */
  answer: z.string(),
  overview: z.string(),
  /** What the marks of the overview mean, `[1]`, and the hash of each source. */
  evidence: z.array(Evidence),
  /** What a model's overview says that its sources do not. */
  doubts: z.array(Doubt),
  sources: z.array(Source),
  /** The sources as data: what `answer` has below its `---`. */
  passages: z.array(Passage),
  /** Null when no model answered. */
  model: z.string().nullable(),
  steps: Count,
  usage: TokenUsage,
});

export type RecallAnswer = Readonly<z.infer<typeof RecallAnswer>>;

/** Something that waits for an answer. */
export const InboxItem = z.object({
  /** The name of its folder, by which an answer refers to it. */
  ref: z.string(),
  /** As shown: `vault/inbox/…/`. */
  path: z.string(),
  title: z.string(),
  /** Null when it has no review, or one without a question. */
  question: z.string().nullable(),
  /** Paths as shown, without the review. */
  originals: z.array(z.string()),
});

export type InboxItem = Readonly<z.infer<typeof InboxItem>>;

/** An item with its whole review; empty when there is none. */
export const InboxItemText = InboxItem.extend({ review: z.string() });

export type InboxItemText = Readonly<z.infer<typeof InboxItemText>>;
