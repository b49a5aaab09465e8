import { z } from "zod";

import { ExpectedError, type ErrorCode } from "../errors.ts";
import type { ReadContext, Tool, ToolContent, WriteContext } from "./define.ts";
import { toolsOf } from "./registry.ts";

/** What every transport gets: the same content, whoever calls. */
export interface CallResult {
  readonly content: readonly ToolContent[];
  readonly structured: unknown;
  readonly isError: boolean;
}

/** Who calls, and on what: a caller of the `search` profile has no vault to write to, by type. */
export type CallContext = (ReadContext & { readonly profile: "search" }) | WriteContext;

export interface CallOptions {
  /** Hears of errors nobody expected, with their stack. */
  readonly onBug?: (error: unknown, toolName: string) => void;
}

/**
 * Runs a tool: the only place where one is run. Checks that it exists in the profile and that its arguments fit; turns what a
 * caller can mend into a result, and what it cannot into a short one while the stack goes to `onBug`.
 */
export async function callTool(
  name: string,
  args: unknown,
  context: CallContext,
  options: CallOptions = {},
): Promise<CallResult> {
  try {
    const tool = find(name, context.profile);
    const output = await run(tool, args ?? {}, context);
    return {
      content: output.content,
      structured: output.structured,
      isError: output.failed === true,
    };
  } catch (error) {
    if (error instanceof ExpectedError) return refusal(error.code, error.message);
    if (error instanceof z.ZodError)
      return refusal("invalid_argument", explainArguments(name, error, context));
    options.onBug?.(error, name);
    return refusal(
      "unavailable",
      `${name} failed for a reason of its own; nothing more is known here. The log has the details.`,
    );
  }
}

function find(name: string, profile: CallContext["profile"]): Tool {
  const tools = toolsOf(profile);
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool !== undefined) return tool;
  throw new ExpectedError(
    "unknown_tool",
    `There is no tool ${JSON.stringify(name)} here. There are: ${tools.map((each) => each.name).join(", ")}.`,
  );
}

async function run(tool: Tool, args: unknown, context: CallContext): ReturnType<Tool["invoke"]> {
  if (tool.effect === "read") return tool.invoke(args, context);
  if (context.profile === "update") return tool.invoke(args, context);
  throw new ExpectedError(
    "unknown_tool",
    `${tool.name} changes the vault; this caller can only look.`,
  );
}

/** The result of a call that cannot be done. */
export function refusal(code: ErrorCode, message: string): CallResult {
  return {
    content: [{ type: "text", text: `Error (${code}): ${message}` }],
    structured: { error: { code, message } },
    isError: true,
  };
}

/** Says which argument is wrong, what was given, and what the tool takes. */
function explainArguments(name: string, error: z.ZodError, context: CallContext): string {
  const problems = error.issues.slice(0, 5).map((issue) => explainIssue(issue, []));
  const tool = toolsOf(context.profile).find((candidate) => candidate.name === name);
  const takes = Object.keys(tool?.input.shape ?? {}).join(", ");
  return `${name}: ${problems.join("; ")}. It takes: ${takes}.`;
}

function explainIssue(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): string {
  const place = [...above, ...issue.path];
  if (issue.code === "invalid_union") {
    // Of several forms, the one the caller was trying: its own kind is right, something in it is not.
    const tried = issue.errors.find(
      ([first]) => first !== undefined && (first.code !== "invalid_type" || first.path.length > 0),
    );
    const [first] = tried ?? [];
    if (first !== undefined) return explainIssue(first, place);
  }
  const shown = place.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.map((key) => JSON.stringify(key)).join(", ");
    return `unknown argument ${keys}${shown === "" ? "" : ` in ${shown}`}`;
  }
  return `${shown === "" ? "the arguments" : shown}: ${issue.message}`;
}
