import { inspect } from "node:util";

import type { Hono } from "hono";

import type { Service } from "../../compose.ts";
import { ingestSettings, modelSettings } from "../../config.ts";
import type { Link } from "../../server/api/contract.ts";
import type { Log } from "../../server/http/log.ts";
import type { PageServer } from "../../server/http/page-server.ts";
import type { TcpAddress } from "../../server/http/tcp-address.ts";
import type { Vault } from "../../vault/vault.ts";
import type { CommandContext } from "../table/command.ts";
import { packageVersion } from "../version.ts";

/** A vault's two folders. */
export type Place = Pick<Vault, "root" | "state">;

/** A vault that this process keeps in order, and that others reach through it. */
export interface OwnedVault {
  readonly service: Service;
  readonly app: Hono;
  /** Where other commands reach it. */
  readonly endpoint: string;
  readonly log: Log;
  /** Where browsers reach it; null when none was asked for. */
  readonly page: PageServer | null;
  /** Ends in good order: first the calls, then the job, then the ownership. */
  close(): Promise<void>;
}

/** Where a vault is put within reach of browsers, and the token they need when it is not the vault's own. */
export interface PageWish {
  readonly at: TcpAddress;
  readonly token: string | undefined;
}

export interface OwnOptions {
  /** Where browsers reach it; left out when they need not. */
  readonly page?: PageWish;
  /** Called when another process asks for the vault; left out by an owner that keeps it. */
  readonly handOver?: () => void;
}

/**
 * Makes this process the owner of a vault, within reach of this user's other processes. Null when another process is.
 */
export async function ownVault(
  place: Place,
  { now, screen, environment }: Pick<CommandContext, "now" | "screen" | "environment">,
  { page: wish, handOver }: OwnOptions = {},
): Promise<OwnedVault | null> {
  const { acquireOwnership } = await import("../../jobs/owner/owner-lock.ts");
  const ownership = acquireOwnership(place.state);
  if (ownership === null) return null;
  const closing: (() => Promise<void> | void)[] = [() => ownership.release()];
  const close = async (): Promise<void> => closeAll(closing);
  try {
    const { createService } = await import("../../compose.ts");
    const { deepSettings } = await import("../../deep-config.ts");
    const { createApp } = await import("../../server/api/app.ts");
    const { startLocalServer } = await import("../../server/http/local-server.ts");
    const { openLog } = await import("../../server/http/log.ts");
    const { EventFeed } = await import("../../server/api/event-feed.ts");
    const { createMcpServers } = await import("../../server/mcp/mcp-servers.ts");
    const token = wish === undefined ? null : await tokenOf(wish, place);
    const version = packageVersion();
    const log = openLog(place.state);
    closing.push(() => log.close());
    const onBug = (error: unknown, asked: string): void => {
      log.error({ err: error, asked }, "bug");
      screen.warn(`${asked}: ${inspect(error)}`);
    };
    const service = await createService({
      ...place,
      now,
      memory: { model: modelSettings(place.state, environment), onBug },
      ingest: ingestSettings(environment),
      deep: deepSettings(place.state, environment),
    });
    closing.push(async () => service.close());
    const events = new EventFeed({ service });
    closing.push(() => events.close());
    let page: PageServer | null = null;
    const newLink = (): Link | null => page?.newLink() ?? null;
    const { memory } = service;
    const served = { service, version, now, onBug, log, memory };
    const mcp = createMcpServers(served);
    for (const server of mcp.values()) closing.push(async () => server.close());
    const app = createApp({
      ...served,
      events,
      mcp,
      newLink,
      ingest: service.ingest,
      ...(handOver === undefined ? {} : { handOver }),
    });
    if (wish !== undefined && token !== null) {
      const { startPageServer } = await import("../../server/http/page-server.ts");
      const started = await startPageServer({ app, token, at: wish.at, now });
      closing.push(async () => started.close());
      page = started;
    }
    const server = await startLocalServer(app, place.state);
    closing.push(async () => server.close());
    const { endpoint } = server;
    ownership.publish({
      endpoint,
      version,
      started: now().toISOString(),
      ...(page === null ? {} : { address: page.address }),
    });
    log.info({ version, root: place.root, address: page?.address ?? null }, "owns the vault");
    closing.push(() => log.info({}, "leaves the vault"));
    return { service, app, endpoint, log, page, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Only the owner asks: two processes must not make two tokens. */
async function tokenOf({ at, token }: PageWish, { state }: Place): Promise<string> {
  const { accessToken } = await import("../../server/auth/access-token.ts");
  return accessToken({ state, host: at.host, explicit: token });
}

/** What was opened last is closed first. All are, also when one fails. */
async function closeAll(closing: (() => Promise<void> | void)[]): Promise<void> {
  const close = closing.pop();
  if (close === undefined) return;
  try {
    await close();
  } finally {
    await closeAll(closing);
  }
}
