import { once } from "node:events";
import { request, type Agent, type IncomingHttpHeaders } from "node:http";

import { onTestFinished } from "vitest";

import type { JobReport } from "../../jobs/background-job.ts";
import {
  temporaryFolder,
  temporaryVault,
  writeFiles,
  type Files,
} from "../../testing/temporary-vault.ts";
import type { LocalVault } from "../../vault/vault.ts";
import { Access } from "../auth/access.ts";
import { createApp } from "../api/app.ts";
import { EventFeed } from "../api/event-feed.ts";
import { startTcpServer, type TcpServer, type Timeouts } from "../http/http-server.ts";
import { createMcpServers, type McpHttp } from "../mcp/mcp-http.ts";
import { createTcpApp } from "../page/page-server.ts";
import { simpleService, type SimpleService } from "./simple-service.ts";

export const TOKEN = "correct-horse-battery-staple";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly agent?: Agent;
}

export interface TestPage {
  readonly vault: LocalVault;
  readonly service: SimpleService;
  readonly server: TcpServer;
  readonly access: Access;
  readonly events: EventFeed;
  readonly bugs: unknown[];
  /** Its `Host`. */
  readonly host: string;
  /** Reports files as the job does. */
  readonly report: (done: JobReport) => void;
  readonly ask: (path: string, asked?: Asked) => Promise<Answer>;
  /** The same with the token. */
  readonly call: (path: string, asked?: Asked) => Promise<Answer>;
}

export interface PageOptions {
  readonly files?: Files;
  readonly timeouts?: Timeouts;
  readonly now?: () => Date;
  readonly heartbeat?: number;
  /** The built page; left out, it is not built. */
  readonly web?: Files;
}

/** A simple service within reach of TCP, on a port of its own. */
export async function startPage(options: PageOptions = {}): Promise<TestPage> {
  const { files = { "a.md": "The pump in the cellar\n" }, timeouts, heartbeat } = options;
  const now = options.now ?? (() => new Date());
  const vault = temporaryVault(files);
  const service = simpleService(vault);
  const bugs: unknown[] = [];
  const events = new EventFeed({
    service,
    ...(heartbeat === undefined ? {} : { heartbeat }),
  });
  onTestFinished(() => events.close());
  const onBug = (error: unknown): void => void bugs.push(error);
  const served = { service, version: "1.2.3", now, onBug };
  const mcp = new Map<string, McpHttp>();
  const app = createApp({ ...served, events, mcp });
  for (const [name, server] of createMcpServers(app, served)) mcp.set(name, server);
  onTestFinished(async () => {
    for (const server of mcp.values()) await server.close();
  });
  const web = temporaryFolder();
  writeFiles(web, options.web ?? {});
  const access = new Access(TOKEN, now);
  const server = await startTcpServer(
    (address) => createTcpApp(app, access, address, web),
    { host: "127.0.0.1", port: 0 },
    timeouts,
  );
  onTestFinished(async () => server.close());
  const host = `127.0.0.1:${server.address.port}`;
  const ask = async (path: string, asked: Asked = {}): Promise<Answer> =>
    askAt(server.address.port, path, asked);
  return {
    vault,
    service,
    server,
    access,
    events,
    bugs,
    host,
    report: (done) => {
      for (const listener of service.listeners) listener(done);
    },
    ask,
    call: async (path, asked = {}) =>
      ask(path, { ...asked, headers: { authorization: `Bearer ${TOKEN}`, ...asked.headers } }),
  };
}

/** Any request, also those that no browser would send. */
export async function askAt(port: number, path: string, asked: Asked = {}): Promise<Answer> {
  const { method = "GET", headers = {}, body, agent } = asked;
  const asking = request({
    host: "127.0.0.1",
    port,
    path,
    method,
    headers,
    ...(agent === undefined ? {} : { agent }),
  });
  // A server that has answered need not read on.
  asking.on("error", () => {});
  asking.end(body);
  const [response] = await once(asking, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(Buffer.from(chunk));
  return {
    status: response.statusCode,
    headers: response.headers,
    text: Buffer.concat(chunks).toString("utf8"),
  };
}
