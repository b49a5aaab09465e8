import { z } from "zod";

import { Replaces } from "../../tools/replacing/replaces.ts";

/*
 * What a client's model is given to file an inbox item, and what it gives back; HTTP carries these shapes.
 */

/** One change. Which of its fields count is said by `do`. */
export const FilingChange = z.strictObject({
  do: z.enum(["append", "edit", "write"]).describe("write makes a new file."),
  path: z.string().describe('Like "vault/projects/NAME/changelog.md".'),
  content: z.string().nullish().describe("For append and write: the markdown."),
  position: z.enum(["top", "bottom"]).nullish().describe("For append; top is usual in changelogs."),
  old_content: z.string().nullish().describe("For edit: text of the file, exact and unique."),
  new_content: z.string().nullish().describe("For edit: what replaces it."),
  replaces: Replaces.nullish().describe(
    "For append and edit: statements elsewhere that the new text makes untrue, with the old value.",
  ),
});

export type FilingChange = Readonly<z.infer<typeof FilingChange>>;

export const Filed = z.object({
  touched: z.array(z.object({ path: z.string(), change: z.string() })),
  /** Undoes all of it. */
  batch: z.string(),
});

export type Filed = Readonly<z.infer<typeof Filed>>;

/** What a client's model needs to file an inbox item. */
export const FilingHelp = z.object({
  ref: z.string(),
  /** How to file here, and what the vault's own map says; markdown. */
  rules: z.string(),
  /** The projects it is closest to, best first. */
  projects: z.array(z.string()),
  /** What the vault has on it, with paths and line numbers. */
  passages: z.string(),
});

export type FilingHelp = Readonly<z.infer<typeof FilingHelp>>;
