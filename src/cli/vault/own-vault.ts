import { inspect } from "node:util";

import type { Hono } from "hono";

import type { Service } from "../../compose.ts";
import type { Ownership } from "../../jobs/owner/owner-lock.ts";
import type { OpenedVault } from "../../server/client/vault-link.ts";
import type { McpHttp } from "../../server/mcp/mcp-http.ts";
import type { PageServer } from "../../server/page/page-server.ts";
import type { TcpAddress } from "../../server/http/tcp-address.ts";
import type { FrontmatterPolicy } from "../../vault/frontmatter-policy.ts";
import type { CommandContext } from "../table/command.ts";
import { packageVersion } from "../system/process.ts";
import { holdVault } from "./hold-vault.ts";
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
  /** Who gets frontmatter; what was chosen before, or fits the folder, when left out. */
  readonly frontmatter?: FrontmatterPolicy | undefined;
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
  const held = await holdVault(place, context);
  if (held === null) return null;
  const closing: Closing = [() => held.release()];
  const close = async (): Promise<void> => closeAll(closing);
  try {
    return { ...(await open(place, context, options, held.ownership, closing)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The service of a vault and its app, with all settings: the one place where they are put together. */
async function open(
  place: Place,
  { now, screen, environment }: Pick<CommandContext, "now" | "screen" | "environment">,
  { mode = "service", page: wanted, handOver, frontmatter }: OwnOptions,
  ownership: Ownership,
  closing: Closing,
): Promise<Omit<OwnedVault, "close">> {
  const { createService } = await import("../../compose.ts");
  const { serviceSettings } = await import("../../settings.ts");
  const { createApp } = await import("../../server/api/app.ts");
  const { EventFeed } = await import("../../server/api/event-feed.ts");
  const { openLog } = await import("../../server/http/log.ts");
  const { CALLERS } = await import("../../server/http/request.ts");
  const { appTransport } = await import("../../server/client/transport.ts");
  const { accessToken } = await import("../../server/auth/access-token.ts");
  const { state } = place;
  // Before anything is opened, since a missing token is a reason not to start; and only by the owner, so that no two processes make one.
  const token =
    wanted === undefined
      ? ""
      : accessToken({ state, host: wanted.at.host, explicit: wanted.token });
  const log = await openLog(state);
  closing.push(() => log.close());
  // An error that nobody caught ends the process, as Node does with one: what is in memory may be wrong by then, its locks go with it, and all
  // that was acknowledged is on the disk, as after a kill. Only the log would not tell why.
  const onUncaught = (error: Error): void => log.error({ err: error }, "uncaught: ends");
  process.on("uncaughtExceptionMonitor", onUncaught);
  closing.push(() => void process.off("uncaughtExceptionMonitor", onUncaught));
  const onBug = (error: unknown, asked: string): void => {
    log.error({ err: error, asked }, "bug");
    screen.warn(`${asked}: ${inspect(error)}`);
  };
  const { model, dailyTokens, ingest, deep } = serviceSettings(state, environment);
  const service = await createService({
    ...place,
    now,
    isWatching: mode === "service",
    isCatchingUp: false,
    refuse: () => ownership.problem(),
    // Callers are answered at once, however large the vault is.
    isComparingLater: true,
    memory: { model, dailyTokens, onBug },
    ingest,
    deep,
    ...(frontmatter === undefined ? {} : { frontmatter, adopter: CALLERS.cli }),
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
  const version = packageVersion();
  const served = { service, version, now, onBug, log, memory: service.memory };
  const mcp = new Map<string, McpHttp>();
  let page: PageServer | null = null;
  const app = createApp({
    ...served,
    events,
    mcp,
    newLink: () => page?.newLink() ?? null,
    ingest: service.ingest,
    ...(handOver === undefined ? {} : { handOver }),
  });
  if (mode === "service") {
    const { createMcpServers } = await import("../../server/mcp/mcp-http.ts");
    for (const [name, server] of createMcpServers(app, served)) {
      mcp.set(name, server);
      closing.push(async () => server.close());
    }
  }
  if (wanted !== undefined) {
    const { startPageServer } = await import("../../server/page/page-server.ts");
    page = await startPageServer({ app, token, at: wanted.at, now });
    closing.push(async () => page?.close());
  }
  let endpoint: string | null = null;
  if (mode !== "one-shot") {
    const { startLocalServer } = await import("../../server/http/http-server.ts");
    const server = await startLocalServer(app, state);
    closing.push(async () => server.close());
    ({ endpoint } = server);
    const address = page === null ? {} : { address: page.address };
    ownership.publish({ endpoint, version, started: now().toISOString(), ...address });
    log.info({ root: place.root, ...address }, "owns the vault");
    closing.push(() => log.info({}, "leaves the vault"));
  }
  return { service, app, endpoint, page, transport: appTransport(app) };
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
