import { realpathSync } from "node:fs";
import path from "node:path";

import { noticesForPeople } from "../../src/cli/output/for-people.ts";
import { errorOf, type CallResult } from "../../src/tools/call-result.ts";
import type { Call } from "./call.ts";

/*
 * What each way of calling makes of a tool's answer. The words are the tool's everywhere.
 */

/** Over HTTP: all of it. */
export function httpForm({ content, structured, isError }: CallResult): unknown {
  return { content, structured, isError };
}

/** Over MCP: the content, and whether it is a refusal. A client has no use for the path that a terminal is told of an image. */
export function mcpForm({ content, isError }: CallResult): unknown {
  const shown = content.map((part) =>
    part.type === "image" ? { type: "image", data: part.data, mimeType: part.mimeType } : part,
  );
  return { content: shown, isError };
}

/**
 * In the shell: a result on stdout, a refusal on stderr with exit code 1. People are not told the code of an error, a list of one error is that
 * error, what a terminal cannot show is named, to be opened, and calls that a model would make next are commands.
 */
export function shellForm({ content, isError }: CallResult, { hint }: Call, root: string): unknown {
  const texts = content.map((part) =>
    part.type === "text" ? part.text : `open ${realFile(root, part.path)}`,
  );
  // An image belongs to the line before it.
  const joined = texts.join("\n\n").replaceAll("\n\nopen ", "\nopen ");
  const text = noticesForPeople(joined, (line) => line);
  if (!isError) return { code: 0, stdout: `${text}\n`, stderr: "" };
  const said = text.replace(/^Error \(\w+\): /u, "").replace(/^Errors:\n- (?<one>.*)$/u, "$<one>");
  return { code: 1, stdout: "", stderr: `${[said, hint ?? []].flat().join("\n")}\n` };
}

/** With `--json`: the same for programs, on the same streams. */
export function jsonForm(result: CallResult, { hint }: Call): unknown {
  const { structured, isError } = result;
  if (!isError) return { code: 0, stdout: structured, stderr: null };
  const error = errorOf(result);
  return {
    code: 1,
    stdout: null,
    stderr: error === null ? structured : { error: { ...error, hint } },
  };
}

function realFile(root: string, shown: string): string {
  return path.join(realpathSync.native(root), shown.replace(/^vault\//u, ""));
}
