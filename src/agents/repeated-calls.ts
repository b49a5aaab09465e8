import { refusal, type CallResult } from "../tools/call-result.ts";
import type { ToolRequest } from "./model/chat-model.ts";

/** How often the same call is made; the next one is answered without it. */
const MOST = 2;

/** Knows the calls of a run, so that a model that goes in circles is told so instead of being paid for it. */
export class RepeatedCalls {
  readonly #times = new Map<string, number>();
  readonly #refused = new WeakSet<CallResult>();

  /** The answer to a call that was made twice already, with the same result; null for one to make. */
  answerTo({ name, args }: ToolRequest): CallResult | null {
    const key = keyOf(name, args);
    const times = (this.#times.get(key) ?? 0) + 1;
    this.#times.set(key, times);
    if (times <= MOST) return null;
    const result = refusal(
      "invalid_argument",
      `Same call, same result: ${name} with these arguments was called ${MOST} times already, and nothing has changed since. Use what you have, or end.`,
    );
    this.#refused.add(result);
    return result;
  }

  /** A call has changed the vault: others may have another result now. */
  changed({ name, args }: ToolRequest): void {
    const key = keyOf(name, args);
    const times = this.#times.get(key);
    this.#times.clear();
    if (times !== undefined) this.#times.set(key, times);
  }

  wasRefused(result: CallResult): boolean {
    return this.#refused.has(result);
  }
}

function keyOf(name: string, args: unknown): string {
  return `${name} ${JSON.stringify(args)}`;
}
