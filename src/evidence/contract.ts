import { z } from "zod";

/*
 * What an answer rests on, and what became of it. HTTP carries these shapes; their types are inferred from the schemas.
 */

/** What made a passage untrue: where it stands (a path as shown, lines like `9-14`), its day, and the old value that it names. */
export const ReplacedBy = z.object({
  path: z.string(),
  lines: z.string(),
  date: z.string().nullable(),
  value: z.string().nullable(),
});

export type ReplacedBy = Readonly<z.infer<typeof ReplacedBy>>;

/** A source of an answer, as its marks name it: `[1]`. */
export const Evidence = z.object({
  mark: z.int().positive(),
  path: z.string(),
  lines: z.string(),
  /** Of the bytes of these lines on disk, line endings included: `sed -n 9,14p FILE | sha256sum`. */
  sha256: z.string(),
  /** What had made it untrue already when the answer was given. */
  replaced: ReplacedBy.nullable(),
});

export type Evidence = Readonly<z.infer<typeof Evidence>>;

/** A sentence of an answer that its sources do not bear out. */
export const Doubt = z.object({
  sentence: z.string(),
  /** `no_mark`: it names no source of the answer. `not_in_source`: the `values` do not stand in the lines that it names. */
  kind: z.enum(["no_mark", "not_in_source"]),
  /** Figures, dates and names. */
  values: z.array(z.string()),
});

export type Doubt = Readonly<z.infer<typeof Doubt>>;

/** A source to be verified: with its hash, its lines as an answer quotes them, or both. */
export const CitedSource = z.object({
  path: z.string(),
  lines: z.string(),
  mark: z.int().positive().nullish(),
  sha256: z.string().nullish(),
  text: z.string().nullish(),
});

export type CitedSource = Readonly<z.infer<typeof CitedSource>>;

export const SourceState = z.enum(["same", "moved", "changed", "replaced", "gone"]);

const Place = z.object({ path: z.string(), lines: z.string() });

/** What became of a source. */
export const VerifiedSource = Place.extend({
  mark: z.int().positive().nullable(),
  state: SourceState,
  /** Where the same lines stand now, when that is elsewhere; null when they do not, or nowhere. */
  to: Place.nullable(),
  /** What made it untrue; null unless it was replaced. */
  by: ReplacedBy.nullable(),
  /** The answer quotes other lines than those that its hash was made of. */
  misquoted: z.boolean(),
});

export type VerifiedSource = Readonly<z.infer<typeof VerifiedSource>>;

/** What `POST /api/verify` answers. */
export const Verified = z.object({
  sources: z.array(VerifiedSource),
  /** Every source says what it said: the same, or moved, and quoted as it is. */
  holds: z.boolean(),
});

export type Verified = Readonly<z.infer<typeof Verified>>;
