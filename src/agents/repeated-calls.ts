import { refusal, type CallResult } from "../tools/call-result.ts";
import type { ToolRequest } from "./model/chat-model.ts";

/** How often the same call is made; the next one is answered without it. */
const MOST = 2;

/** Knows the calls of a run, so that a model that goes in circles is told so instead of being paid for it. */
export class RepeatedCalls {
  readonly #times = new Map<string, number>();
  readonly #refused = new WeakSet<CallResult>();
  /** What was appended, and still stands in its file. */
  readonly #appended = new Map<string, string>();

  /** The answer to a call that was made twice already, with the same result, or that would add a text a second time; null for one to make. */
  answerTo({ name, args }: ToolRequest): CallResult | null {
    const key = keyOf(name, args);
    if (this.#appended.has(key)) {
      return this.#refuse(
        "Same call: this text was appended there already in this run, and stands there once. Nothing was added.",
      );
    }
    const times = (this.#times.get(key) ?? 0) + 1;
    this.#times.set(key, times);
    if (times <= MOST) return null;
    return this.#refuse(
      `Same call, same result: ${name} with these arguments was called ${MOST} times already, and nothing has changed since. Use what you have, or end.`,
    );
  }

  /** A call has changed the vault: others may have another result now. */
  changed({ name, args }: ToolRequest): void {
    const key = keyOf(name, args);
    const times = this.#times.get(key);
    this.#times.clear();
    if (times !== undefined) this.#times.set(key, times);
    const path = pathIn(args);
    if (name === "append") this.#appended.set(key, path);
    else if (name === "move" || name === "delete") this.#appended.clear();
    else for (const [each, at] of this.#appended) if (at === path) this.#appended.delete(each);
  }

  #refuse(why: string): CallResult {
    const result = refusal("invalid_argument", why);
    this.#refused.add(result);
    return result;
  }

  wasRefused(result: CallResult): boolean {
    return this.#refused.has(result);
  }
}

function keyOf(name: string, args: unknown): string {
  return `${name} ${JSON.stringify(args)}`;
}

function pathIn(args: unknown): string {
  const path = typeof args === "object" && args !== null && "path" in args ? args.path : null;
  return typeof path === "string" ? path.replace(/^vault\//u, "") : "";
}
