import { McpServer } from "@modelcontextprotocol/server";

import type { Profile } from "../../tools/define.ts";
import { INSTRUCTIONS } from "./mcp-instructions.ts";
import { servePrompts } from "./mcp-prompts.ts";
import { serveResources } from "./mcp-resources.ts";
import { serveTools } from "./mcp-tools.ts";
import type { VaultClient } from "../client/vault-client.ts";

export interface McpOptions {
  readonly profile: Profile;
  readonly version: string;
  readonly vault: VaultClient;
  /** Called when calls will come soon. */
  readonly prepare?: () => void;
  readonly now: () => Date;
  /** Hears of errors nobody expected, and of what was asked. */
  readonly onBug: (error: unknown, asked: string) => void;
  /** What `search` and `tree` may show: 8,000 unless told. */
  readonly mostTokens?: number;
  /**
   * Which files it tells of when they change: those the client subscribed to, or all of them when what carries the messages knows which ones
   * the client wants, or none.
   */
  readonly tells: "subscribed" | "everything" | "nothing";
}

/** The vault for one MCP client: the tools of a profile, the files as resources, and the prompt to play the profile's agent. */
export function createMcpServer(options: McpOptions): McpServer {
  const { profile, version } = options;
  const mcp = new McpServer(
    { name: `coffre-${profile}`, title: "coffre", version },
    { instructions: INSTRUCTIONS[profile] },
  );
  serveTools(mcp.server, options);
  serveResources(mcp.server, options);
  servePrompts(mcp.server, options);
  return mcp;
}
