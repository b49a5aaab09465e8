import type { Screen } from "../output/screen.ts";
import { UsageError } from "./command.ts";
import type { InputStream } from "./stdin.ts";

const [CTRL_C, CTRL_D, BACKSPACE, DELETE] = ["\u0003", "\u0004", "\b", "\u007f"];

/** Questions to a person at a terminal. Close it, else the process waits for more to be typed. */
export class Prompt {
  readonly #stdin: InputStream;
  readonly #screen: Screen;
  readonly #keys: AsyncIterator<Uint8Array | string>;
  #typed = "";

  constructor(stdin: InputStream, screen: Screen) {
    this.#stdin = stdin;
    this.#screen = screen;
    this.#keys = stdin[Symbol.asyncIterator]();
  }

  /** The line that is typed. */
  async ask(question: string): Promise<string> {
    this.#screen.ask(question);
    return this.#line();
  }

  /** The same, and what is typed is not shown. */
  async askHidden(question: string): Promise<string> {
    this.#screen.ask(question);
    this.#stdin.setRawMode?.(true);
    try {
      return await this.#line();
    } finally {
      this.#stdin.setRawMode?.(false);
      this.#screen.warn("");
    }
  }

  async close(): Promise<void> {
    await this.#keys.return?.();
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = /[\r\n]/u.exec(this.#typed);
      if (end !== null) {
        const line = this.#typed.slice(0, end.index);
        this.#typed = this.#typed.slice(end.index + 1);
        return edited(line);
      }
      const next = await this.#keys.next();
      if (next.done === true) throw new UsageError("Nothing was typed.");
      this.#typed += Buffer.from(next.value).toString("utf8");
      if (this.#typed.includes(CTRL_C ?? "") || this.#typed.includes(CTRL_D ?? ""))
        throw new UsageError("Nothing was typed.");
    }
  }
}

/** A line of single keys: backspace takes the one before. */
function edited(line: string): string {
  const kept: string[] = [];
  for (const key of line)
    if (key === BACKSPACE || key === DELETE) kept.pop();
    else kept.push(key);
  return kept.join("");
}
