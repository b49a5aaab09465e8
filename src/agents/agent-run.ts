import { callTool } from "../tools/call.ts";
import { refusal, type CallResult } from "../tools/call-result.ts";
import type { ReadContext, Tool, WriteContext } from "../tools/define.ts";
import { MODEL_TOKENS } from "../tools/output.ts";
import { createSession, type Session } from "../tools/session.ts";
import type { ChangeGuard } from "../vault/history/history-types.ts";
import type { CallersVault, VaultReader, VaultWriter } from "../vault/vault.ts";
import { callAbout } from "./call-about.ts";
import { NO_USAGE, type OnRunEvent, type TokenUsage } from "./contract.ts";
import type {
  ChatModel,
  Conversation,
  Part,
  ToolReply,
  ToolRequest,
  Turn,
} from "./model/chat-model.ts";
import { RepeatedCalls } from "./repeated-calls.ts";

/*
 * A run of an agent: what it is given, what it may use up, and the loop in which its model calls tools.
 */

/** What a run that only reads is given: by its type, nothing to write with. */
export interface ReadingParts {
  readonly vault: VaultReader;
  readonly index: ReadContext["index"];
  readonly now: () => Date;
  readonly onBug: (error: unknown, asked: string) => void;
}

export interface WritingParts extends ReadingParts {
  readonly vault: CallersVault;
  /** The history batch of all changes of the run. */
  readonly batch: string;
  readonly guard?: ChangeGuard;
  /** Whose text `search` does not show. */
  readonly conceals?: WriteContext["conceals"];
  /** Throws when who asked may no longer read what the run may: what it has read must not come back to others by what it writes. */
  readonly stillMay?: () => Promise<void>;
}

/** What bounds and observes a run. */
export interface RunControl {
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
  readonly onEvent: OnRunEvent;
}

/** A run whose model is not open yet. */
export interface UnopenedRun extends RunControl {
  /** Null when no model is configured. Throws an `ExpectedError` when it cannot be used. */
  readonly openModel: () => Promise<ChatModel | null>;
}

export const UPDATE_ACTOR = "update agent";
const SEARCH_ACTOR = "search agent";

/** Calls tools as one agent's run: what it read counts for what it writes. */
export type CallAs = (name: string, args: unknown) => Promise<CallResult>;

/** @param conceals whose text `search` does not show */
export function callAsSearcher(
  { vault, index, now, onBug }: ReadingParts,
  conceals?: WriteContext["conceals"],
): CallAs {
  const session = createSession(SEARCH_ACTOR);
  const context = {
    profile: "search",
    vault,
    index,
    session,
    now,
    mostTokens: MODEL_TOKENS,
    ...(conceals === undefined ? {} : { conceals }),
  } as const;
  return async (name, args) => callTool(name, args, context, { onBug });
}

/** @param session what it has read before */
export function callAsUpdater(
  parts: WritingParts,
  session: Session = createSession(UPDATE_ACTOR),
): CallAs {
  const { vault, index, now, batch, guard, conceals, onBug } = parts;
  const common = {
    profile: "update",
    vault,
    index,
    session,
    now,
    batch,
    mostTokens: MODEL_TOKENS,
  } as const;
  const context: WriteContext = {
    ...common,
    ...(guard === undefined ? {} : { guard }),
    ...(conceals === undefined ? {} : { conceals }),
  };
  return async (name, args) => {
    await parts.stillMay?.();
    return callTool(name, args, context, { onBug });
  };
}

/** Changes the vault as the program itself, in the batch of a run. */
export async function changeInRun(
  { vault, batch }: WritingParts,
  work: (writer: VaultWriter["writer"]) => Promise<unknown>,
): Promise<void> {
  const author = { actor: UPDATE_ACTOR, call: "remember", batch };
  await vault.change(author, async ({ writer }) => work(writer));
}

export const DEFAULT_LIMITS = {
  /** Turns of the model. */
  steps: 40,
  /** Tokens read and written by the model, over all turns. */
  tokens: 200_000,
  /** Turns in a row that only repeat earlier calls. */
  repeats: 3,
  /** Milliseconds. */
  time: 10 * 60_000,
};

/** What one run may use up. */
export type RunLimits = Readonly<typeof DEFAULT_LIMITS>;

/** The limit that ended a run. */
export type ReachedLimit = keyof RunLimits;

export function explainLimit(reached: ReachedLimit, limits: RunLimits): string {
  const { steps, tokens, repeats, time } = limits;
  const amounts = {
    steps: `${steps} steps`,
    tokens: `${tokens} tokens`,
    repeats: `${repeats} turns that only repeat earlier calls`,
    time: `${Math.round(time / 1000)} seconds`,
  };
  return `the limit of ${amounts[reached]} was reached`;
}

/** A call that was made, and its result. */
export interface MadeCall {
  readonly request: ToolRequest;
  readonly result: CallResult;
}

export interface LoopOptions extends RunControl {
  readonly model: ChatModel;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** What the run begins with. */
  readonly first: readonly Part[];
  /** The executor, bound to the run's context. */
  readonly call: CallAs;
  /** Shortens a result for the model. */
  readonly shorten?: (call: MadeCall) => ToolReply["content"];
  /**
   * Decides after each turn: `go on` takes the next turn, `say` adds a message before it, `stop` ends the run. By default a turn without calls
   * ends the run.
   */
  readonly next?: (turn: Turn, made: readonly MadeCall[]) => Next;
}

export type Next = "go on" | "stop" | { readonly say: string };

export interface LoopResult {
  /** The last text of the model. */
  readonly text: string;
  readonly calls: readonly MadeCall[];
  readonly steps: number;
  readonly usage: TokenUsage;
  /** Null when the model ended by itself. */
  readonly reached: ReachedLimit | null;
}

/** Milliseconds for the summary of a run that reached a limit. */
const SUMMARY_TIME = 30_000;
const MAX_SHOWN_LENGTH = 300;

/**
 * Lets a model call tools until it calls no more, or a limit is reached: then it must answer with what it has.
 * Throws when the model cannot be reached, and the signal's reason when the run is cancelled.
 */
export async function runLoop(options: LoopOptions): Promise<LoopResult> {
  return new Loop(options).run();
}

class Loop {
  readonly #options: LoopOptions;
  readonly #conversation: Conversation;
  readonly #deadline: AbortSignal;
  readonly #calls: MadeCall[] = [];
  readonly #repeated = new RepeatedCalls();
  #turnsRepeated = 0;
  #usage = NO_USAGE;
  #steps = 0;
  #text = "";

  constructor(options: LoopOptions) {
    this.#options = options;
    const { model, instructions, tools, first, limits } = options;
    this.#conversation = model.begin({ instructions, tools });
    this.#conversation.say(first);
    this.#deadline = AbortSignal.timeout(limits.time);
  }

  async run(): Promise<LoopResult> {
    const reached = await this.#work();
    if (reached !== null) await this.#summarize(reached);
    const { onEvent } = this.#options;
    onEvent({ type: "done", steps: this.#steps, usage: this.#usage });
    return {
      text: this.#text,
      calls: this.#calls,
      steps: this.#steps,
      usage: this.#usage,
      reached,
    };
  }

  async #work(): Promise<ReachedLimit | null> {
    const { limits, signal, next } = this.#options;
    for (;;) {
      if (this.#steps >= limits.steps) return "steps";
      if (this.#usage.input + this.#usage.output >= limits.tokens) return "tokens";
      if (this.#deadline.aborted) return "time";
      let turn: Turn;
      try {
        turn = await this.#turn(true, AbortSignal.any([signal, this.#deadline]));
      } catch (error) {
        signal.throwIfAborted();
        if (this.#deadline.aborted) return "time";
        throw error;
      }
      const made = await this.#make(turn.calls);
      const isNew = made.some(({ result }) => !this.#repeated.wasRefused(result));
      this.#turnsRepeated = isNew ? 0 : this.#turnsRepeated + (made.length > 0 ? 1 : 0);
      const then = next?.(turn, made) ?? (turn.calls.length === 0 ? "stop" : "go on");
      if (then === "stop") return null;
      if (this.#turnsRepeated >= limits.repeats) return "repeats";
      if (then !== "go on") this.#conversation.say([{ type: "text", text: then.say }]);
    }
  }

  async #turn(mayCall: boolean, signal: AbortSignal): Promise<Turn> {
    this.#steps += 1;
    const { onEvent } = this.#options;
    const turn = await this.#conversation.turn({ mayCall, signal, onEvent });
    const { input, output, cached } = turn.usage;
    this.#usage = {
      input: this.#usage.input + input,
      output: this.#usage.output + output,
      cached: this.#usage.cached + cached,
    };
    if (turn.text.trim() !== "") this.#text = turn.text.trim();
    return turn;
  }

  /** Asks for a summary. A failure is ignored: what the run did is known without one. */
  async #summarize(reached: ReachedLimit): Promise<void> {
    const { limits, signal } = this.#options;
    const why = explainLimit(reached, limits);
    const request = `Stop here: ${why}. No more tools can be called. Say in a few lines what you found or did, and what is left.`;
    this.#conversation.say([{ type: "text", text: request }]);
    this.#text = "";
    try {
      await this.#turn(false, AbortSignal.any([signal, AbortSignal.timeout(SUMMARY_TIME)]));
    } catch {
      signal.throwIfAborted();
    }
  }

  /** Calls that only read run at the same time; one that writes waits for those before it, and those after it wait for it. */
  async #make(requests: readonly ToolRequest[]): Promise<MadeCall[]> {
    if (requests.length === 0) return [];
    const made: MadeCall[] = [];
    let reading: Promise<MadeCall>[] = [];
    for (const request of requests) {
      if (this.#isReading(request)) {
        reading.push(this.#makeOne(request));
        continue;
      }
      made.push(...(await Promise.all(reading)));
      reading = [];
      made.push(await this.#makeOne(request));
    }
    made.push(...(await Promise.all(reading)));
    this.#calls.push(...made);
    const { shorten } = this.#options;
    this.#conversation.reply(
      made.map((each) => ({
        id: each.request.id,
        name: each.request.name,
        content: shorten?.(each) ?? each.result.content,
        isError: each.result.isError,
      })),
    );
    return made;
  }

  #isReading({ name }: ToolRequest): boolean {
    return this.#options.tools.find((tool) => tool.name === name)?.effect === "read";
  }

  async #makeOne(request: ToolRequest): Promise<MadeCall> {
    const { call, onEvent, signal } = this.#options;
    signal.throwIfAborted();
    const { id, name, args } = request;
    const about = shown(callAbout(args));
    onEvent({ type: "call", id, tool: name, args: shown(JSON.stringify(args)), about });
    const result =
      this.#repeated.answerTo(request) ??
      (typeof args === "object" && args !== null
        ? await call(name, args)
        : refusal(
            "invalid_argument",
            `${name}: the arguments are not a JSON object. Send them again.`,
          ));
    if (!result.isError && !this.#isReading(request)) this.#repeated.changed(request);
    const [first] = result.content;
    const text = first?.type === "text" ? shown(first.text) : "";
    onEvent({ type: "result", id, tool: name, isError: result.isError, text });
    return { request, result };
  }
}

function shown(text: string): string {
  return text.length <= MAX_SHOWN_LENGTH
    ? text
    : `${text.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…`;
}
