import type { Tool, ToolContent } from "../../tools/define.ts";
import type { RunEvent, TokenUsage } from "../contract.ts";

/** Part of a message to a model. `data` is base64. */
export type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };

/** A call that the model requests. `args` is what it wrote when that is not JSON. */
export interface ToolRequest {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
}

export interface ToolReply {
  readonly id: string;
  readonly name: string;
  readonly content: readonly ToolContent[];
  readonly isError: boolean;
}

/** One answer of the model, and the calls it requests. */
export interface Turn {
  readonly text: string;
  readonly calls: readonly ToolRequest[];
  readonly usage: TokenUsage;
}

/** An event that a turn streams. */
export type TurnEvent = Extract<RunEvent, { readonly type: "thinking" | "text" | "retry" }>;

export interface TurnOptions {
  /** False forces an answer in words. */
  readonly mayCall: boolean;
  readonly signal: AbortSignal;
  readonly onEvent: (event: TurnEvent) => void;
  /** Called with what each attempt used up; estimated for one that broke off after it had begun to answer. */
  readonly onSpent?: (usage: TokenUsage) => void;
}

/** One conversation with a model, with all its messages. */
export interface Conversation {
  say(parts: readonly Part[]): void;
  reply(replies: readonly ToolReply[]): void;
  /** Throws an `ExpectedError` when the model cannot be reached or refuses, and the signal's reason when it is aborted. */
  turn(options: TurnOptions): Promise<Turn>;
}

/** A model of any provider. */
export interface ChatModel {
  /** `provider/model`. */
  readonly name: string;
  begin(options: { readonly instructions: string; readonly tools: readonly Tool[] }): Conversation;
}
