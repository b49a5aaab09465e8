import { z } from "zod";

import { charactersFor } from "../text/tokens.ts";
import { ExpectedError, type ErrorCode } from "../errors.ts";
import { FENCE, numberWidth, pushNumbered, type LineRange } from "../vault/files/lines.ts";
import type { LineRun } from "../vault/files/text-file.ts";
import type { ToolContent, ToolOutput } from "./define.ts";

/** A call names at most this many paths; a folder is one. */
const MOST_PATHS = 1000;

/** A list of at most {@link MOST_PATHS} things. */
export function pathList<Item extends z.ZodType>(item: Item): z.ZodArray<Item> {
  const tooMany = `at most ${MOST_PATHS} paths in one call: name folders, or make several calls`;
  return z.array(item).max(MOST_PATHS, tooMany);
}

/** How many of the texts, from the first on, have no more tokens than these together; at least one. */
export function countFitting(texts: readonly string[], tokens: number): number {
  let room = charactersFor(tokens);
  const tooMany = texts.findIndex((text) => (room -= text.length + 1) < 0);
  return tooMany < 0 ? texts.length : Math.max(1, tooMany);
}

/** The most a `read` or `concat` returns. */
export const MOST_TOKENS = 50_000;
/** Bytes of images in one answer: with the text around them, less than the 10 MiB above which MCP clients disconnect. */
export const MOST_IMAGE_BYTES = 7_000_000;

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
  /** Lines, or runs of lines, of the text being built: joined once, since copying a long text is most of the work. */
  #pieces: string[] = [];
  #left = charactersFor(MOST_TOKENS);
  #imageBytesLeft = MOST_IMAGE_BYTES;
  #done = 0;

  /** Characters that still fit. */
  get left(): number {
    return this.#left;
  }

  /** Bytes of images that still fit. */
  get imageBytesLeft(): number {
    return this.#imageBytesLeft;
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
    this.#separate();
    this.#pieces.push(FENCE + header({ start: run.first, end: run.first + count - 1 }));
    pushNumbered(this.#pieces, shown, run.first, width);
    this.#pieces.push(FENCE);
    this.#done += 1;
    return count;
  }

  /** One empty line between blocks. */
  #separate(): void {
    if (this.#pieces.length > 0) this.#pieces.push("");
  }

  /** How many of the lines fit into what is left, which they then take up. */
  #fitting(lines: readonly string[], width: number): number {
    let count = 0;
    let left = this.#left;
    for (const line of lines) {
      left -= width + 4 + line.length;
      if (left < 0) break;
      count += 1;
    }
    this.#left = Math.max(0, left);
    return count;
  }

  addBlock(text: string): void {
    this.#separate();
    this.#pieces.push(text);
    this.#left -= text.length + 2;
    this.#done += 1;
  }

  addImage(line: string, image: Extract<ToolContent, { type: "image" }>): void {
    this.addBlock(line);
    this.#flush();
    this.#content.push(image);
    this.#imageBytesLeft -= Buffer.byteLength(image.data, "base64");
  }

  addNotice(text: string): void {
    this.#notices.push(text);
  }

  /** Adds a failure; anything but an expected error is rethrown. */
  addFailure(path: string, error: unknown): void {
    if (!(error instanceof ExpectedError)) throw error;
    const message = error.message.replaceAll(/\s*\n\s*/gu, " ");
    this.#failures.push({ path, code: error.code, message });
  }

  #flush(): void {
    if (this.#pieces.length === 0) return;
    this.#content.push({ type: "text", text: this.#pieces.join("\n") });
    this.#pieces = [];
  }

  finish(structured: unknown): ToolOutput {
    for (const notice of this.#notices) {
      this.#separate();
      this.#pieces.push(notice);
    }
    if (this.#failures.length > 0) {
      this.#separate();
      this.#pieces.push("Errors:", ...this.#failures.map(({ message }) => `- ${message}`));
    }
    this.#flush();
    const failed = this.#done === 0 && this.#failures.length > 0;
    return { content: this.#content, structured, failed };
  }
}

export function linesText(count: number): string {
  return count === 1 ? "1 line" : `${count} lines`;
}
