import { z } from "zod";

import type { CallResult } from "../../tools/call-result.ts";

/*
 * What a call of a tool needs of the contract: apart from the rest, whose schemas take longer to make than a short command takes for all else.
 */

export const ToolAnswer: z.ZodType<CallResult> = z.object({
  content: z.array(
    z.discriminatedUnion("type", [
      z.object({ type: z.literal("text"), text: z.string() }),
      z.object({
        type: z.literal("image"),
        data: z.string(),
        mimeType: z.string(),
        path: z.string(),
      }),
    ]),
  ),
  structured: z.unknown(),
  isError: z.boolean(),
});

/** How a request is refused. */
export const ProblemAnswer = z.object({ code: z.string(), detail: z.string() });
