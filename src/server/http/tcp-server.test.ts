import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";

import { Hono } from "hono";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { refusalOf } from "../../testing/expected-error.ts";
import { startPage, TOKEN, type TestPage } from "../testing/page.ts";
import { startTcpServer } from "./http-server.ts";

const AUTHORIZATION = `authorization: Bearer ${TOKEN}\r\n`;

function connectTo({ server }: TestPage): Socket {
  const socket = connect(server.address.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  return socket.on("error", () => {});
}

describe("a server on TCP", () => {
  it("takes a thousand calls at once, and loses none", async () => {
    const page = await startPage();
    const agent = new Agent({ maxSockets: 1000 });
    onTestFinished(() => agent.destroy());
    const calls = Array.from({ length: 1000 }, async (_, at) => {
      const isWrite = at % 5 === 0;
      const args = isWrite
        ? { path: "log.md", content: `line ${at}`, position: "bottom" }
        : { paths: ["a.md"] };
      const where = isWrite ? "/api/tools/append" : "/api/tools/read";
      return page.call(where, { method: "POST", body: JSON.stringify(args), agent });
    });
    const answers = await Promise.all(calls);
    const refused = answers.filter(
      ({ status, text: said }) => status !== 200 || !said.includes('"isError":false'),
    );
    expect(refused).toEqual([]);
    const log = readFileSync(path.join(page.vault.root, "log.md"), "utf8");
    const lines = new Set(log.split("\n").filter((line) => line.startsWith("line ")));
    expect(lines.size).toBe(200);
  });

  it("names a body that is not JSON, or too large, and goes on", async () => {
    const { call, bugs } = await startPage();
    const post = async (body: string): Promise<string> => {
      const { status, text: said } = await call("/api/tools/tree", { method: "POST", body });
      return `${status} ${said}`;
    };
    expect(await post('{"a": 1,}')).toMatch(/^400 .*"invalid_argument".*not JSON in UTF-8/u);
    expect(await post(" ".repeat(8 * 1024 * 1024 + 1))).toMatch(/^413 .*"too_large"/u);
    expect(await post("{}")).toMatch(/^200 /u);
    expect(bugs).toEqual([]);
  });

  it.each([
    ["the head", `GET /api/alive HTTP/1.1\r\nhost: x\r\n`],
    [
      "the body",
      `POST /api/tools/tree HTTP/1.1\r\nhost: HOST\r\n${AUTHORIZATION}content-length: 9\r\n\r\n{`,
    ],
  ])("waits no longer for a client that does not finish %s", async (_, said) => {
    const page = await startPage({ timeouts: { head: 50, request: 50, check: 10 } });
    const socket = connectTo(page);
    socket.write(said.replace("HOST", page.host));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /u);
    expect((await page.call("/api/alive")).status).toBe(204);
    expect(page.bugs).toEqual([]);
  });

  it("finishes what a client asked for that vanishes before the answer", async () => {
    const page = await startPage();
    const begun = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    const done = Promise.withResolvers<void>();
    page.service.onSettle = async () => {
      begun.resolve();
      await mayGoOn.promise;
      done.resolve();
    };
    const asking = request({
      port: page.server.address.port,
      host: "127.0.0.1",
      method: "POST",
      path: "/api/settle",
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    asking.on("error", () => {}).end('{"paths":["a.md"]}');
    await begun.promise;
    asking.destroy();
    mayGoOn.resolve();
    await done.promise;
    expect((await page.call("/api/alive")).status).toBe(204);
    expect(page.bugs).toEqual([]);
  });

  it("does not take a client that vanishes in the middle of its question for a bug", async () => {
    const page = await startPage();
    const socket = connectTo(page);
    socket.write(
      `POST /api/tools/tree HTTP/1.1\r\nhost: ${page.host}\r\n${AUTHORIZATION}content-length: 10\r\n\r\n{`,
    );
    await once(socket, "connect");
    socket.destroy();
    expect((await page.call("/api/alive")).status).toBe(204);
    await page.server.close();
    expect(page.bugs).toEqual([]);
  });

  it.each(["GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nhost:\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"])(
    "refuses %j, which names no Host",
    async (said) => {
      const page = await startPage();
      const socket = connectTo(page);
      socket.end(said);
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /u);
    },
  );

  it("lets calls under way finish when it closes, and ends subscriptions", async () => {
    const page = await startPage();
    const begun = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    page.service.onSettle = async () => {
      begun.resolve();
      await mayGoOn.promise;
    };
    const others = page.events.listeners;
    const listening = connectTo(page);
    listening.write(`GET /api/events HTTP/1.1\r\nhost: ${page.host}\r\n${AUTHORIZATION}\r\n`);
    await vi.waitFor(() => expect(page.events.listeners).toBe(others + 1), 30_000);
    const call = page.call("/api/settle", { method: "POST" });
    await begun.promise;
    const closing = page.server.close();
    mayGoOn.resolve();
    expect((await call).status).toBe(204);
    await closing;
    await vi.waitFor(() => expect(page.events.listeners).toBe(others), 30_000);
  });
});

describe("a server that closes behind a proxy", () => {
  it.each([
    { linger: 100, status: 200 },
    // One person's: its clients know where to ask again.
    { linger: undefined, status: 503 },
  ])("answers $status on a connection that was kept ($linger)", async ({ linger, status }) => {
    const begun = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    const app = new Hono();
    app.get("/", (c) => c.text("quick"));
    app.get("/slow", async (c) => {
      begun.resolve();
      await mayGoOn.promise;
      return c.text("slow");
    });
    const server = await startTcpServer(
      () => app,
      { host: "127.0.0.1", port: 0 },
      linger === undefined ? {} : { linger },
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const ask = async (): Promise<[number | undefined, string | undefined]> => {
      const asked = request({ host: "127.0.0.1", port: server.address.port, agent });
      const answered = once(asked, "response");
      asked.end();
      const [answer] = await answered;
      await text(answer);
      return [answer.statusCode, answer.headers.connection];
    };
    expect(await ask()).toEqual([200, "keep-alive"]);
    const slow = fetch(`http://127.0.0.1:${server.address.port}/slow`);
    await begun.promise;
    const closing = server.close();
    // Nobody else comes in, and this connection is used for the last time.
    expect(await ask()).toEqual([status, "close"]);
    await expect(ask()).rejects.toThrow("ECONNREFUSED");
    mayGoOn.resolve();
    expect(await (await slow).text()).toBe("slow");
    await closing;
  });
});

describe("listening is refused", () => {
  it("on a port in use, with what to do", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const found = other.address();
    const port = typeof found === "object" ? (found?.port ?? 0) : 0;
    const refusal = await refusalOf(async () =>
      startTcpServer(() => new Hono(), { host: "127.0.0.1", port }),
    );
    expect(refusal?.code).toBe("busy");
    expect(refusal?.message).toContain(`Port ${port} of 127.0.0.1 is in use`);
    expect(refusal?.message).toContain("--port");
  });

  it("on an address of another machine", async () => {
    const refusal = await refusalOf(async () =>
      startTcpServer(() => new Hono(), { host: "192.0.2.1", port: 0 }),
    );
    expect(refusal?.message).toContain('"192.0.2.1" is no address of this machine');
  });
});
