import { z } from "zod";

/**
 * For whom a caller reads: a `person`, who sees the whole vault, or a `model`, which sees it without what is private. MCP servers read for models;
 * so do the agents.
 */
export const Reader = z.enum(["person", "model"]);
export type Reader = z.infer<typeof Reader>;

/** How a caller says that it reads for a model. It can only ask for less: what a model may see. */
export const READER_HEADER = "coffre-reader";

export function readerOf({ headers }: Request): Reader {
  return headers.has(READER_HEADER) && headers.get(READER_HEADER) !== "person" ? "model" : "person";
}
