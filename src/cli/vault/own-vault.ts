import { inspect } from "node:util";

import type { Hono } from "hono";

import type { Service } from "../../compose.ts";
import type { Link } from "../../server/api/contract.ts";
import type { OpenedVault } from "../../server/client/vault-link.ts";
import type { Log } from "../../server/http/log.ts";
import type { PageServer } from "../../server/http/page-server.ts";
import type { TcpAddress } from "../../server/http/tcp-address.ts";
import type { McpServers } from "../../server/mcp/mcp-servers.ts";
import { checkedStateFolder } from "../../vault/state-folder.ts";
import type { CommandContext } from "../table/command.ts";
import { packageVersion } from "../version.ts";
import type { Place } from "./place.ts";

/** A vault that this process owns. */
export interface OwnedVault extends OpenedVault {
  readonly service: Service;
  readonly app: Hono;
  /** Where other commands reach it; null for a one-shot owner. */
  readonly endpoint: string | null;
  /** Where browsers reach it; null when there is no page. */
  readonly page: PageServer | null;
  /** First the calls end, then the job, then the ownership. */
  close(): Promise<void>;
}

export interface OwnOptions {
  /**
   * `service`: watches the vault and answers other processes. `reachable`: one command, which other processes reach while it runs; it scans the
   * vault itself. `one-shot`: one short command, which nobody reaches.
   */
  readonly mode?: "service" | "reachable" | "one-shot";
  /** Where browsers reach it, and the token they need when it is not the vault's own. */
  readonly page?: { readonly at: TcpAddress; readonly token: string | undefined };
  /** Called when another process asks for the vault; left out by an owner that keeps it. */
  readonly handOver?: () => void;
}

type Closing = (() => Promise<void> | void)[];

/** Makes this process the owner of a vault. Null when another process is. */
export async function ownVault(
  place: Place,
  context: Pick<CommandContext, "now" | "screen" | "environment">,
  options: OwnOptions = {},
): Promise<OwnedVault | null> {
  const { acquireOwnership } = await import("../../jobs/owner/owner-lock.ts");
  // Before the lock, which makes the state folder.
  checkedStateFolder(place.root, place.state);
  const ownership = acquireOwnership(place.state);
  if (ownership === null) return null;
  const closing: Closing = [() => ownership.release()];
  const close = async (): Promise<void> => closeAll(closing);
  try {
    const { mode = "service", page: wanted } = options;
    // Before anything else is opened: a missing token is a reason not to start.
    const token = wanted === undefined ? null : await tokenFor(wanted, place);
    const opened = await openApp(place, context, options, closing);
    const { service, app, log } = opened;
    if (wanted !== undefined && token !== null) {
      const { startPageServer } = await import("../../server/http/page-server.ts");
      const page = await startPageServer({ app, token, at: wanted.at, now: context.now });
      closing.push(async () => page.close());
      opened.page = page;
    }
    const { page } = opened;
    const endpoint = mode === "one-shot" ? null : await startEndpoint(app, place, closing);
    if (endpoint !== null) {
      const started = context.now().toISOString();
      const address = page === null ? {} : { address: page.address };
      ownership.publish({ endpoint, version: packageVersion(), started, ...address });
      log.info({ root: place.root, ...address }, "owns the vault");
      closing.push(() => log.info({}, "leaves the vault"));
    }
    const { appTransport } = await import("../../server/client/transport.ts");
    return { service, app, endpoint, page, transport: appTransport(app), close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface OpenedApp {
  readonly service: Service;
  readonly app: Hono;
  readonly log: Log;
  /** Set when the page is served. */
  page: PageServer | null;
}

/** The service of a vault and its app, with all settings: the one place where they are put together. */
async function openApp(
  place: Place,
  { now, screen, environment }: Pick<CommandContext, "now" | "screen" | "environment">,
  { mode = "service", handOver }: OwnOptions,
  closing: Closing,
): Promise<OpenedApp> {
  const { createService } = await import("../../compose.ts");
  const { serviceSettings } = await import("../../settings.ts");
  const { createApp } = await import("../../server/api/app.ts");
  const { EventFeed } = await import("../../server/api/event-feed.ts");
  const { openLog } = await import("../../server/http/log.ts");
  const log = openLog(place.state);
  closing.push(() => log.close());
  const onBug = (error: unknown, asked: string): void => {
    log.error({ err: error, asked }, "bug");
    screen.warn(`${asked}: ${inspect(error)}`);
  };
  const { model, ingest, deep } = serviceSettings(place.state, environment);
  const service = await createService({
    ...place,
    now,
    isWatching: mode === "service",
    isCatchingUp: false,
    memory: { model, onBug },
    ingest,
    deep,
  });
  closing.push(async () => service.close());
  if (mode === "one-shot") {
    let isChanged = false;
    service.vault.onChange(() => (isChanged = true));
    // After the command's own change, as a service would; a command that changed nothing leaves everything as it is.
    closing.push(async () => {
      if (isChanged) await service.catchUp();
    });
  }
  const events = new EventFeed({ service });
  closing.push(() => events.close());
  const newLink = (): Link | null => opened.page?.newLink() ?? null;
  const { memory } = service;
  const served = { service, version: packageVersion(), now, onBug, log, memory };
  let servers: McpServers = new Map();
  const app = createApp({
    ...served,
    events,
    mcp: () => servers,
    newLink,
    ingest: service.ingest,
    ...(handOver === undefined ? {} : { handOver }),
  });
  const opened: OpenedApp = { service, app, log, page: null };
  if (mode === "service") {
    const { createMcpServers } = await import("../../server/mcp/mcp-servers.ts");
    servers = createMcpServers(app, served);
    for (const server of servers.values()) closing.push(async () => server.close());
  }
  return opened;
}

async function startEndpoint(app: Hono, { state }: Place, closing: Closing): Promise<string> {
  const { startLocalServer } = await import("../../server/http/local-server.ts");
  const server = await startLocalServer(app, state);
  closing.push(async () => server.close());
  return server.endpoint;
}

/** Called by the owner only: two processes must not make two tokens. */
async function tokenFor(
  { at, token: explicit }: NonNullable<OwnOptions["page"]>,
  { state }: Place,
): Promise<string> {
  const { accessToken } = await import("../../server/auth/access-token.ts");
  return accessToken({ state, host: at.host, explicit });
}

/** Closes what was opened last first, and all of it, also when one fails. */
async function closeAll(closing: Closing): Promise<void> {
  const close = closing.pop();
  if (close === undefined) return;
  try {
    await close();
  } finally {
    await closeAll(closing);
  }
}
