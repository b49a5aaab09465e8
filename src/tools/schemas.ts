import { z } from "zod";

/** A call names at most this many paths; a folder is one. */
const MOST_PATHS = 1000;

/** A list of at most {@link MOST_PATHS} things. */
export function pathList<Item extends z.ZodType>(item: Item): z.ZodArray<Item> {
  return z
    .array(item)
    .max(
      MOST_PATHS,
      `at most ${MOST_PATHS} paths in one call: name folders, or make several calls`,
    );
}

export const tokenBudget = z
  .int("must be a whole number of tokens, 1 or more")
  .positive("must be 1 or more")
  .nullish();

export const pathInput = z.string().describe('Like "vault/projects/NAME/state.md".');
