import {
  createMcpHandler,
  InMemoryServerEventBus,
  isLegacyRequest,
  type McpServer,
} from "@modelcontextprotocol/server";

import { ExpectedError } from "../../errors.ts";
import type { AppOptions } from "../api/app.ts";
import type { FileChanges } from "../api/contract.ts";
import { isPreviewIn, maxTokensOf, writesOf } from "../api/tool-routes.ts";
import { appTransport } from "../client/transport.ts";
import { VaultClient } from "../client/vault-client.ts";
import { MAX_BODY_BYTES } from "../http/request.ts";
import { createMcpServer, type McpOptions, type McpProfile } from "./mcp-server.ts";
import { McpSessions, type McpSessionStore } from "./mcp-sessions.ts";
import { resourceUri } from "./resource-notifications.ts";

/** More changed files than these at once are not reported one by one. */
const MAX_REPORTED = 1000;

export interface McpHttp {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

type SharedOptions = Pick<AppOptions, "version" | "now" | "onBug"> & Pick<McpOptions, "seal">;

/** Where the sessions of a profile are kept for other replicas. */
export type StoreOf = (profile: McpProfile) => McpSessionStore;

/**
 * The MCP servers over HTTP, by the last part of their URLs (`/mcp/update`): one for each profile, and the memory when there is one.
 * @param app of this process, which answers their calls
 */
export function createMcpServers(
  app: Parameters<typeof appTransport>[0],
  options: SharedOptions & Pick<AppOptions, "memory"> & { readonly storeOf?: StoreOf },
): ReadonlyMap<string, McpHttp> {
  const transport = appTransport(app);
  const connect = (connection: string | null): VaultClient =>
    new VaultClient(transport, { hasSession: connection !== null, reader: "model", connection });
  const profiles: McpProfile[] = ["update", "search"];
  if (options.memory !== undefined && options.memory !== null) profiles.push("memory");
  return new Map(
    profiles.map((profile) => {
      const store = options.storeOf?.(profile);
      return [profile, createMcpHttp(profile, connect, { ...options, store })];
    }),
  );
}

/**
 * The vault over HTTP for the clients of a profile.
 * @param connect a client of the vault: with the session of this connection, or told apart by the names that MCP clients give
 */
export function createMcpHttp(
  profile: McpProfile,
  connect: (connection: string | null) => VaultClient,
  { version, now, onBug, seal, store }: SharedOptions & Pick<McpHttpParts, "store">,
): McpHttp {
  const shared = connect(null);
  return serveMcpHttp({
    createServer: (era, request, connection) => {
      const vault = era === "modern" ? shared : connect(connection);
      const tells = era === "modern" ? "nothing" : "subscribed";
      const bound = boundOf(profile, request);
      const common = { profile, version, now, onBug, vault, tells, ...bound } as const;
      return createMcpServer({ ...common, ...(seal === undefined ? {} : { seal }) });
    },
    check: (request) => boundOf(profile, request),
    follow: (listener) => shared.onChanged(listener),
    // A stream carries progress notifications, and questions to the person.
    isStreaming: profile === "memory",
    now,
    onBug,
    store,
  });
}

/** What an MCP server over HTTP is made of. */
export interface McpHttpParts extends Pick<AppOptions, "now" | "onBug"> {
  /** Since 2026, for every request; before, for the session that a request begins. */
  readonly createServer: (
    era: "modern" | "legacy",
    request: Request | undefined,
    session: string,
  ) => McpServer;
  /** Where sessions are kept for other replicas. */
  readonly store?: McpSessionStore | undefined;
  /** Throws for a request that is refused before anything else. */
  readonly check?: (request: Request) => void;
  /** Calls the listener after files changed, until the function it returns is called. */
  readonly follow: VaultClient["onChanged"];
  readonly isStreaming: boolean;
}

/**
 * An MCP server over HTTP, in whichever version of the protocol a client speaks. Since 2026 requests are independent, and clients are told
 * apart by the names they give; before, each has a session.
 */
export function serveMcpHttp(parts: McpHttpParts): McpHttp {
  const { createServer, check, follow, isStreaming, now, onBug, store } = parts;
  const bus = new InMemoryServerEventBus((error) => onBug(error, "MCP subscriptions"));
  // Most vaults have no MCP client over HTTP: changes are followed from the first request on.
  let unsubscribe: (() => void) | null = null;
  const modern = createMcpHandler(({ requestInfo }) => createServer("modern", requestInfo, ""), {
    legacy: "reject",
    bus,
    maxRequestBodySize: MAX_BODY_BYTES,
  });
  const sessions = new McpSessions({
    createServer: (request, id) => createServer("legacy", request, id),
    store,
    maxBodyBytes: MAX_BODY_BYTES,
    now,
    isStreaming,
  });
  return {
    fetch: async (request) => {
      check?.(request);
      unsubscribe ??= follow((changes) => publish(bus, changes));
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

/** What the address allows a client. Throws for a bound that would not hold: a client must not seem to be bounded. */
function boundOf(
  profile: McpProfile,
  request: Request | undefined,
): Pick<McpOptions, "mostTokens" | "writes" | "isPreview"> {
  if (request === undefined) return {};
  const [mostTokens, writes] = [maxTokensOf(request), writesOf(request)];
  if (writes !== undefined && profile !== "update") {
    throw new ExpectedError(
      "invalid_argument",
      `write bounds /mcp/update; the tools of /mcp/${profile} take no paths.`,
    );
  }
  return {
    ...(mostTokens === undefined ? {} : { mostTokens }),
    ...(writes === undefined ? {} : { writes }),
    ...(isPreviewIn(request) ? { isPreview: true } : {}),
  };
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
