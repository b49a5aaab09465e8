import type { TokenUsage, TurnEvent } from "./model/chat-model.ts";

/** What an agent does, as it does it: the same for the page, the terminal and a log. Nothing in it is secret. */
export type RunEvent =
  | TurnEvent
  | { readonly type: "call"; readonly id: string; readonly tool: string; readonly args: string }
  | {
      readonly type: "result";
      readonly id: string;
      readonly tool: string;
      readonly isError: boolean;
      /** Its beginning. */
      readonly text: string;
    }
  | { readonly type: "done"; readonly steps: number; readonly usage: TokenUsage }
  | { readonly type: "error"; readonly message: string };

export type OnRunEvent = (event: RunEvent) => void;
