import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { mkdirSync } from "node:fs";
import path from "node:path";

import { onTestFinished } from "vitest";

import { acquireOwnership, type Ownership } from "../../jobs/owner/owner-lock.ts";
import { createIngest } from "../../ingest/ingest.ts";
import type { LocalVault } from "../../vault/vault.ts";
import { createApp, type AppOptions } from "../api/app.ts";
import { appTransport } from "../client/transport.ts";
import { VaultClient } from "../client/vault-client.ts";
import { startLocalServer, type LocalServer } from "../http/http-server.ts";
import { simpleService, type SimpleService } from "./simple-service.ts";

export interface TestOwner {
  readonly service: SimpleService;
  readonly server: LocalServer;
  readonly ownership: Ownership;
  /** What nobody expected. */
  readonly bugs: unknown[];
}

/** Makes this process the owner of a vault, with a simple service within reach. */
export async function startOwner(vault: LocalVault, now = () => new Date()): Promise<TestOwner> {
  const ownership = acquireOwnership(vault.state);
  if (ownership === null) throw new Error("the vault has an owner already");
  onTestFinished(() => ownership.release());
  const service = simpleService(vault);
  const bugs: unknown[] = [];
  const app = createApp({
    service,
    version: "1.2.3",
    now,
    onBug: (error) => bugs.push(error),
    ingest: createIngest({ vault, now }),
  });
  const server = await startLocalServer(app, vault.state);
  onTestFinished(async () => server.close());
  const started = "2026-11-16T08:00:00.000Z";
  ownership.publish({ endpoint: server.endpoint, version: "1.2.3", started });
  return { service, server, ownership, bugs };
}

/** A client of a service in this process. */
export function clientOfService(
  options: Pick<AppOptions, "service" | "now" | "onBug" | "memory" | "events">,
): VaultClient {
  return new VaultClient(appTransport(createApp({ ...options, version: "1.2.3" })));
}

/** Makes this process the owner with this state folder: one that is there, and answers anything else as it is told to. */
export async function startStrangeOwner(state: string, answer: RequestListener): Promise<void> {
  mkdirSync(state, { recursive: true });
  const server = createServer((request, response) => {
    if (request.url === "/api/alive") response.writeHead(204).end();
    else if (request.url === "/api/events") response.flushHeaders();
    else answer(request, response);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = path.join(state, "s");
  server.listen(endpoint);
  await once(server, "listening");
  publishOwner(state, endpoint);
}

/** Makes this process the owner, to be reached where nobody may be. */
export function publishOwner(state: string, endpoint: string): void {
  const ownership = acquireOwnership(state);
  onTestFinished(() => ownership?.release());
  ownership?.publish({ endpoint, version: "9.9.9", started: "then" });
}
