import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import { countTokens } from "../../text/tokens.ts";
import { toolsOf } from "../../tools/registry.ts";
import {
  callAsSearcher,
  explainLimit,
  runLoop,
  type CallAs,
  type MadeCall,
  type Next,
  type ReadingParts,
  type RunControl,
  type UnopenedRun,
} from "../agent-run.ts";
import type { RecallAnswer, Source } from "../contract.ts";
import type { ChatModel, ToolReply, Turn } from "../model/chat-model.ts";
import { fenced, firstContext, instructionsFor } from "../prompts.ts";
import { recallWithoutModel } from "../without-model/recall-without-model.ts";
import { answerOf, NO_SOURCES, partsOf, textOf } from "./recall-answer.ts";

export type SearchRun = ReadingParts & RunControl;

/** Answers a question from the vault, with the model or without: when the model fails, the sources are still given. */
export async function recall(
  question: string,
  parts: ReadingParts & UnopenedRun,
): Promise<RecallAnswer> {
  if (!/[\p{L}\p{N}]/u.test(question)) {
    throw new ExpectedError("invalid_argument", "The question has no word in it.");
  }
  let note: string | null = null;
  try {
    const model = await parts.openModel();
    if (model !== null) return await recallWithModel(question, parts, model);
  } catch (error) {
    parts.signal.throwIfAborted();
    if (!(error instanceof ExpectedError)) throw error;
    note = error.message;
    parts.onEvent({ type: "error", message: error.message });
  }
  return recallWithoutModel(question, parts, note);
}

/** A shorter text only announces the next step. */
const MIN_OVERVIEW_LENGTH = 40;
/** Tokens of what was read, when the program assembles the sources itself. */
const MAX_READ_TOKENS = 8000;
const ASK_FOR_SOURCES =
  "Now call concat once, with the files or line ranges that your answer rests on. If the vault has nothing on it, answer NONE.";

/** Has a model answer a question. The program puts the sources under its overview, as `concat` gave them. */
async function recallWithModel(
  question: string,
  run: SearchRun,
  model: ChatModel,
): Promise<RecallAnswer> {
  const { limits, signal, onEvent, vault, now } = run;
  const tools = toolsOf("search");
  const call = callAsSearcher(run);
  const assembly = new Assembly();
  const context = await firstContext(vault, now());
  const { steps, usage, reached, text, calls } = await runLoop({
    model,
    instructions: instructionsFor("search", tools),
    tools,
    first: [{ type: "text", text: `${context}\n\nThe question:\n${fenced("question", question)}` }],
    call,
    limits,
    signal,
    onEvent,
    shorten: shortened,
    next: (turn, made) => assembly.next(turn, made),
  });
  const concat = assembly.concat ?? (await concatRead(calls, call));
  const said = assembly.overview ?? text;
  const cut = reached === null ? "" : `(${explainLimit(reached, limits)}.)`;
  const overview = [said, cut].filter((part) => part !== "").join("\n");
  return answerOf({ overview, model: model.name, steps, usage }, concat);
}

/** Follows a run to its last `concat` and the words that go with it. */
class Assembly {
  concat: MadeCall["result"] | null = null;
  overview: string | null = null;
  #wasAsked = false;

  next(turn: Turn, made: readonly MadeCall[]): Next {
    const text = turn.text.trim();
    const last = made.findLast(
      ({ request, result }) => request.name === "concat" && !result.isError,
    );
    if (last !== undefined) {
      this.concat = last.result;
      const isWhole = made.every(({ result }) => !result.isError);
      this.overview = text.length >= MIN_OVERVIEW_LENGTH ? text : this.overview;
      // Overview and sources came together: another turn would only repeat them.
      return this.overview !== null && isWhole ? "stop" : "go on";
    }
    if (made.length > 0) return "go on";
    if (!this.#wasAsked || text !== "NONE") this.overview = text === "" ? this.overview : text;
    if (this.concat !== null || this.#wasAsked) return "stop";
    this.#wasAsked = true;
    return { say: ASK_FOR_SOURCES };
  }
}

/** Leaves out the passages, which the model has read already, and which the program appends to its answer. */
function shortened({ request, result }: MadeCall): ToolReply["content"] {
  if (request.name !== "concat" || result.isError) return result.content;
  const text = textOf(result);
  const places = partsOf(result).map(({ path, lines }) => `${path} (lines ${lines})`);
  const failures = text.match(/^Errors:\n[\s\S]*$/mu)?.[0] ?? "";
  const digest = `Assembled ${countTokens(text)} tokens: ${places.join(", ")}. They will follow your overview; write it now, if you have not: 2 to 5 lines.`;
  return [{ type: "text", text: [digest, failures].filter((part) => part !== "").join("\n\n") }];
}

const ReadFiles = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      lines: z.object({ start: z.number(), end: z.number() }).optional(),
      text: z.string().optional(),
    }),
  ),
});

/** For a model that never called `concat`: what it read, the last first, up to a limit. */
async function concatRead(calls: readonly MadeCall[], call: CallAs): Promise<MadeCall["result"]> {
  const sources: Source[] = [];
  let left = MAX_READ_TOKENS;
  for (const { request, result } of calls.toReversed()) {
    if (request.name !== "read" || result.isError) continue;
    for (const { path, lines, text } of ReadFiles.safeParse(result.structured).data?.files ?? []) {
      if (lines === undefined || text === undefined || lines.end < lines.start) continue;
      if (countTokens(text) > left || sources.some((source) => source.path === path)) continue;
      left -= countTokens(text);
      sources.push({ path, lines: `${lines.start}-${lines.end}` });
    }
  }
  return sources.length === 0 ? NO_SOURCES : call("concat", { files: byFile(sources) });
}

/** Passages of one file together, in the order of its lines; files in the order of their best passage. */
function byFile(passages: readonly Source[]): Source[] {
  const files = Map.groupBy(passages, ({ path }) => path);
  return [...files.values()].flatMap((each) =>
    each.toSorted((a, b) => firstLine(a.lines) - firstLine(b.lines)),
  );
}

function firstLine(lines: string): number {
  return Number(lines.split("-", 1)[0]);
}
