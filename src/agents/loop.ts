import { refusal, type CallResult } from "../tools/call.ts";
import type { Tool } from "../tools/define.ts";
import type {
  ChatModel,
  Conversation,
  Part,
  ToolReply,
  ToolRequest,
  Turn,
} from "./model/chat-model.ts";
import { explainLimit, type ReachedLimit, type RunLimits } from "./limits.ts";
import type { OnRunEvent, TokenUsage } from "./contract.ts";

/** A call that was made, and what came of it. */
export interface MadeCall {
  readonly request: ToolRequest;
  readonly result: CallResult;
}

export interface LoopOptions {
  readonly model: ChatModel;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** What the run begins with. */
  readonly first: readonly Part[];
  /** The executor, bound to the run's context. */
  readonly call: (name: string, args: unknown) => Promise<CallResult>;
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
  readonly onEvent: OnRunEvent;
  /** What the model is shown of a result, when that is not all of it. */
  readonly shorten?: (call: MadeCall) => ToolReply["content"];
  /**
   * Asked after the calls of a turn, and when there were none. `go on` takes the next turn, a text is said first, `stop` ends the run. Without it
   * a turn without calls ends the run.
   */
  readonly next?: (turn: Turn, made: readonly MadeCall[]) => Next;
}

export type Next = "go on" | "stop" | { readonly say: string };

export interface LoopResult {
  /** What the model said last. */
  readonly text: string;
  readonly calls: readonly MadeCall[];
  readonly steps: number;
  readonly usage: TokenUsage;
  /** Null when the model came to its own end. */
  readonly reached: ReachedLimit | null;
}

/** For the last words of a run that is out of time, in milliseconds. */
const LAST_WORDS = 30_000;
const LONGEST_SHOWN = 300;

/**
 * Lets a model work with the tools until it has nothing more to call, or a limit is reached: then it must answer with what it has.
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
  #usage: TokenUsage = { input: 0, output: 0, cached: 0 };
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
    if (reached !== null) await this.#lastWords(reached);
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
      const then = next?.(turn, made) ?? (turn.calls.length === 0 ? "stop" : "go on");
      if (then === "stop") return null;
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

  /** A model that is not reached for its last words has said enough: what it did is known without them. */
  async #lastWords(reached: ReachedLimit): Promise<void> {
    const { limits, signal } = this.#options;
    const why = explainLimit(reached, limits);
    const request = `Stop here: ${why}. No more tools can be called. Say in a few lines what you found or did, and what is left.`;
    this.#conversation.say([{ type: "text", text: request }]);
    this.#text = "";
    try {
      await this.#turn(false, AbortSignal.any([signal, AbortSignal.timeout(LAST_WORDS)]));
    } catch {
      signal.throwIfAborted();
    }
  }

  /** Calls that only look are made at once; one that changes something waits for those before it, and those after it wait. */
  async #make(requests: readonly ToolRequest[]): Promise<MadeCall[]> {
    if (requests.length === 0) return [];
    const made: MadeCall[] = [];
    let looking: Promise<MadeCall>[] = [];
    for (const request of requests) {
      if (this.#isLooking(request)) {
        looking.push(this.#makeOne(request));
        continue;
      }
      made.push(...(await Promise.all(looking)));
      looking = [];
      made.push(await this.#makeOne(request));
    }
    made.push(...(await Promise.all(looking)));
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

  #isLooking({ name }: ToolRequest): boolean {
    return this.#options.tools.find((tool) => tool.name === name)?.effect === "read";
  }

  async #makeOne(request: ToolRequest): Promise<MadeCall> {
    const { call, onEvent, signal } = this.#options;
    signal.throwIfAborted();
    const { id, name, args, problem } = request;
    onEvent({ type: "call", id, tool: name, args: shown(JSON.stringify(args)) });
    const result =
      problem === null
        ? await call(name, args)
        : refusal("invalid_argument", `${name}: ${problem}. Send them again.`);
    const [first] = result.content;
    const text = first?.type === "text" ? shown(first.text) : "";
    onEvent({ type: "result", id, tool: name, isError: result.isError, text });
    return { request, result };
  }
}

function shown(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN).toWellFormed()}…`;
}
