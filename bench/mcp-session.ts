import { Client, type CallToolResult, type Tool } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** How an MCP server is started: a program for Node with its arguments, and what it finds in its environment. */
export interface McpProgram {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export interface ToolRequest {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** The official client, with a server of its own in another process. */
export interface McpSession {
  /** The newest version of the protocol that both speak. */
  readonly version: string;
  /** Of the server's process; null when it has ended. */
  readonly pid: number | null;
  /** What a tool answers, as text, and how long that took in milliseconds. Fails when it is refused. */
  call(request: ToolRequest): Promise<{ readonly text: string; readonly took: number }>;
  tools(): Promise<readonly Tool[]>;
  /** Ends the server's process too. */
  close(): Promise<void>;
}

/** Fails with what the server said when it does not start. */
export async function startMcp({ args, environment = {} }: McpProgram): Promise<McpSession> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    env: { ...environment },
    stderr: "pipe",
  });
  let said = "";
  // Read to its end, or a talkative server would wait for it.
  transport.stderr?.on("data", (part) => (said = (said + String(part)).slice(-1000)));
  const client = new Client(
    { name: "bench", version: "1.0.0" },
    { versionNegotiation: { mode: "auto" } },
  );
  try {
    await client.connect(transport);
  } catch (error) {
    await client.close();
    throw new Error(`${String(error)}\n${said}`, { cause: error });
  }
  return {
    version: client.getNegotiatedProtocolVersion() ?? "of an unknown version",
    pid: transport.pid,
    call: async (request) => {
      const started = performance.now();
      const result = await client.callTool(request);
      const took = performance.now() - started;
      const text = textOfResult(result);
      if (result.isError === true) throw new Error(`${request.name} was refused: ${text}`);
      return { text, took };
    },
    tools: async () => (await client.listTools()).tools,
    close: async () => client.close(),
  };
}

function textOfResult({ content }: CallToolResult): string {
  return content
    .map((part) => {
      if (part.type === "text") return part.text;
      return part.type === "resource" && "text" in part.resource ? part.resource.text : "";
    })
    .join("\n");
}
