import type { CallResult } from "../../tools/call.ts";
import type { VaultReader } from "../../vault/vault.ts";
import type { CommandContext, ExitCode } from "../table/command.ts";
import type { Colouring, Failure } from "./screen.ts";
import { withTools } from "../vault/tool-caller.ts";

export interface Showing {
  readonly colouring?: Colouring;
  /** What to type next after a failure with this code. */
  readonly hint?: (code: string) => string | undefined;
}

/** Calls a tool and prints its answer: all there is to most commands. */
export async function runTool(
  name: string,
  args: unknown,
  context: CommandContext,
  showing: Showing = {},
): Promise<ExitCode> {
  return withTools(context, async ({ vault, call }) =>
    showResult(await call(name, args), vault, context, showing),
  );
}

/** Prints a result where it belongs, in the form that was asked for. */
export async function showResult(
  result: CallResult,
  vault: VaultReader,
  { screen }: CommandContext,
  { colouring, hint }: Showing,
): Promise<ExitCode> {
  const error = errorOf(result);
  if (error !== null) {
    screen.fail({ ...error, hint: hint?.(error.code) });
    return 1;
  }
  if (result.isError) {
    if (screen.json) screen.failJson(result.structured);
    else screen.warn(withoutLoneList(await textOf(result, vault)));
    return 1;
  }
  if (screen.json) screen.printJson(result.structured);
  else screen.print(await textOf(result, vault), colouring);
  return 0;
}

/** The error of a call that failed as a whole; null when it worked, or failed path by path. */
export function errorOf({ isError, structured }: CallResult): Failure | null {
  if (!isError || typeof structured !== "object" || structured === null) return null;
  const error: unknown = "error" in structured ? structured.error : null;
  if (typeof error !== "object" || error === null) return null;
  if (!("code" in error) || !("message" in error)) return null;
  return { code: String(error.code), message: String(error.message) };
}

/** The text of a result. A terminal cannot show an image: the line before it tells what it is, this one what to open. */
async function textOf({ content }: CallResult, vault: VaultReader): Promise<string> {
  const { parsePath } = await import("../../vault/paths.ts");
  let text = "";
  for (const part of content) {
    if (part.type === "image") {
      const file = vault.localFile?.(parsePath(part.path).path) ?? null;
      text += file === null ? "" : `\nopen ${file}`;
    } else text += text === "" ? part.text : `\n\n${part.text}`;
  }
  return text;
}

/** A list of one error is that error. */
function withoutLoneList(text: string): string {
  return text.replace(/^Errors:\n- ([^\n]*)$/u, "$1");
}
