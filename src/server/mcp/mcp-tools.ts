import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type Server,
  type ServerContext,
  type Tool as ListedTool,
} from "@modelcontextprotocol/server";
import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import { refusal, runTool, toolNamed, type CallResult } from "../../tools/call.ts";
import type { ToolFor } from "../../tools/define.ts";
import { inputSchema, toolsOf } from "../../tools/registry.ts";
import { CALLERS } from "../http/request.ts";
import type { McpOptions, McpProfile } from "./mcp-server.ts";
import { memoryTools, progressTo } from "./memory-tools.ts";

/** What `search` and `tree` show a model by default. */
const DEFAULT_TOKENS = 8000;

type Described = Omit<ToolFor<unknown>, "invoke">;

const TOOLS: Readonly<Record<McpProfile, readonly Described[]>> = {
  update: toolsOf("update"),
  search: toolsOf("search"),
  memory: memoryTools,
};

/** Made once: a server is made for every connection, over HTTP for every request, and schemas take a hundred times longer than it. */
const LISTED: Readonly<Record<McpProfile, ListedTool[]>> = {
  update: TOOLS.update.map(listed),
  search: TOOLS.search.map(listed),
  memory: TOOLS.memory.map(listed),
};

/**
 * Puts the tools of a profile on a server. The tool itself checks its arguments, so that a mistake gets the same message over every
 * transport.
 */
export function serveTools(server: Server, options: McpOptions): void {
  const { profile, prepare, onBug } = options;
  server.registerCapabilities({ tools: {} });

  server.setRequestHandler("tools/list", () => {
    // A client that lists the tools will call them; one that only negotiates a version may not.
    prepare?.();
    return { tools: LISTED[profile] };
  });

  server.setRequestHandler("tools/call", async ({ params: { name, arguments: args } }, context) => {
    try {
      const { effect } = toolNamed(TOOLS[profile], name);
      const call = { name, args, client: clientName(context, server) };
      return answer(await callFor(call, effect === "read", context, options));
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

/** The tools on files run where the vault is open; those of the memory run here, and call the service. */
async function callFor(
  { name, args, client }: { name: string; args: unknown; client: string },
  isRepeatable: boolean,
  context: ServerContext,
  { profile, vault, onBug, mostTokens = DEFAULT_TOKENS }: McpOptions,
): Promise<CallResult> {
  if (profile !== "memory") {
    return vault.callTool({ name, args, profile, client, maxTokens: mostTokens, isRepeatable });
  }
  const own = { memory: vault, client, onEvent: progressTo(context) };
  return runTool(memoryTools, name, args, own, { onBug });
}

/** All four hints, because clients assume the worst for those left out. A second call of a changing tool is refused, or changes more. */
function listed(tool: Described): ListedTool {
  const { name, description, destructive } = tool;
  const isReading = tool.effect === "read";
  return {
    name,
    description,
    inputSchema: { ...inputSchema(tool), type: "object" },
    annotations: {
      readOnlyHint: isReading,
      destructiveHint: !isReading && destructive,
      idempotentHint: isReading,
      openWorldHint: false,
    },
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

const Envelope = z.object({ [CLIENT_INFO_META_KEY]: z.object({ name: z.string() }) });
const MAX_NAME_LENGTH = 100;

/** Sent with every request since the protocol of 2026, and once for the connection before. */
function clientName({ mcpReq }: ServerContext, server: Server): string {
  const given =
    Envelope.safeParse(mcpReq.envelope).data?.[CLIENT_INFO_META_KEY].name ??
    server.getClientVersion()?.name;
  const name = (given ?? "").toWellFormed().replaceAll(/\s+/gu, " ").trim();
  return name === "" ? CALLERS.mcp : name.slice(0, MAX_NAME_LENGTH).toWellFormed();
}
