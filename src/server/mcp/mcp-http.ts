import {
  createMcpHandler,
  InMemoryServerEventBus,
  isLegacyRequest,
} from "@modelcontextprotocol/server";

import type { AppOptions } from "../api/app.ts";
import type { FileChanges } from "../api/contract.ts";
import { maxTokensOf } from "../api/tool-routes.ts";
import { appTransport } from "../client/transport.ts";
import { VaultClient } from "../client/vault-client.ts";
import { MAX_BODY_BYTES } from "../http/request.ts";
import { createMcpServer, type McpOptions, type McpProfile } from "./mcp-server.ts";
import { McpSessions } from "./mcp-sessions.ts";
import { resourceUri } from "./resource-notifications.ts";

/** More changed files than these at once are not reported one by one. */
const MAX_REPORTED = 1000;

export interface McpHttp {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

type SharedOptions = Pick<AppOptions, "version" | "now" | "onBug">;

/**
 * The MCP servers over HTTP, by the last part of their URLs (`/mcp/update`): one for each profile, and the memory when there is one.
 * @param app of this process, which answers their calls
 */
export function createMcpServers(
  app: Parameters<typeof appTransport>[0],
  options: SharedOptions & Pick<AppOptions, "memory">,
): ReadonlyMap<string, McpHttp> {
  const transport = appTransport(app);
  const connect = (hasSession: boolean): VaultClient => new VaultClient(transport, { hasSession });
  const profiles: McpProfile[] = ["update", "search"];
  if (options.memory !== undefined && options.memory !== null) profiles.push("memory");
  return new Map(profiles.map((profile) => [profile, createMcpHttp(profile, connect, options)]));
}

/**
 * An MCP server over HTTP, in whichever version of the protocol a client speaks. Since 2026 requests are independent, and clients are told
 * apart by the names they give; before, each has a session.
 * @param connect a client of the vault: with a session of its own, or told apart by the names that MCP clients give
 */
export function createMcpHttp(
  profile: McpProfile,
  connect: (hasSession: boolean) => VaultClient,
  { version, now, onBug }: SharedOptions,
): McpHttp {
  const bus = new InMemoryServerEventBus((error) => onBug(error, "MCP subscriptions"));
  const shared = connect(false);
  // Most vaults have no MCP client over HTTP: changes are followed from the first request on.
  let unsubscribe: (() => void) | null = null;
  const createServer = (
    vault: VaultClient,
    tells: McpOptions["tells"],
    request: Request | undefined,
  ): ReturnType<typeof createMcpServer> =>
    createMcpServer({ profile, version, now, onBug, vault, tells, ...boundOf(request) });
  const modern = createMcpHandler(
    ({ requestInfo }) => createServer(shared, "nothing", requestInfo),
    { legacy: "reject", bus, maxRequestBodySize: MAX_BODY_BYTES },
  );
  const sessions = new McpSessions({
    createServer: (request) => createServer(connect(true), "subscribed", request),
    maxBodyBytes: MAX_BODY_BYTES,
    // A stream carries progress notifications.
    isStreaming: profile === "memory",
  });
  return {
    fetch: async (request) => {
      // A wrong bound is refused before anything else, as in other requests.
      boundOf(request);
      unsubscribe ??= shared.onChanged((changes) => publish(bus, changes));
      const isLegacy = await isLegacyRequest(request, undefined, {
        maxRequestBodySize: MAX_BODY_BYTES,
      });
      return isLegacy ? sessions.fetch(request) : modern.fetch(request);
    },
    close: async () => {
      unsubscribe?.();
      await modern.close();
      await sessions.close();
    },
  };
}

function boundOf(request: Request | undefined): { mostTokens?: number } {
  const mostTokens = request === undefined ? undefined : maxTokensOf(request);
  return mostTokens === undefined ? {} : { mostTokens };
}

/** The library knows which open streams subscribed to what. */
function publish(bus: InMemoryServerEventBus, changes: FileChanges | null): void {
  if (changes === null || changes.created.length + changes.gone.length > 0) {
    bus.publish({ kind: "resources_list_changed" });
  }
  const paths = changes === null ? [] : [...changes.changed, ...changes.gone];
  if (paths.length > MAX_REPORTED) return;
  for (const path of paths) bus.publish({ kind: "resource_updated", uri: resourceUri(path) });
}
