import { McpServer } from "@modelcontextprotocol/server";

import type { Profile } from "../../tools/define.ts";
import type { VaultClient } from "../client/vault-client.ts";
import { INSTRUCTIONS } from "./mcp-instructions.ts";
import { servePrompts } from "./mcp-prompts.ts";
import { serveResources } from "./mcp-resources.ts";
import { serveTools } from "./mcp-tools.ts";

/** What an AI client is given: the tools of a profile on files, or the vault as a memory. */
export type McpProfile = Profile | "memory";

export interface McpOptions {
  readonly profile: McpProfile;
  readonly version: string;
  readonly vault: VaultClient;
  /** Called when calls will come soon. */
  readonly prepare?: () => void;
  readonly now: () => Date;
  /** Called with unexpected errors, and what was asked. */
  readonly onBug: (error: unknown, asked: string) => void;
  /** What `search` and `tree` may show; 8,000 by default. */
  readonly mostTokens?: number;
  /**
   * Which changed files it reports: those the client subscribed to, or all of them when the transport knows which ones the client wants, or
   * none.
   */
  readonly tells: "subscribed" | "everything" | "nothing";
}

/**
 * The vault for one MCP client: the tools of a profile, and for those on files, the files as resources and the prompt to play the profile's
 * agent.
 */
export function createMcpServer(options: McpOptions): McpServer {
  const { profile, version } = options;
  const mcp = new McpServer(
    { name: `coffre-${profile}`, title: "coffre", version },
    { instructions: INSTRUCTIONS[profile] },
  );
  serveTools(mcp.server, options);
  if (profile !== "memory") {
    serveResources(mcp.server, options);
    servePrompts(mcp.server, profile, options);
  }
  return mcp;
}
