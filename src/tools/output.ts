import { ExpectedError, type ErrorCode } from "../vault/errors.ts";
import { block, numberLines, numberWidth, type LineRange } from "../vault/lines.ts";
import type { LineRun } from "../vault/text-file.ts";
import type { ToolContent, ToolOutput } from "./define.ts";

/** The most a `read` or `concat` returns. */
export const MOST_TOKENS = 50_000;

export interface Failure {
  readonly path: string;
  readonly code: ErrorCode;
  readonly message: string;
}

/**
 * Builds the answer of a call on several paths: blocks and images in order, one empty line between blocks, never more than
 * {@link MOST_TOKENS}; then what was left out and how to get it, then what failed and why.
 */
export class BlockOutput {
  readonly #content: ToolContent[] = [];
  readonly #failures: Failure[] = [];
  readonly #notices: string[] = [];
  #blocks: string[] = [];
  #left = MOST_TOKENS * 4;
  #done = 0;

  /** Characters that still fit. */
  get left(): number {
    return this.#left;
  }

  get failures(): readonly Failure[] {
    return this.#failures;
  }

  /**
   * Shows lines of a file.
   * @param header says what the block holds, given the lines that fit
   * @returns how many of the lines were shown
   */
  addLines(run: LineRun, totalLines: number, header: (shown: LineRange) => string): number {
    const width = numberWidth(totalLines);
    const count = this.#fitting(run.lines, width);
    const shown = count === run.lines.length ? run.lines : run.lines.slice(0, count);
    const range = { start: run.first, end: run.first + count - 1 };
    this.addBlock(block(header(range), numberLines(shown, run.first, width)));
    return count;
  }

  #fitting(lines: readonly string[], width: number): number {
    let spent = 0;
    for (const [at, line] of lines.entries()) {
      spent += width + 4 + line.length;
      if (spent > this.#left) return at;
    }
    return lines.length;
  }

  addBlock(text: string): void {
    this.#blocks.push(text);
    this.#left -= text.length + 2;
    this.#done += 1;
  }

  addImage(line: string, image: Extract<ToolContent, { type: "image" }>): void {
    this.#blocks.push(line);
    this.#flush();
    this.#content.push(image);
    this.#left -= line.length;
    this.#done += 1;
  }

  /** Something done that has nothing to show. */
  countDone(): void {
    this.#done += 1;
  }

  addNotice(text: string): void {
    this.#notices.push(text);
  }

  /** Notes a failure; anything but an expected error is thrown on. */
  addFailure(path: string, error: unknown): void {
    if (!(error instanceof ExpectedError)) throw error;
    const message = error.message.replaceAll(/\s*\n\s*/gu, " ");
    this.#failures.push({ path, code: error.code, message });
  }

  #flush(): void {
    if (this.#blocks.length === 0) return;
    this.#content.push({ type: "text", text: this.#blocks.join("\n\n") });
    this.#blocks = [];
  }

  finish(structured: unknown): ToolOutput {
    this.#blocks.push(...this.#notices);
    if (this.#failures.length > 0) {
      this.#blocks.push(
        ["Errors:", ...this.#failures.map(({ message }) => `- ${message}`)].join("\n"),
      );
    }
    this.#flush();
    const failed = this.#done === 0 && this.#failures.length > 0;
    return { content: this.#content, structured, failed };
  }
}
