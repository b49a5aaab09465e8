import { z } from "zod";

import type { VerifiedSource } from "../../evidence/contract.ts";
import { defineTool, textOutput } from "../../tools/define.ts";
import type { MemoryContext } from "./memory-tools.ts";

export const verify = defineTool({
  name: "verify",
  title: "Check an answer again",
  description:
    "Check the sources of an earlier answer of recall against the vault as it is now: same, moved, changed, replaced or gone, for each.",
  input: z.strictObject({
    answer: z.string().min(1).describe("The answer, at least its lines [1] path:lines · sha256:…"),
  }),
  effect: "read",
  destructive: false,
  run: async ({ answer }, { memory }: MemoryContext) => {
    const found = await memory.verify(answer);
    return textOutput(found.sources.map(stateText).join("\n"), found);
  },
});

function stateText({ mark, path, lines, state, to, by, misquoted }: VerifiedSource): string {
  return [
    `${mark === null ? "-" : `[${mark}]`} ${path}:${lines}: ${state}`,
    ...(to === null ? [] : [`now at ${to.path}:${to.lines}`]),
    ...(by === null
      ? []
      : [`by ${by.path}:${by.lines}${by.date === null ? "" : ` on ${by.date}`}`]),
    ...(misquoted ? ["quoted otherwise than it was"] : []),
  ].join(", ");
}
