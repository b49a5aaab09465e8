import { diskFailure, ExpectedError } from "../errors.ts";
import { databaseFailure } from "../storage/sqlite.ts";
import { refusal, type CallResult } from "./call-result.ts";
import type { ReadContext, ToolFor, WriteContext } from "./define.ts";
import { profileTools } from "./registry.ts";

/** Who calls, and on what: by its type, a caller of the `search` profile has no vault to write to. */
export type CallContext = (ReadContext & { readonly profile: "search" }) | WriteContext;

export interface CallOptions {
  /** Called with unexpected errors; they have a stack. */
  readonly onBug?: (error: unknown, toolName: string) => void;
}

/** Calls a tool on the vault. The tools of other profiles do not exist for this caller. */
export async function callTool(
  name: string,
  args: unknown,
  context: CallContext,
  options: CallOptions = {},
): Promise<CallResult> {
  return context.profile === "search"
    ? runTool(profileTools.search, name, args, context, options)
    : runTool(profileTools.update, name, args, context, options);
}

/**
 * Runs one of these tools: the only place where a tool is run. Expected errors become a result; others become a short one, and `onBug` gets
 * the error itself.
 */
export async function runTool<Context>(
  tools: readonly ToolFor<Context>[],
  name: string,
  args: unknown,
  context: Context,
  { onBug }: CallOptions,
): Promise<CallResult> {
  try {
    const tool = toolNamed(tools, name);
    const { content, structured, failed = false } = await tool.invoke(args ?? {}, context);
    return { content, structured, isError: failed };
  } catch (error) {
    const expected =
      error instanceof ExpectedError ? error : (databaseFailure(error) ?? diskFailure(error));
    if (expected !== null) return refusal(expected.code, expected.message);
    onBug?.(error, name);
    return refusal("unavailable", "Internal error; see the log.");
  }
}

/** The tool of that name. Throws `unknown_tool`. */
export function toolNamed<T extends { readonly name: string }>(
  tools: readonly T[],
  name: string,
): T {
  const tool = tools.find((each) => each.name === name);
  if (tool !== undefined) return tool;
  const names = tools.map((each) => each.name).join(", ");
  throw new ExpectedError(
    "unknown_tool",
    `There is no tool ${JSON.stringify(name)} here. There are: ${names}.`,
  );
}
