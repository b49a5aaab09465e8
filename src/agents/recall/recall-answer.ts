import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import type { CallResult } from "../../tools/call-result.ts";
import { formatRange } from "../../vault/files/lines.ts";
import { parsePath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import { evidenceLine } from "../../evidence/answer-sources.ts";
import { doubtsIn, marksOf } from "../../evidence/doubts.ts";
import { gatherEvidence } from "../../evidence/gather-evidence.ts";
import type { CallAs, ReadingParts } from "../agent-run.ts";
import { Source, type Passage, type RecallAnswer } from "../contract.ts";
import { languageFor } from "../without-model/program-texts.ts";
import { markedParts } from "./marked-parts.ts";
import { doubtLines } from "./recall-texts.ts";

/** Assembles sources that the program chose; a range that is the whole file is shown as the file. */
export async function concatSources(
  sources: readonly Source[],
  vault: VaultReader,
  call: CallAs,
): Promise<CallResult> {
  const files: Partial<Source>[] = [];
  for (const { path, lines } of sources) {
    const whole = await wholeRange(path, vault);
    files.push(lines === whole ? { path } : { path, lines });
  }
  return call("concat", { files });
}

/** Null for a file that is gone by now, which `concat` reports. */
async function wholeRange(path: string, vault: VaultReader): Promise<string | null> {
  try {
    return formatRange({ start: 1, end: (await vault.openText(parsePath(path).path)).totalLines });
  } catch (error) {
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}

const Concatenated = z.object({ parts: z.array(Source.extend({ text: z.string() })) });

/** The passages that a call of `concat` gave. */
export function partsOf({ structured }: CallResult): z.infer<typeof Concatenated>["parts"] {
  return Concatenated.safeParse(structured).data?.parts ?? [];
}

/** What the program knows of an answer beside its words. */
interface AnswerFacts {
  readonly question: string;
  readonly concat: CallResult;
  /** The arguments of the call that a model made; null when the program chose the sources. */
  readonly asked: unknown;
  /** What the program has to add to the words. */
  readonly note: string;
}

type Said = Pick<RecallAnswer, "overview" | "model" | "steps" | "usage">;

/** An answer whose sources are what `concat` gave. A model's words are compared with them, and what they do not bear out is said. */
export async function answerOf(
  said: Said,
  { question, concat, asked, note }: AnswerFacts,
  { vault, index }: ReadingParts,
): Promise<RecallAnswer> {
  const parts = partsOf(concat);
  const { evidence, facts } = await gatherEvidence(markedParts(parts, asked), vault, index);
  const doubts = said.model === null ? [] : doubtsIn(said.overview, facts);
  const hasMarks = marksOf(said.overview).some((mark) => facts.has(mark));
  const lines = [
    ...evidence.map(evidenceLine),
    ...doubtLines(doubts, hasMarks, await languageFor(question, vault)),
  ];
  const overview = [said.overview, note].filter((part) => part !== "").join("\n");
  const head = [overview, lines.join("\n")].filter((part) => part !== "").join("\n\n");
  const answer = [head, textOf(concat)].filter((part) => part !== "").join("\n\n---\n\n");
  const sources = parts.map(({ path, lines: range }) => ({ path, lines: range }));
  const passages = parts.flatMap(passageOf);
  return { ...said, overview, answer, evidence, doubts, sources, passages };
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
