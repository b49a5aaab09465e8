import { appTransport } from "../client/transport.ts";
import { VaultClient } from "../client/vault-client.ts";
import type { AppOptions } from "../api/app.ts";
import { createMcpHttp, type McpHttp } from "./mcp-http.ts";
import { createMemoryServer } from "./mcp-memory.ts";
import { createMcpServer } from "./mcp-server.ts";

/** The MCP servers over HTTP, by the last part of their URLs: `/mcp/update`. */
export type McpServers = ReadonlyMap<string, McpHttp>;

/**
 * One for each profile, and the memory when there is one.
 * @param app of this process, which answers their calls
 */
export function createMcpServers(
  app: Parameters<typeof appTransport>[0],
  options: Pick<AppOptions, "version" | "now" | "onBug" | "memory">,
): McpServers {
  const { version, now, onBug, memory } = options;
  const transport = appTransport(app);
  const connect = (hasSession: boolean): VaultClient => new VaultClient(transport, { hasSession });
  const servers = new Map<string, McpHttp>();
  for (const profile of ["update", "search"] as const) {
    servers.set(
      profile,
      createMcpHttp({
        connect,
        onBug,
        createServer: (parts) => createMcpServer({ profile, version, now, onBug, ...parts }),
      }),
    );
  }
  if (memory !== undefined && memory !== null) {
    const createServer = ({ vault }: { readonly vault: VaultClient }) =>
      createMemoryServer({ version, vault, onBug });
    servers.set("memory", createMcpHttp({ connect, onBug, createServer, isStreaming: true }));
  }
  return servers;
}
