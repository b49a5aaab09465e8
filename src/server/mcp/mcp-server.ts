import { McpServer } from "@modelcontextprotocol/server";

import type { Profile } from "../../tools/define.ts";
import type { VaultClient } from "../client/vault-client.ts";
import { serveCompletions } from "./mcp-completions.ts";
import { processSeal, type QuestionSeal } from "./elicitation.ts";
import { serverIcons } from "./icons.ts";
import { INSTRUCTIONS } from "./mcp-instructions.ts";
import { promptCompleter, servePrompts } from "./mcp-prompts.ts";
import { resourceCompleter, serveResources } from "./mcp-resources.ts";
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
  /** Globs of what the client may change; everything when left out. */
  readonly writes?: readonly string[];
  /** What the client hands over is only tried, and waits for the person's yes. */
  readonly isPreview?: boolean;
  /** Whose questions to the person it takes the answers of; those of this process when left out. */
  readonly seal?: QuestionSeal;
  /**
   * Which changed files it reports: those the client subscribed to, or all of them when the transport knows which ones the client wants, or
   * none.
   */
  readonly tells: "subscribed" | "everything" | "nothing";
}

/**
 * The vault for one MCP client: the tools of a profile and its prompt, and for those on files, the files as resources.
 */
export function createMcpServer(options: McpOptions): McpServer {
  const { profile, version, seal = processSeal } = options;
  const mcp = new McpServer(
    { name: `coffre-${profile}`, title: "coffre", version, icons: serverIcons },
    {
      instructions: INSTRUCTIONS[profile],
      ...(profile === "memory"
        ? { requestState: { verify: async (state, ctx) => seal.verify(state, ctx) } }
        : {}),
    },
  );
  const begin = profile === "memory" ? null : serveResources(mcp.server, options);
  const prepare = (): void => {
    options.prepare?.();
    begin?.();
  };
  serveTools(mcp.server, { ...options, prepare });
  servePrompts(mcp.server, options);
  const forPrompt = promptCompleter(options);
  const forResource = profile === "memory" ? null : resourceCompleter(options);
  serveCompletions(
    mcp.server,
    async (ref, argument) =>
      (await forPrompt(ref, argument)) ?? (await forResource?.(ref, argument)) ?? null,
    options.onBug,
  );
  return mcp;
}
