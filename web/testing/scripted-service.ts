import { once } from "node:events";
import { createServer } from "node:http";

import { onTestFinished, vi } from "vitest";

import type { EventSubscriber, LiveEvent } from "../api/live-events.ts";

/** What the service answers to a request such as `GET /api/tree?path=vault%2F`: JSON, or undefined when there is no such thing. */
export type Script = (request: string) => unknown;

export interface ScriptedService extends EventSubscriber {
  /** In the order they came. */
  readonly requests: readonly string[];
  readonly emit: (event: LiveEvent) => void;
}

/** Starts an HTTP server that answers by a script, and directs the page's requests to it until the test ends. */
export async function startScriptedService(script: Script): Promise<ScriptedService> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const asked = `${request.method} ${request.url}`;
    requests.push(asked);
    const answer = async (): Promise<void> => {
      const body = await script(asked);
      response.statusCode = body === undefined ? 404 : 200;
      const problem = { code: "not_found", detail: "It is not there." };
      response.end(JSON.stringify(body ?? problem));
    };
    answer().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : null;
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", async (where: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${port}${where}`, init),
  );
  onTestFinished(() => {
    vi.unstubAllGlobals();
    server.closeAllConnections();
    server.close();
  });
  const listeners = new Set<(event: LiveEvent) => void>();
  return {
    requests,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    emit: (event) => {
      for (const listener of listeners) listener(event);
    },
  };
}

/** Resolves when `check` no longer throws. */
export async function eventually(check: () => void): Promise<void> {
  await vi.waitFor(check, { interval: 5, timeout: 30_000 });
}
