import { z } from "zod";

import type { CallResult } from "../../tools/call.ts";
import { Source, type Passage, type RecallAnswer } from "../contract.ts";

/** @param facts `document` is the output of `concat`; empty when there is no source */
export function answerOf(facts: Omit<RecallAnswer, "answer"> & { document: string }): RecallAnswer {
  const { document, ...rest } = facts;
  const parts = [rest.overview, document].filter((part) => part !== "");
  return { ...rest, answer: parts.join("\n\n---\n\n") };
}

/** What `concat` of nothing gives. */
export const NO_SOURCES: CallResult = { content: [], structured: { parts: [] }, isError: false };

const Parts = z.object({ parts: z.array(Source) });

export function sourcesOf(concat: CallResult): Source[] {
  return Parts.safeParse(concat.structured).data?.parts ?? [];
}

const PartTexts = z.object({
  parts: z.array(z.object({ path: z.string(), lines: z.string(), text: z.string() })),
});

/** The sources with their lines; without those of empty files. */
export function passagesOf(concat: CallResult): Passage[] {
  const parts = PartTexts.safeParse(concat.structured).data?.parts ?? [];
  return parts.flatMap(({ path, lines, text }) => {
    const [start = 1, end = start] = lines.split("-").map(Number);
    const texts = text.split("\n").slice(0, end - start + 1);
    const text_lines = texts.map((line, at) => ({ number: start + at, text: line }));
    return text_lines.length === 0 ? [] : [{ path, lines, text_lines }];
  });
}

export function textOf({ content }: CallResult): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}
