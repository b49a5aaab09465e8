import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import { countTokens } from "../../text/tokens.ts";
import {
  callAsSearcher,
  explainLimit,
  runLoop,
  type MadeCall,
  type Next,
  type ReadingParts,
  type RunControl,
  type UnopenedRun,
} from "../agent-run.ts";
import type { RecallAnswer, Source } from "../contract.ts";
import type { ChatModel, ToolReply, Turn } from "../model/chat-model.ts";
import { PAST_THE_END } from "../../tools/concat.ts";
import { fenced, opening } from "../prompts.ts";
import { markedParts } from "./marked-parts.ts";
import { recallWithoutModel } from "./recall-without-model.ts";
import { answerOf, concatSources, partsOf, textOf } from "./recall-answer.ts";

export type SearchRun = ReadingParts & RunControl;

/**
 * Answers a question from the vault, with the model or without: when the model fails, the sources are still given.
 * @param own what is looked at when no model answers: whoever asks may see more than a model
 */
export async function recall(
  question: string,
  parts: ReadingParts & UnopenedRun,
  own: ReadingParts = parts,
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
  return recallWithoutModel(question, own, note);
}

/** A shorter text only announces the next step. */
const MIN_OVERVIEW_LENGTH = 40;
/** Tokens of what was read, when the program assembles the sources itself. */
const MAX_READ_TOKENS = 8000;
/** A longer overview keeps a reader from the sources, and is asked for again once. */
const MAX_OVERVIEW_LINES = 5;
const ASK_FOR_LESS = `Your overview has more than ${MAX_OVERVIEW_LINES} lines. Write it again in 2 to ${MAX_OVERVIEW_LINES}, and call no tool: the sources follow it as you assembled them.`;
const ASK_FOR_SOURCES =
  "Now call concat once, with the files or line ranges that your answer rests on. If the vault has nothing on it, answer NONE.";
/** A model says so when the vault has nothing. */
const NONE = /^NONE\b[:.\s]*/u;

/** Has a model answer a question. The program puts the sources under its overview, as `concat` gave them. */
async function recallWithModel(
  question: string,
  run: SearchRun,
  model: ChatModel,
): Promise<RecallAnswer> {
  const call = callAsSearcher(run);
  const assembly = new Assembly();
  const { steps, usage, reached, text, calls } = await runLoop({
    model,
    ...(await opening("search", run, [`The question:\n${fenced("question", question)}`])),
    call,
    shorten: shortened,
    next: (turn, made) => assembly.next(turn, made),
  });
  const concat = assembly.concat ?? (await concatSources(sourcesRead(calls), run.vault, call));
  const said = assembly.overview ?? text;
  const cut = reached === null ? "" : `(${explainLimit(reached, run.limits)}.)`;
  const facts = { question, concat, asked: assembly.asked, note: cut };
  return answerOf({ overview: said, model: model.name, steps, usage }, facts, run);
}

/** Follows a run to its last `concat` and the words that go with it. */
class Assembly {
  concat: MadeCall["result"] | null = null;
  /** The arguments of its call. */
  asked: unknown = null;
  overview: string | null = null;
  #wasAsked = false;
  #wasAskedForLess = false;
  #wasPartial = false;

  next(turn: Turn, made: readonly MadeCall[]): Next {
    const then = this.#follow(turn, made);
    if (then !== "stop" || this.#wasAskedForLess || !isLong(this.overview)) return then;
    this.#wasAskedForLess = true;
    return { say: ASK_FOR_LESS };
  }

  #follow(turn: Turn, made: readonly MadeCall[]): Next {
    const text = turn.text.trim();
    const last = made.findLast(
      ({ request, result }) => request.name === "concat" && !result.isError,
    );
    if (last !== undefined) {
      this.concat = last.result;
      this.asked = last.request.args;
      const isPartial = !this.#wasPartial && lacksSomething(last.result);
      this.#wasPartial ||= isPartial;
      const isWhole = !isPartial && made.every(({ result }) => !result.isError);
      this.overview = text.length >= MIN_OVERVIEW_LENGTH ? text : this.overview;
      // Overview and sources came together: another turn would only repeat them.
      return this.overview !== null && isWhole ? "stop" : "go on";
    }
    if (made.length > 0) return "go on";
    const nothing = NONE.exec(text);
    if (nothing !== null && this.concat === null) {
      const said = text.slice(nothing[0].length);
      this.overview = said === "" ? this.overview : said;
      return "stop";
    }
    this.overview = text === "" ? this.overview : text;
    if (this.concat !== null || this.#wasAsked) return "stop";
    this.#wasAsked = true;
    return { say: ASK_FOR_SOURCES };
  }
}

const Errors = z.object({ errors: z.array(z.unknown()).min(1) });

/** Some of what a `concat` was asked for is missing: the model is told, and may assemble again. */
function lacksSomething(result: MadeCall["result"]): boolean {
  return Errors.safeParse(result.structured).success || textOf(result).includes(PAST_THE_END);
}

function isLong(overview: string | null): boolean {
  const lines = (overview ?? "").split("\n").filter((line) => line.trim() !== "");
  return lines.length > MAX_OVERVIEW_LINES;
}

/** Leaves out the passages, which the model has read already, and which the program appends to its answer. */
function shortened({ request, result }: MadeCall): ToolReply["content"] {
  if (request.name !== "concat" || result.isError) return result.content;
  const text = textOf(result);
  const places = markedParts(partsOf(result), request.args).map(
    ({ mark, path, lines }) => `[${mark}] ${path} (lines ${lines})`,
  );
  const failures = text.match(/^(?:Errors:|.*past its end:)[\s\S]*$/mu)?.[0] ?? "";
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
function sourcesRead(calls: readonly MadeCall[]): Source[] {
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
  return sources;
}
