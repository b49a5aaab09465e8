import { z } from "zod";

import type { CallResult } from "../../tools/call.ts";
import { Source, type Passage, type RecallAnswer } from "../contract.ts";

/** What `concat` of nothing gives. */
export const NO_SOURCES: CallResult = { content: [], structured: { parts: [] }, isError: false };

const Concatenated = z.object({ parts: z.array(Source.extend({ text: z.string() })) });

/** The passages that a call of `concat` gave. */
export function partsOf({ structured }: CallResult): z.infer<typeof Concatenated>["parts"] {
  return Concatenated.safeParse(structured).data?.parts ?? [];
}

/** An answer whose sources are what `concat` gave. */
export function answerOf(
  said: Pick<RecallAnswer, "overview" | "model" | "steps" | "usage">,
  concat: CallResult,
): RecallAnswer {
  const parts = partsOf(concat);
  const answer = [said.overview, textOf(concat)].filter((part) => part !== "").join("\n\n---\n\n");
  const sources = parts.map(({ path, lines }) => ({ path, lines }));
  return { ...said, answer, sources, passages: parts.flatMap(passageOf) };
}

/** None for an empty file. */
function passageOf({ path, lines, text }: Source & { readonly text: string }): Passage[] {
  const [start = 1, end = start] = lines.split("-").map(Number);
  const texts = text.split("\n").slice(0, end - start + 1);
  const text_lines = texts.map((line, at) => ({ number: start + at, text: line }));
  return text_lines.length === 0 ? [] : [{ path, lines, text_lines }];
}

export function textOf({ content }: CallResult): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}
