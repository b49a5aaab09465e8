import {
  createMcpHandler,
  InMemoryServerEventBus,
  isLegacyRequest,
  type McpServer,
} from "@modelcontextprotocol/server";

import type { AppOptions } from "../api/app.ts";
import { showChanges, type FileChanges } from "../api/file-changes.ts";
import { mostTokensOf } from "../api/most-tokens.ts";
import { McpSessions } from "./mcp-sessions.ts";
import type { McpOptions } from "./mcp-server.ts";
import { LARGEST_BODY } from "../http/request-body.ts";
import { resourceUri } from "./resource-uri.ts";
import { ownAccess } from "../owner/vault-access.ts";

/** More files than these at once are not told one by one. */
const MOST_TOLD = 1000;

export interface McpHttp {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** What a server is told by the request it is made for. */
type ServerParts = Pick<McpOptions, "access" | "tells"> & { readonly mostTokens?: number };

export interface McpHttpOptions extends Pick<AppOptions, "service" | "now" | "onBug" | "log"> {
  readonly createServer: (parts: ServerParts) => McpServer;
  /** Answers come as a stream, on which a client hears how far they are. */
  readonly isStreaming?: boolean;
}

/**
 * An MCP server over HTTP, in whichever version of the protocol a client speaks. Since 2026 every request stands for itself, and clients are
 * told apart by the names they give; before, each has a session.
 */
export function createMcpHttp(options: McpHttpOptions): McpHttp {
  const { service, onBug, createServer, isStreaming = false } = options;
  const bus = new InMemoryServerEventBus((error) => onBug(error, "MCP subscriptions"));
  const unsubscribe = service.onDone((done) => publish(bus, showChanges(done)));
  const shared = ownAccess(options);
  const modern = createMcpHandler(
    ({ requestInfo }) =>
      createServer({ access: shared, tells: "nothing", ...boundOf(requestInfo) }),
    { legacy: "reject", bus, maxRequestBodySize: LARGEST_BODY },
  );
  const sessions = new McpSessions({
    createServer: (request) =>
      createServer({ access: ownAccess(options), tells: "subscribed", ...boundOf(request) }),
    largestBody: LARGEST_BODY,
    isStreaming,
  });
  return {
    fetch: async (request) => {
      // Told before anything else, in the words of every other mistake.
      boundOf(request);
      const isLegacy = await isLegacyRequest(request, undefined, {
        maxRequestBodySize: LARGEST_BODY,
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
  const mostTokens = request === undefined ? undefined : mostTokensOf(request);
  return mostTokens === undefined ? {} : { mostTokens };
}

/** Which open streams want to hear of it is known to the library. */
function publish(bus: InMemoryServerEventBus, { changed, created, gone }: FileChanges): void {
  if (created.length + gone.length > 0) bus.publish({ kind: "resources_list_changed" });
  if (changed.length + gone.length > MOST_TOLD) return;
  for (const path of [...changed, ...gone]) {
    bus.publish({ kind: "resource_updated", uri: resourceUri(path) });
  }
}
