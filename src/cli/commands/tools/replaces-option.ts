import { UsageError } from "../../table/command.ts";

/** The option of commands that write a text which makes an older one untrue. */
export const REPLACES = {
  value: "PATH:LINES[=OLD]",
  summary:
    "An older statement that the text makes untrue, and its old value; it stays, and search puts the new one above it",
} as const;

interface Replaced {
  readonly path: string;
  readonly lines: string;
  readonly value?: string;
}

/** `--replaces` as the tools take it. */
export function replacesOf(given: readonly string[]): { replaces?: Replaced[] } {
  if (given.length === 0) return {};
  return {
    replaces: given.map((word) => {
      const [, path, lines, value] = /^([^=]+?):(\d[\d-]*)(?:=(.*))?$/su.exec(word) ?? [];
      if (path === undefined || lines === undefined) {
        throw new UsageError(
          `--replaces takes PATH:LINES[=OLD], like "changelog.md:40-44=£4,280", not ${JSON.stringify(word)}.`,
        );
      }
      return value === undefined ? { path, lines } : { path, lines, value };
    }),
  };
}
