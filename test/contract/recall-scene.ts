import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, vi } from "vitest";
import { z } from "zod";

import { coffre, mainFile } from "../../src/cli/testing/cli.ts";
import {
  startScriptedModel,
  type ScriptedModel,
  type ScriptedRequest,
  type ScriptedTurn,
} from "../../src/testing/models/scripted-model.ts";
import type { Place } from "../mcp/any-client.ts";
import { reached } from "../mcp/reached.ts";
import { contractVault } from "./vault.ts";

/** A way to ask the search agent. */
export interface RecallDoor {
  readonly name: string;
  readonly recall: (question: string) => Promise<string>;
}

/** A running service whose agents have a model that follows a script. */
export interface RecallScene {
  readonly place: Place;
  readonly doors: readonly RecallDoor[];
  readonly model: ScriptedModel;
  /** Runs a command line on the vault. */
  readonly run: (...argv: string[]) => Promise<string>;
}

/** What the model does turn by turn, for each question or note that has the key in it. */
export type Scripts = Readonly<Record<string, readonly ScriptedTurn[]>>;

export async function recallScene(scripts: Scripts): Promise<RecallScene> {
  const model = await startScriptedModel("openai", (request) => turnFor(scripts, request));
  vi.stubEnv("COFFRE_MODEL", "openai-compatible/scripted");
  vi.stubEnv("COFFRE_BASE_URL", model.baseUrl);
  const place = await contractVault();
  vi.unstubAllEnvs();
  afterAll(() => model.close());
  const run = async (...argv: string[]): Promise<string> => {
    const at = ["--vault", place.root, "--state", place.state];
    const { code, stdout, stderr } = await coffre([...at, ...argv]);
    if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
    return stdout.replace(/\n$/u, "");
  };
  const doors: RecallDoor[] = [
    await mcpDoor(place, "stdio"),
    await mcpDoor(place, "HTTP"),
    { name: "HTTP", recall: async (question) => overHttp(place, question) },
    { name: "CLI", recall: async (question) => run("recall", question) },
  ];
  return { place, doors, model, run };
}

const Asked = z.object({ messages: z.array(z.object({ role: z.string() })) });

/** A conversation is as far as the model has spoken in it. */
function turnFor(scripts: Scripts, { body }: ScriptedRequest): ScriptedTurn {
  const { messages } = Asked.parse(JSON.parse(body));
  const spoken = messages.filter(({ role }) => role === "assistant").length;
  const [, turns = []] = Object.entries(scripts).find(([key]) => body.includes(key)) ?? [];
  return turns[spoken] ?? { text: "Done." };
}

async function mcpDoor(place: Place, over: "stdio" | "HTTP"): Promise<RecallDoor> {
  const { root, state } = place;
  const { url, headers } = reached(place);
  const argv = ["mcp", "--vault", root, "--state", state, "--profile", "memory"];
  const transport =
    over === "stdio"
      ? new StdioClientTransport({ command: process.execPath, args: [mainFile, ...argv] })
      : new StreamableHTTPClientTransport(url("/mcp/memory"), { requestInit: { headers } });
  const client = new Client({ name: "contract", version: "1.0.0" });
  afterAll(async () => client.close());
  await client.connect(transport);
  return {
    name: `MCP (${over})`,
    recall: async (question) => {
      const asked = { name: "recall", arguments: { question } };
      const { content, isError } = await client.callTool(asked);
      const [part, ...others] = content;
      if (isError === true || part?.type !== "text" || others.length > 0) {
        throw new Error("one text was expected");
      }
      return part.text;
    },
  };
}

const Answered = z.object({ answer: z.string() });

async function overHttp(place: Place, question: string): Promise<string> {
  const { url, headers } = reached(place);
  const response = await fetch(url("/api/search"), {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ question }),
  });
  return Answered.parse(await response.json()).answer;
}
