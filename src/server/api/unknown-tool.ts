import { z } from "zod";

import type { CallResult } from "../../tools/call.ts";

const Refused = z.object({
  error: z.object({ code: z.literal("unknown_tool"), message: z.string() }),
});

/**
 * What to say when a call named a tool that does not exist: that is a wrong address, where whatever an existing tool answers is an answer. Null
 * for those.
 */
export function unknownTool({ isError, structured }: CallResult): string | null {
  const refused = Refused.safeParse(structured);
  return isError && refused.success ? refused.data.error.message : null;
}
