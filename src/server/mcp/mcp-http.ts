import {
  createMcpHandler,
  InMemoryServerEventBus,
  isLegacyRequest,
  type McpServer,
} from "@modelcontextprotocol/server";

import type { FileChanges } from "../api/file-changes.ts";
import { maxTokensOf } from "../api/tool-routes.ts";
import type { VaultClient } from "../client/vault-client.ts";
import { MAX_BODY_BYTES } from "../http/request-body.ts";
import { McpSessions } from "./mcp-sessions.ts";
import type { McpOptions } from "./mcp-server.ts";
import { resourceUri } from "./resource-uri.ts";

/** More changed files than these at once are not reported one by one. */
const MAX_REPORTED = 1000;

export interface McpHttp {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** What a server gets from the request it is made for. */
type ServerParts = Pick<McpOptions, "vault" | "tells"> & { readonly mostTokens?: number };

export interface McpHttpOptions extends Pick<McpOptions, "onBug"> {
  /** A client of the vault: with a session of its own, or told apart by the names that MCP clients give. */
  readonly connect: (hasSession: boolean) => VaultClient;
  readonly createServer: (parts: ServerParts) => McpServer;
  /** Answers come as a stream, which carries progress notifications. */
  readonly isStreaming?: boolean;
}

/**
 * An MCP server over HTTP, in whichever version of the protocol a client speaks. Since 2026 every request stands for itself, and clients are
 * told apart by the names they give; before, each has a session.
 */
export function createMcpHttp(options: McpHttpOptions): McpHttp {
  const { connect, onBug, createServer, isStreaming = false } = options;
  const bus = new InMemoryServerEventBus((error) => onBug(error, "MCP subscriptions"));
  const shared = connect(false);
  const unsubscribe = shared.onChanged((changes) => publish(bus, changes));
  const modern = createMcpHandler(
    ({ requestInfo }) => createServer({ vault: shared, tells: "nothing", ...boundOf(requestInfo) }),
    { legacy: "reject", bus, maxRequestBodySize: MAX_BODY_BYTES },
  );
  const sessions = new McpSessions({
    createServer: (request) =>
      createServer({ vault: connect(true), tells: "subscribed", ...boundOf(request) }),
    largestBody: MAX_BODY_BYTES,
    isStreaming,
  });
  return {
    fetch: async (request) => {
      // A wrong bound is refused before anything else, as in other requests.
      boundOf(request);
      const isLegacy = await isLegacyRequest(request, undefined, {
        maxRequestBodySize: MAX_BODY_BYTES,
      });
      return isLegacy ? sessions.fetch(request) : modern.fetch(request);
    },
    close: async () => {
      unsubscribe();
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
