import { z } from "zod";

import type { ErrorCode } from "../errors.ts";

/*
 * What an ingest reports, for programs: the same on the command line and over HTTP.
 */

/** A file that could not be taken in, among others that could. Newer services may send codes that are not known here. */
export const Failure = z.object({
  name: z.string(),
  code: z.custom<ErrorCode>((code) => typeof code === "string"),
  message: z.string(),
});
export type Failure = Readonly<z.infer<typeof Failure>>;

const Count = z.int().nonnegative();

/** How far a file is. */
export const IngestProgress = z.object({
  name: z.string(),
  stage: z.enum(["converting", "transcribing", "filing"]),
  /** Pages, slides, sheets or chapters. */
  done: Count.optional(),
  total: Count.optional(),
});
export type IngestProgress = Readonly<z.infer<typeof IngestProgress>>;

/** What became of a file. */
export const IngestedJson = z.object({
  name: z.string(),
  type: z.string(),
  title: z.string(),
  paths: z.array(z.string()).readonly(),
  duplicate_of: z.string().nullable(),
  notices: z.array(z.string()).readonly(),
  /** Of a mail or an archive. */
  get inside() {
    return z.array(IngestedJson).readonly().optional();
  },
  failures: z.array(Failure).readonly().optional(),
  /** The id that undoes it; null when nothing was changed. */
  history: z.string().nullable().optional(),
});
export type IngestedJson = Readonly<z.infer<typeof IngestedJson>>;
