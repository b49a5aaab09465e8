import { Client, type CallToolResult, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";

import { mainFile, type TemporaryPlace } from "./cli.ts";

export interface McpClientOptions extends ClientOptions {
  /** As it presents itself. */
  readonly name?: string;
  readonly profile?: string;
  /** Globs of what it may change. */
  readonly writes?: readonly string[];
  /** What it changes waits for a yes. */
  readonly preview?: boolean;
}

/** The official client, with a `coffre mcp` of its own in another process. */
export interface McpClient {
  readonly client: Client;
  readonly pid: number;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<CallToolResult>;
  /** The text of a call's answer. Fails when it is refused. */
  readonly text: (name: string, args?: Record<string, unknown>) => Promise<string>;
}

export async function connectMcp(
  { root, state }: Pick<TemporaryPlace, "root" | "state">,
  { name = "tester", profile, writes = [], preview = false, ...options }: McpClientOptions = {},
): Promise<McpClient> {
  const more = profile === undefined ? [] : ["--profile", profile];
  const bounds = writes.flatMap((glob) => ["--write", glob]);
  if (preview) bounds.push("--preview");
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [mainFile, "mcp", "--vault", root, "--state", state, ...more, ...bounds],
  });
  const client = new Client({ name, version: "1.0.0" }, options);
  onTestFinished(async () => client.close());
  await client.connect(transport);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a client has no other way to be listened to
  client.onclose = () => resolve();
  const call: McpClient["call"] = async (tool, args) =>
    client.callTool({ name: tool, ...(args === undefined ? {} : { arguments: args }) });
  return {
    client,
    pid: transport.pid ?? 0,
    ended,
    call,
    text: async (tool, args) => {
      const result = await call(tool, args);
      if (result.isError === true) throw new Error(`${tool} was refused: ${textOfResult(result)}`);
      return textOfResult(result);
    },
  };
}

/** The text of an answer; images as `<image TYPE>`. */
export function textOfResult({ content }: CallToolResult): string {
  return content.map((part) => (part.type === "text" ? part.text : `<${part.type}>`)).join("\n");
}
