import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { watchOwner } from "./socket-transport.ts";

async function listen(): Promise<{ server: Server; endpoint: string }> {
  const endpoint = path.join(temporaryFolder(), "s");
  const server = createServer();
  onTestFinished(() => void server.close());
  server.listen(endpoint);
  await once(server, "listening");
  return { server, endpoint };
}

async function nextClient(server: Server): Promise<Socket> {
  const { promise, resolve } = Promise.withResolvers<Socket>();
  server.once("connection", resolve);
  return promise;
}

it("tells when nobody listens any more, and stays when it is only sent away", async () => {
  const { server, endpoint } = await listen();
  const first = nextClient(server);
  const { promise: gone, resolve } = Promise.withResolvers<string>();
  onTestFinished(watchOwner(endpoint, () => resolve("gone")));
  const sentAway = await first;
  const second = nextClient(server);
  sentAway.destroy();
  const last = await second;
  server.close();
  last.destroy();
  expect(await gone).toBe("gone");
});

it("tells at once when there is nobody", async () => {
  const { promise: gone, resolve } = Promise.withResolvers<string>();
  onTestFinished(watchOwner(path.join(temporaryFolder(), "s"), () => resolve("gone")));
  expect(await gone).toBe("gone");
});
