import { z } from "zod";

import { charactersFor } from "../text/tokens.ts";
import { ExpectedError, type ErrorCode } from "../errors.ts";
import { FENCE, numberWidth, pushNumbered, type LineRange } from "../vault/files/lines.ts";
import type { LineRun } from "../vault/files/text-file.ts";
import type { ReadContext, ToolContent, ToolOutput } from "./define.ts";

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

/** What `search` and `tree` show a model by default. */
export const MODEL_TOKENS = 8000;
/** What `read` and `concat` show a model that did not say how much it wants. */
const MOST_TOKENS = 50_000;
/** And one that did: more would not fit into the 10 MiB above which MCP clients disconnect, in any script. */
const MOST_SIZED_TOKENS = 500_000;
/** What they show programs and people: all of any note, and no more than memory holds. */
const MOST_HELD_TOKENS = 10_000_000;
/** Bytes of images in one answer: with the text around them, less than the 10 MiB above which MCP clients disconnect. */
export const MOST_IMAGE_BYTES = 7_000_000;

/**
 * The most tokens of an answer of `read` or `concat`.
 * @param isSized the caller said how much of each file it wants
 */
export function answerTokens({ mostTokens }: ReadContext, isSized: boolean): number {
  if (mostTokens === undefined) return MOST_HELD_TOKENS;
  return isSized ? MOST_SIZED_TOKENS : MOST_TOKENS;
}

interface Failure {
  readonly path: string;
  readonly code: ErrorCode;
  readonly message: string;
}

/**
 * Builds the answer of a call on several paths: blocks and images in order, one empty line between blocks, never more than
 * it may have; then what was left out and how to get it, then what failed and why.
 */
export class BlockOutput {
  readonly #content: ToolContent[] = [];
  readonly #failures: Failure[] = [];
  readonly #notices: string[] = [];
  /** Lines, or runs of lines, of the text being built: joined once, since copying a long text is most of the work. */
  #pieces: string[] = [];
  /** Tokens of the whole answer. */
  readonly most: number;
  #left: number;
  #imageBytesLeft = MOST_IMAGE_BYTES;
  #done = 0;

  constructor(most: number) {
    this.most = most;
    this.#left = charactersFor(most);
  }

  /** Characters that still fit. */
  get left(): number {
    return this.#left;
  }

  /** Bytes of images that still fit. */
  get imageBytesLeft(): number {
    return this.#imageBytesLeft;
  }

  /** Adds each item while there is room; what fails is listed under its name. Returns what was added, and the names left out. */
  async addEach<Item, Added>(
    items: readonly Item[],
    nameOf: (item: Item) => string,
    add: (item: Item) => Promise<Added>,
  ): Promise<{ added: Added[]; leftOut: string[] }> {
    const added: Added[] = [];
    const leftOut: string[] = [];
    for (const item of items) {
      try {
        if (this.#left > 0) added.push(await add(item));
        else leftOut.push(nameOf(item));
      } catch (error) {
        this.addFailure(nameOf(item), error);
      }
    }
    return { added, leftOut };
  }

  /**
   * Shows lines of a file.
   * @param header says what the block holds, given the lines that fit
   * @param keep which of the lines, when not all of them fit
   * @returns the lines that were shown
   */
  addLines(
    run: LineRun,
    totalLines: number,
    header: (shown: LineRange) => string,
    keep: "first" | "last" = "first",
  ): LineRun {
    const width = numberWidth(totalLines);
    const shown = this.#fitting(run, width, keep);
    const { first, lines } = shown;
    this.#separate();
    this.#pieces.push(FENCE + header({ start: first, end: first + lines.length - 1 }));
    pushNumbered(this.#pieces, lines, first, width);
    this.#pieces.push(FENCE);
    this.#done += 1;
    return shown;
  }

  /** One empty line between blocks. */
  #separate(): void {
    if (this.#pieces.length > 0) this.#pieces.push("");
  }

  /** The lines that fit into what is left, which they then take up. */
  #fitting(run: LineRun, width: number, keep: "first" | "last"): LineRun {
    const { first, lines } = run;
    const { length } = lines;
    let count = 0;
    let left = this.#left;
    for (; count < length; count += 1) {
      const line = lines[keep === "first" ? count : length - 1 - count] ?? "";
      left -= width + 4 + line.length;
      if (left < 0) break;
    }
    this.#left = Math.max(0, left);
    if (count === length) return run;
    if (keep === "first") return { first, lines: lines.slice(0, count) };
    return { first: first + length - count, lines: lines.slice(length - count) };
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

  /** @param facts what programs get, besides what failed */
  finish(facts: object): ToolOutput {
    for (const notice of this.#notices) {
      this.#separate();
      this.#pieces.push(notice);
    }
    if (this.#failures.length > 0) {
      this.#separate();
      this.#pieces.push("Errors:", ...this.#failures.map(({ message }) => `- ${message}`));
    }
    this.#flush();
    // What there is nothing of is an empty text, and not a missing one.
    if (this.#content.length === 0) this.#content.push({ type: "text", text: "" });
    const failed = this.#done === 0 && this.#failures.length > 0;
    const structured = { ...facts, errors: this.#failures };
    return { content: this.#content, structured, failed };
  }
}

export function linesText(count: number): string {
  return count === 1 ? "1 line" : `${count} lines`;
}
