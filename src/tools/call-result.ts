import type { ErrorCode } from "../errors.ts";
import type { ToolContent } from "./define.ts";

/** The result of a call, the same over every transport. */
export interface CallResult {
  readonly content: readonly ToolContent[];
  readonly structured: unknown;
  readonly isError: boolean;
}

/** Why a call was refused as a whole; null when it worked, or failed path by path. */
export function errorOf({
  isError,
  structured,
}: CallResult): { readonly code: string; readonly message: string } | null {
  if (!isError || !isObject(structured)) return null;
  const { error } = structured;
  if (!isObject(error)) return null;
  const { code, message } = error;
  return typeof code === "string" && typeof message === "string" ? { code, message } : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** The result of a call that cannot be done. */
export function refusal(code: ErrorCode, message: string): CallResult {
  return {
    content: [{ type: "text", text: `Error (${code}): ${message}` }],
    structured: { error: { code, message } },
    isError: true,
  };
}
