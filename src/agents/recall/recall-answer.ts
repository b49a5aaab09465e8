import { z } from "zod";

import type { CallResult } from "../../tools/call.ts";
import type { TokenUsage } from "../model/chat-model.ts";

/** What `concat` takes: a path as shown, and lines like `9-14`. */
export interface Source {
  readonly path: string;
  readonly lines: string;
}

export interface RecallAnswer {
  /** The overview, a line `---`, and the sources byte for byte. */
  readonly answer: string;
  readonly overview: string;
  readonly sources: readonly Source[];
  /** Null when no model was asked, or none answered. */
  readonly model: string | null;
  readonly steps: number;
  readonly usage: TokenUsage;
}

/** @param facts `document` is the output of `concat`; empty when there is no source */
export function answerOf(facts: Omit<RecallAnswer, "answer"> & { document: string }): RecallAnswer {
  const { document, ...rest } = facts;
  const parts = [rest.overview, document].filter((part) => part !== "");
  return { ...rest, answer: parts.join("\n\n---\n\n") };
}

/** What `concat` of nothing gives. */
export const NO_SOURCES: CallResult = { content: [], structured: { parts: [] }, isError: false };

const Parts = z.object({ parts: z.array(z.object({ path: z.string(), lines: z.string() })) });

export function sourcesOf(concat: CallResult): Source[] {
  return Parts.safeParse(concat.structured).data?.parts ?? [];
}

export function textOf({ content }: CallResult): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}
