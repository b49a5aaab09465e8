import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type Server,
  type Tool as ListedTool,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";

import { refusal, type CallResult } from "../../tools/call.ts";
import type { Profile, Tool } from "../../tools/define.ts";
import { inputSchema, toolsOf } from "../../tools/registry.ts";
import { ExpectedError } from "../../errors.ts";
import { mcpClientName } from "./mcp-client-name.ts";
import type { McpOptions } from "./mcp-server.ts";

/** What `search` and `tree` show a model, unless the server was started to show more. */
export const USUAL_TOKENS = 8000;

/** Made once: a server is made for every connection, over HTTP for every request, and schemas take a hundred times longer than it. */
const LISTED: Readonly<Record<Profile, ListedTool[]>> = {
  update: toolsOf("update").map((tool) => listed(tool)),
  search: toolsOf("search").map((tool) => listed(tool)),
};

/** Tools that change nothing, so that a call may be sent again. */
const READING: Readonly<Record<Profile, ReadonlySet<string>>> = {
  update: namesOfReading("update"),
  search: namesOfReading("search"),
};

function namesOfReading(profile: Profile): ReadonlySet<string> {
  const reading = toolsOf(profile).filter(({ effect }) => effect === "read");
  return new Set(reading.map(({ name }) => name));
}

/**
 * Puts the tools of a profile on a server. The arguments are left to the executor to check, so that a mistake is answered in the same words
 * whatever carried it.
 */
export function serveTools(
  server: Server,
  { profile, vault, prepare, onBug, mostTokens = USUAL_TOKENS }: McpOptions,
): void {
  server.registerCapabilities({ tools: {} });

  server.setRequestHandler("tools/list", () => {
    // Who asks for the tools will use them; who only asks which version is spoken may not.
    prepare?.();
    return { tools: LISTED[profile] };
  });

  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { name, arguments: args } = params;
    const client = mcpClientName(context, server);
    try {
      const isRepeatable = READING[profile].has(name);
      const call = { name, args, profile, client, maxTokens: mostTokens, isRepeatable };
      return answer(await vault.callTool(call));
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      if (error instanceof ExpectedError && error.code === "unknown_tool") {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
      }
      if (error instanceof ExpectedError) return answer(refusal(error.code, error.message));
      onBug(error, name);
      throw new ProtocolError(ProtocolErrorCode.InternalError, `${name} failed; see the log.`);
    }
  });
}

function listed(tool: Tool): ListedTool {
  const { name, description } = tool;
  return {
    name,
    description,
    inputSchema: { ...inputSchema(tool), type: "object" },
    annotations: annotations(tool),
  };
}

/** All four, for clients take what is not said for the worst. A second call of a changing tool is refused, or changes more. */
function annotations(tool: Tool): ToolAnnotations {
  const isReading = tool.effect === "read";
  return {
    readOnlyHint: isReading,
    destructiveHint: !isReading && tool.destructive,
    idempotentHint: isReading,
    openWorldHint: false,
  };
}

/** Without `structured`: clients that are given both show only that one, and a model reads the content better. */
function answer(result: CallResult): CallToolResult {
  return {
    content: result.content.map((part) =>
      part.type === "text"
        ? { type: "text", text: part.text }
        : { type: "image", data: part.data, mimeType: part.mimeType },
    ),
    ...(result.isError ? { isError: true } : {}),
  };
}
