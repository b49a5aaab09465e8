import { inspect } from "node:util";

import type { Hono } from "hono";

import { ingestSettings } from "../config.ts";
import type { Service } from "../compose.ts";
import type { Link } from "../server/contract.ts";
import type { PageServer } from "../server/page-server.ts";
import type { TcpAddress } from "../server/tcp-address.ts";
import type { Vault } from "../vault/vault.ts";
import type { CommandContext } from "./command.ts";
import { packageVersion } from "./version.ts";

/** A vault's two folders. */
export type Place = Pick<Vault, "root" | "state">;

/** A vault that this process keeps in order, and that others reach through it. */
export interface OwnedVault {
  readonly service: Service;
  readonly app: Hono;
  /** Where other commands reach it. */
  readonly endpoint: string;
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

/**
 * Makes this process the owner of a vault, within reach of this user's other processes, and of browsers when `wish` says where.
 * Null when another process is.
 */
export async function ownVault(
  place: Place,
  { environment, now, screen }: Pick<CommandContext, "environment" | "now" | "screen">,
  wish: PageWish | null = null,
): Promise<OwnedVault | null> {
  const { acquireOwnership } = await import("../jobs/owner-lock.ts");
  const ownership = acquireOwnership(place.state);
  if (ownership === null) return null;
  const closing: (() => Promise<void> | void)[] = [() => ownership.release()];
  const close = async (): Promise<void> => closeAll(closing);
  try {
    const { createService } = await import("../compose.ts");
    const { createApp } = await import("../server/app.ts");
    const { startLocalServer } = await import("../server/local-server.ts");
    const { EventFeed } = await import("../server/event-feed.ts");
    const token = wish === null ? null : await tokenOf(wish, place);
    const version = packageVersion();
    const onBug = (error: unknown, asked: string): void =>
      screen.warn(`${asked}: ${inspect(error)}`);
    const service = await createService({ ...place, now, ingest: ingestSettings(environment) });
    closing.push(async () => service.close());
    const events = new EventFeed({ service });
    closing.push(() => events.close());
    let page: PageServer | null = null;
    const newLink = (): Link | null => page?.newLink() ?? null;
    const app = createApp({
      service,
      version,
      now,
      onBug,
      events,
      newLink,
      ingest: service.ingest,
    });
    if (wish !== null && token !== null) {
      const { startPageServer } = await import("../server/page-server.ts");
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
    return { service, app, endpoint, page, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Only the owner asks: two processes must not make two tokens. */
async function tokenOf({ at, token }: PageWish, { state }: Place): Promise<string> {
  const { accessToken } = await import("../server/access-token.ts");
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
