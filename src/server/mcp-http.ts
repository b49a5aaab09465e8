import {
  createMcpHandler,
  InMemoryServerEventBus,
  isLegacyRequest,
  type McpServer,
} from "@modelcontextprotocol/server";

import type { Profile } from "../tools/define.ts";
import type { AppOptions } from "./app.ts";
import { showChanges } from "./file-changes.ts";
import { mostTokensOf } from "./most-tokens.ts";
import { McpSessions } from "./mcp-sessions.ts";
import { createMcpServer, type McpOptions } from "./mcp.ts";
import { LARGEST_BODY } from "./request-body.ts";
import { resourceUri } from "./resource-uri.ts";
import { ownAccess } from "./vault-access.ts";

/** More files than these at once are not told one by one. */
const MOST_TOLD = 1000;

export interface McpHttp {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/**
 * A profile's MCP server over HTTP, in whichever version of the protocol a client speaks. Since 2026 every request stands for itself, and clients are
 * told apart by the names they give; before, each has a session.
 */
export function createMcpHttp(
  profile: Profile,
  options: Pick<AppOptions, "service" | "version" | "now" | "onBug" | "log">,
): McpHttp {
  const { service, version, now, onBug } = options;
  const common = { profile, version, now, onBug };
  const create = (
    request: Request | undefined,
    rest: Pick<McpOptions, "access" | "tells">,
  ): McpServer => {
    const mostTokens = request === undefined ? undefined : mostTokensOf(request);
    return createMcpServer({
      ...common,
      ...rest,
      ...(mostTokens === undefined ? {} : { mostTokens }),
    });
  };
  const bus = new InMemoryServerEventBus((error) => onBug(error, "MCP subscriptions"));
  const unsubscribe = service.onDone((done) => {
    const { changed, created, gone } = showChanges(done);
    if (created.length + gone.length > 0) bus.publish({ kind: "resources_list_changed" });
    if (changed.length + gone.length > MOST_TOLD) return;
    for (const path of [...changed, ...gone]) {
      bus.publish({ kind: "resource_updated", uri: resourceUri(path) });
    }
  });
  const shared = ownAccess(options);
  const modern = createMcpHandler(
    ({ requestInfo }) => create(requestInfo, { access: shared, tells: "nothing" }),
    { legacy: "reject", bus, maxRequestBodySize: LARGEST_BODY },
  );
  const sessions = new McpSessions({
    createServer: (request) => create(request, { access: ownAccess(options), tells: "subscribed" }),
    largestBody: LARGEST_BODY,
  });
  return {
    fetch: async (request) => {
      // Told before anything else, in the words of every other mistake.
      mostTokensOf(request);
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
