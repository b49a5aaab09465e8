import type { Readable } from "node:stream";

export interface ServerEvent {
  readonly name: string;
  /** Undefined when it is not JSON. */
  readonly data: unknown;
}

/** Reads the events of a `text/event-stream` until it ends, as our own feed writes them: one line of JSON each. */
export function readEvents(stream: Readable, onEvent: (event: ServerEvent) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("error", () => {});
  stream.on("data", (text: string) => {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split("\n");
      const name = field(lines, "event");
      if (name !== null) onEvent({ name, data: jsonOf(field(lines, "data") ?? "") });
    }
  });
}

function field(lines: readonly string[], name: string): string | null {
  const start = `${name}: `;
  return lines.find((line) => line.startsWith(start))?.slice(start.length) ?? null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
