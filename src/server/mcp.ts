import {
  CLIENT_INFO_META_KEY,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type ServerContext,
  type Tool as ListedTool,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";
import { z } from "zod";

import { refusal, type CallResult } from "../tools/call.ts";
import type { Profile, Tool } from "../tools/define.ts";
import { inputSchema, toolsOf } from "../tools/registry.ts";
import { ExpectedError } from "../vault/errors.ts";
import { INSTRUCTIONS } from "./mcp-instructions.ts";
import type { ToolExecutor } from "./tool-executor.ts";
import { unknownTool } from "./unknown-tool.ts";

export interface McpOptions {
  readonly profile: Profile;
  readonly version: string;
  readonly executor: ToolExecutor;
  /** Hears of errors nobody expected, and of what was asked. */
  readonly onBug: (error: unknown, asked: string) => void;
}

/** Made once: a server is made for every connection, over HTTP for every request, and schemas take a hundred times longer than it. */
const LISTED: Readonly<Record<Profile, ListedTool[]>> = {
  update: toolsOf("update").map((tool) => listed(tool)),
  search: toolsOf("search").map((tool) => listed(tool)),
};

/**
 * The tools of a profile for one MCP client. The arguments are left to the executor to check, so that a mistake is answered in the same words
 * whatever carried it.
 */
export function createMcpServer({ profile, version, executor, onBug }: McpOptions): McpServer {
  const mcp = new McpServer(
    { name: `coffre-${profile}`, title: "coffre", version },
    { instructions: INSTRUCTIONS[profile] },
  );
  const { server } = mcp;
  server.registerCapabilities({ tools: {} });

  server.setRequestHandler("tools/list", () => {
    // Who asks for the tools will use them; who only asks which version is spoken may not.
    executor.prepare();
    return { tools: LISTED[profile] };
  });

  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { name, arguments: args } = params;
    const client = clientName(context, server.getClientVersion()?.name);
    try {
      return answer(await executor.call({ name, args, profile, client }));
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      if (error instanceof ExpectedError) return answer(refusal(error.code, error.message));
      onBug(error, name);
      throw new ProtocolError(ProtocolErrorCode.InternalError, `${name} failed; see the log.`);
    }
  });
  return mcp;
}

function listed(tool: Tool): ListedTool {
  const { name, title, description } = tool;
  return {
    name,
    title,
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
  const unknown = unknownTool(result);
  if (unknown !== null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknown);
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

/** Of clients that do not say who they are. */
const NAMELESS = "mcp";
const LONGEST_NAME = 100;

/** Said with every request since the protocol of 2026, and once for the connection before. */
function clientName({ mcpReq }: ServerContext, greeted: string | undefined): string {
  const told = Envelope.safeParse(mcpReq.envelope).data?.[CLIENT_INFO_META_KEY].name ?? greeted;
  const name = (told ?? "").toWellFormed().replaceAll(/\s+/gu, " ").trim();
  return name === "" ? NAMELESS : name.slice(0, LONGEST_NAME).toWellFormed();
}
