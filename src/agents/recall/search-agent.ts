import { z } from "zod";

import { concat as concatTool } from "../../tools/concat.ts";
import { read as readTool } from "../../tools/read.ts";
import { toolsOf } from "../../tools/registry.ts";
import { countTokens } from "../../text/tokens.ts";
import { callAsSearcher, type CallAs, type LookingParts } from "../agent-context.ts";
import type { ChatModel, ToolReply, Turn } from "../model/chat-model.ts";
import { fenced } from "../fence.ts";
import { firstContext } from "../first-context.ts";
import { explainLimit, type RunLimits } from "../limits.ts";
import { runLoop, type MadeCall, type Next } from "../loop.ts";
import { instructionsFor } from "../prompts.ts";
import { answerOf, NO_SOURCES, passagesOf, sourcesOf, textOf } from "./recall-answer.ts";
import type { OnRunEvent, RecallAnswer, Source } from "../contract.ts";

export interface SearchRun extends LookingParts {
  readonly model: ChatModel;
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
  readonly onEvent: OnRunEvent;
}

/** An overview of fewer letters only announces what comes next. */
const SHORTEST_OVERVIEW = 40;
/** Tokens of what was read, when the program assembles the sources itself. */
const MOST_TOKENS = 8000;
const ASK_FOR_SOURCES =
  "Now call concat once, with the files or line ranges that your answer rests on. If the vault has nothing on it, answer NONE.";

/** Has a model answer a question from the vault. The sources are put under its overview by the program, as `concat` gave them. */
export async function runSearch(question: string, run: SearchRun): Promise<RecallAnswer> {
  const { model, limits, signal, onEvent, vault, now } = run;
  const tools = toolsOf("search");
  const call = callAsSearcher(run);
  const assembly = new Assembly();
  const context = await firstContext(vault, now());
  const result = await runLoop({
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
  const { steps, usage, reached } = result;
  const concat = assembly.concat ?? (await concatRead(result.calls, call));
  const said = assembly.overview ?? result.text;
  const cut = reached === null ? "" : `(${explainLimit(reached, limits)}.)`;
  return answerOf({
    overview: [said, cut].filter((part) => part !== "").join("\n"),
    document: textOf(concat),
    sources: sourcesOf(concat),
    passages: passagesOf(concat),
    model: model.name,
    steps,
    usage,
  });
}

/** Follows a run to its last `concat` and the words that go with it. */
class Assembly {
  concat: MadeCall["result"] | null = null;
  overview: string | null = null;
  #wasAsked = false;

  next(turn: Turn, made: readonly MadeCall[]): Next {
    const text = turn.text.trim();
    const last = made.findLast(({ request, result }) => isConcat(request.name) && !result.isError);
    if (last !== undefined) {
      this.concat = last.result;
      const isWhole = made.every(({ result }) => !result.isError);
      this.overview = text.length >= SHORTEST_OVERVIEW ? text : this.overview;
      // Overview and sources came together, as they should: another turn would only repeat them.
      return this.overview !== null && isWhole ? "stop" : "go on";
    }
    if (made.length > 0) return "go on";
    if (!this.#wasAsked || text !== "NONE") this.overview = text === "" ? this.overview : text;
    if (this.concat !== null || this.#wasAsked) return "stop";
    this.#wasAsked = true;
    return { say: ASK_FOR_SOURCES };
  }
}

function isConcat(name: string): boolean {
  return name === concatTool.name;
}

/** The model has read the passages, and gets them appended to its answer: it need not see them again. */
function shortened({ request, result }: MadeCall): ToolReply["content"] {
  if (!isConcat(request.name) || result.isError) return result.content;
  const text = textOf(result);
  const places = sourcesOf(result).map(({ path, lines }) => `${path} (lines ${lines})`);
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

/** For a model that never called `concat`: what it read, the last first, as far as it fits. */
async function concatRead(calls: readonly MadeCall[], call: CallAs): Promise<MadeCall["result"]> {
  const sources: Source[] = [];
  let left = MOST_TOKENS;
  for (const { request, result } of calls.toReversed()) {
    if (request.name !== readTool.name || result.isError) continue;
    for (const { path, lines, text } of ReadFiles.safeParse(result.structured).data?.files ?? []) {
      if (lines === undefined || text === undefined || lines.end < lines.start) continue;
      if (countTokens(text) > left || sources.some((source) => source.path === path)) continue;
      left -= countTokens(text);
      sources.push({ path, lines: `${lines.start}-${lines.end}` });
    }
  }
  return sources.length === 0 ? NO_SOURCES : call(concatTool.name, { files: byFile(sources) });
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
