import type { AppOptions } from "../api/app.ts";
import { createMcpHttp, type McpHttp } from "./mcp-http.ts";
import { createMemoryServer } from "./mcp-memory.ts";
import { createMcpServer } from "./mcp-server.ts";
import { ownMemory } from "../owner/memory-access.ts";

/** The MCP servers over HTTP, by the last part of their addresses: `/mcp/update`. */
export type McpServers = ReadonlyMap<string, McpHttp>;

/** One for each profile, and the memory when there is one. */
export function createMcpServers(
  options: Pick<AppOptions, "service" | "version" | "now" | "onBug" | "log" | "memory">,
): McpServers {
  const { version, now, onBug, memory } = options;
  const servers = new Map<string, McpHttp>();
  for (const profile of ["update", "search"] as const) {
    const createServer: Parameters<typeof createMcpHttp>[0]["createServer"] = (parts) =>
      createMcpServer({ profile, version, now, onBug, ...parts });
    servers.set(profile, createMcpHttp({ ...options, createServer }));
  }
  if (memory !== undefined && memory !== null) {
    const access = ownMemory(memory);
    const createServer = (): ReturnType<typeof createMemoryServer> =>
      createMemoryServer({ version, memory: access, onBug, prepare: () => {} });
    servers.set("memory", createMcpHttp({ ...options, createServer, isStreaming: true }));
  }
  return servers;
}
