import { z } from "zod";

/** Where something stands that must not exist. */
export const StandingAnswer = z.object({
  as: z.enum(["path", "text"]),
  value: z.string(),
  files: z.array(z.object({ path: z.string(), whole: z.boolean() })).readonly(),
  names: z.array(z.string()).readonly(),
  indexed: z.number(),
  history: z.object({ changes: z.number(), versions: z.number() }),
  queue: z.number(),
  previews: z.number(),
  logLines: z.number(),
  state: z.array(z.string()).readonly(),
  untouched: z.array(z.string()).readonly(),
  unread: z.array(z.string()).readonly(),
  /** Services up to 0.1 did not look into them. */
  unreadVersions: z.number().default(0),
});
export type StandingAnswer = z.infer<typeof StandingAnswer>;

/** The same after it was removed, and where it is left. */
export const ForgottenAnswer = StandingAnswer.extend({
  vectors: z.number(),
  left: z.array(z.string()).readonly(),
});
export type ForgottenAnswer = z.infer<typeof ForgottenAnswer>;
