import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type ServerContext,
  type Tool as ListedTool,
} from "@modelcontextprotocol/server";
import { z } from "zod";

import type { RunEvent } from "../../agents/contract.ts";
import { inputSchema } from "../../tools/registry.ts";
import { ExpectedError } from "../../errors.ts";
import { mcpClientName } from "./mcp-client-name.ts";
import type { McpOptions } from "./mcp-server.ts";
import type { VaultClient } from "../client/vault-client.ts";
import { memoryTools, type MemoryTool } from "./memory-tools.ts";

export interface MemoryServerOptions extends Pick<McpOptions, "version" | "onBug"> {
  readonly vault: VaultClient;
  /** Called when calls will come soon. */
  readonly prepare?: () => void;
}

const INSTRUCTIONS = `This server is a person's memory: a vault of notes on what they do, decide and plan, kept by agents of its own. You hand over and ask; you see no files.

- recall before you answer a question about the person, their projects or what was decided, and before you assume something. Ask whole questions. Quote its sources by path.
- remember what is worth keeping beyond this conversation, when it comes up: decisions with their reasons, facts, tasks, dates, names. One call for one subject, as fully as you know it, in the person's language. Do not hand over secrets such as passwords.
- inbox shows what could not be filed. When the person answers one of its questions, call remember with the answer and its inbox_ref.`;

/** Made once, like the others. */
const LISTED: readonly ListedTool[] = memoryTools.map((tool) => listed(tool));

/** The vault as a memory, for clients that should not spend their context on files. */
export function createMemoryServer({
  version,
  vault,
  onBug,
  prepare,
}: MemoryServerOptions): McpServer {
  const mcp = new McpServer(
    { name: "coffre-memory", title: "coffre", version },
    { instructions: INSTRUCTIONS },
  );
  const { server } = mcp;
  server.registerCapabilities({ tools: {} });

  server.setRequestHandler("tools/list", () => {
    prepare?.();
    return { tools: [...LISTED] };
  });

  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { name, arguments: args = {} } = params;
    const tool = memoryTools.find((each) => each.name === name);
    if (tool === undefined) {
      const names = memoryTools.map((each) => each.name).join(", ");
      const message = `There is no tool ${JSON.stringify(name)} here. There are: ${names}.`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    }
    const client = mcpClientName(context, server);
    try {
      return said(await tool.invoke(args, { memory: vault, client, onEvent: progressTo(context) }));
    } catch (error) {
      if (error instanceof z.ZodError) return refused("invalid_argument", mistake(tool, error));
      if (error instanceof ExpectedError) return refused(error.code, error.message);
      onBug(error, name);
      throw new ProtocolError(ProtocolErrorCode.InternalError, `${name} failed; see the log.`);
    }
  });
  return mcp;
}

function listed(tool: MemoryTool): ListedTool {
  const { name, description, isReading } = tool;
  return {
    name,
    description,
    inputSchema: { ...inputSchema(tool), type: "object" },
    annotations: {
      readOnlyHint: isReading,
      destructiveHint: false,
      idempotentHint: isReading,
      openWorldHint: false,
    },
  };
}

function said(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

function refused(code: string, message: string): CallToolResult {
  return { ...said(`Error (${code}): ${message}`), isError: true };
}

function mistake(tool: MemoryTool, error: z.ZodError): string {
  const takes = Object.keys(tool.input.shape).join(", ");
  return `${tool.name}: ${z.prettifyError(error)} It takes: ${takes}.`;
}

/** Tells a client that asked for it how far an agent is, so that it goes on waiting. */
function progressTo({ mcpReq }: ServerContext): (event: RunEvent) => void {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  let progress = 0;
  return (event) => {
    if (progressToken === undefined || event.type !== "call") return;
    progress += 1;
    const params = { progressToken, progress, message: event.tool };
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
