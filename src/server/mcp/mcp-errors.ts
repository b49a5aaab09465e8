import {
  INTERNAL_ERROR,
  ProtocolError,
  ProtocolErrorCode,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";
import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import type { McpOptions } from "./mcp-server.ts";

/** An error as one of the protocol; a bug is reported first. */
export function protocolError(
  error: unknown,
  asked: string,
  onBug: McpOptions["onBug"],
): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof ExpectedError) {
    return new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  }
  onBug(error, asked);
  return new ProtocolError(ProtocolErrorCode.InternalError, `${asked} failed; see the log.`);
}

const Issues = z.array(z.object({ path: z.array(z.unknown()), message: z.string() })).min(1);

/**
 * An answer as it is sent. The library reports parameters that do not fit a method as an internal error with the issues of its schema; that
 * is the caller's mistake, and gets the code that the protocol has for it.
 */
export function asAnswered(message: JSONRPCMessage): JSONRPCMessage {
  if (!("error" in message)) return message;
  const { error } = message;
  if (error.code !== INTERNAL_ERROR) return message;
  const issues = issuesIn(error.message);
  if (issues === null) return message;
  const said = issues.map(({ path, message: problem }) => `${path.join(".")}: ${problem}`);
  const text = `The request does not fit its method: ${said.join("; ")}.`;
  return { ...message, error: { code: ProtocolErrorCode.InvalidParams, message: text } };
}

function issuesIn(text: string): z.infer<typeof Issues> | null {
  if (!text.startsWith("[")) return null;
  try {
    return Issues.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
