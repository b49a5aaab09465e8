import { z } from "zod";

/** A picture that comes with a text. `data` is base64; `name` is what it was called where it came from. */
export const ImageInput = z.object({
  name: z.string().max(200).optional(),
  data: z.string(),
});

/** What is handed over to be filed. What reads mails and documents fills in `sources`, and says that their text is not the person's. */
export const UpdateInput = z.object({
  content: z.string(),
  images: z.array(ImageInput),
  /** The inbox item this answers: the name of its folder. */
  inboxRef: z.string().nullable(),
  /** Where it came from: names of files, subjects of mails. */
  sources: z.array(z.string()),
  /** Others wrote it: it may hold anything, orders to agents too. */
  isUntrusted: z.boolean(),
  /** Who handed it over, for the history: `cli`, a client's name. */
  from: z.string(),
});

export type ImageInput = Readonly<z.infer<typeof ImageInput>>;
export type UpdateInput = Readonly<z.infer<typeof UpdateInput>>;

const Count = z.int().nonnegative();

/** What came of it. */
export const UpdateReport = z.object({
  /** `filed`; or `inbox`, where it waits for an answer. */
  outcome: z.enum(["filed", "inbox"]),
  /** For people, in their language. */
  text: z.string(),
  /** Made from the changes themselves, not from what the model says. */
  touched: z.array(z.object({ path: z.string(), change: z.string() })),
  /** The inbox item that was made, or that is left. */
  inbox: z.string().nullable(),
  /** Undoes all of it: `coffre undo BATCH`. Null when nothing was changed. */
  batch: z.string().nullable(),
  /** Null without a model. */
  model: z.string().nullable(),
  steps: Count,
  usage: z.object({ input: Count, output: Count, cached: Count }),
});

export type UpdateReport = Readonly<z.infer<typeof UpdateReport>>;

/** Of a run without a model. */
export const NO_USAGE = { input: 0, output: 0, cached: 0 };
