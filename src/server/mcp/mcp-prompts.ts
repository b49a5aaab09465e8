import {
  ProtocolError,
  ProtocolErrorCode,
  type Prompt,
  type Server,
} from "@modelcontextprotocol/server";

import { instructionsFor } from "../../agents/prompts.ts";
import type { Profile } from "../../tools/define.ts";
import { toolsOf } from "../../tools/registry.ts";
import { ExpectedError } from "../../errors.ts";
import { localTime, showMinute } from "../../text/local-time.ts";
import { MAX_RESOURCE_BYTES } from "./mcp-resources.ts";
import type { McpOptions } from "./mcp-server.ts";

const PROMPTS: Readonly<Record<Profile, Prompt>> = {
  update: {
    name: "update",
    title: "File something in the vault",
    description:
      "Play the agent that files new material: its instructions, and the vault as it is.",
    arguments: [{ name: "content", description: "What to file", required: false }],
  },
  search: {
    name: "search",
    title: "Answer from the vault",
    description:
      "Play the agent that answers with sources: its instructions, and the vault as it is.",
    arguments: [{ name: "question", description: "What to answer", required: false }],
  },
};

/** What an agent always has before it, when it exists. */
const CONTEXT = ["vault/overview.md", "vault/profile.md", "vault/tree.md"];

/** Puts the prompt of a profile's agent on a server. */
export function servePrompts(
  server: Server,
  profile: Profile,
  { vault, now }: Pick<McpOptions, "vault" | "now">,
): void {
  const prompt = PROMPTS[profile];
  server.registerCapabilities({ prompts: {} });

  server.setRequestHandler("prompts/list", () => ({ prompts: [prompt] }));

  server.setRequestHandler("prompts/get", async ({ params: { name, arguments: given = {} } }) => {
    if (name !== prompt.name) {
      const message = `There is no prompt ${JSON.stringify(name)} here. There is: ${prompt.name}.`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    }
    const context: string[] = [];
    for (const path of CONTEXT) {
      const text = await textOf(path, vault);
      if (text !== null) context.push(`## ${path}\n\n${text.trim()}`);
    }
    const asked = (profile === "update" ? given["content"] : given["question"]) ?? "";
    const parts = [
      instructionsFor(profile, toolsOf(profile)),
      `# The vault now (${showMinute(localTime(now()))})`,
      ...context,
      ...(asked === ""
        ? []
        : [`# ${profile === "update" ? "File this" : "Answer this"}\n\n${asked}`]),
    ];
    return {
      description: prompt.title ?? name,
      messages: [{ role: "user", content: { type: "text", text: parts.join("\n\n") } }],
    };
  });
}

async function textOf(path: string, vault: McpOptions["vault"]): Promise<string | null> {
  try {
    const { isText, bytes } = await vault.readFile(path, MAX_RESOURCE_BYTES);
    return isText ? bytes.toString("utf8") : null;
  } catch (error) {
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}
