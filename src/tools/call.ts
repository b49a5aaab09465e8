import { ExpectedError, type ErrorCode } from "../errors.ts";
import type { ReadContext, ToolContent, ToolFor, WriteContext } from "./define.ts";
import { profileTools } from "./registry.ts";

/** The result of a call, the same over every transport. */
export interface CallResult {
  readonly content: readonly ToolContent[];
  readonly structured: unknown;
  readonly isError: boolean;
}

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
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) {
    const names = tools.map((each) => each.name).join(", ");
    return refusal(
      "unknown_tool",
      `There is no tool ${JSON.stringify(name)} here. There are: ${names}.`,
    );
  }
  try {
    const { content, structured, failed = false } = await tool.invoke(args ?? {}, context);
    return { content, structured, isError: failed };
  } catch (error) {
    if (error instanceof ExpectedError) return refusal(error.code, error.message);
    onBug?.(error, name);
    return refusal("unavailable", "Internal error; see the log.");
  }
}

/** The result of a call that cannot be done. */
export function refusal(code: ErrorCode, message: string): CallResult {
  return {
    content: [{ type: "text", text: `Error (${code}): ${message}` }],
    structured: { error: { code, message } },
    isError: true,
  };
}
