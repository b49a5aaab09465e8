import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it, onTestFinished } from "vitest";

import { zipFile } from "../../src/ingest/testing/zip-file.ts";
import { TOKEN } from "./replica.ts";
import { personWith, servedTeam, type ServedTeam } from "./served-team.ts";
import { SPELLINGS } from "./spellings.ts";

const PAY = "# Pay\n\nsecret pay\n";

/** A vault with a folder that its editor Ada does not see. */
async function house(): Promise<{
  readonly served: ServedTeam;
  readonly at: string;
  readonly ada: string;
  readonly send: (token: string, path: string, init?: RequestInit) => Promise<Response>;
  readonly json: (token: string, path: string, body: object) => Promise<Response>;
}> {
  const served = await servedTeam({ rate: { perSecond: 1e6, burst: 1e6 } });
  onTestFinished(() => {
    if (served.bugs.length > 0) throw new Error(served.bugs.join("\n"));
  });
  const [at = ""] = served.addresses;
  const { token: ada } = await personWith(served, "Ada", "house", { "": "editor", hr: "none" });
  const send = async (token: string, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${at}/v/house${path}`, {
      ...init,
      headers: {
        authorization: `Bearer ${token}`,
        ...Object.fromEntries(new Headers(init.headers)),
      },
    });
  const json = async (token: string, path: string, body: object): Promise<Response> =>
    send(token, path, { method: "POST", body: JSON.stringify(body) });
  await json(TOKEN, "/api/tools/write", { path: "vault/hr/pay.md", content: PAY });
  await json(TOKEN, "/api/tools/write", { path: "vault/work/a.md", content: "# A\n" });
  return { served, at, ada, send, json };
}

/** Files below `hr/`, and what is in the one that was there. */
async function hidden({ send }: Pick<Awaited<ReturnType<typeof house>>, "send">) {
  const files = await (await send(TOKEN, "/api/files")).text();
  const pay = await (await send(TOKEN, "/api/raw?path=vault/hr/pay.md")).text();
  return [files.match(/vault\/hr\/[^"]+/gu), pay.includes("secret pay")];
}

it("no spelling of a hidden path leads there by MCP, uploads, attachments or archives", async () => {
  const home = await house();
  const { at, ada, send } = home;
  const client = new Client({ name: "test", version: "1" });
  onTestFinished(async () => client.close());
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${at}/v/house/mcp/update`), {
      requestInit: { headers: { authorization: `Bearer ${ada}` } },
    }),
  );
  const answers: string[] = [];
  const tell = async (asked: Promise<unknown>): Promise<void> =>
    void answers.push(JSON.stringify(await asked.catch(String)));
  const upload = async (to: string, name: string, bytes: string | Uint8Array<ArrayBuffer>) => {
    const form = new FormData();
    form.set("to", to);
    form.set("file", new File([bytes], name));
    const answer = await send(ada, "/api/ingest", { method: "POST", body: form });
    answers.push(`${answer.status} ${await answer.text()}`);
  };
  for (const spelling of SPELLINGS) {
    for (const uri of [`vault:///${spelling}`, `vault://${spelling}`, `vault:///vault/${spelling}`])
      await tell(client.readResource({ uri }));
    await tell(
      client.complete({
        ref: { type: "ref/resource", uri: "vault:///{+path}" },
        argument: { name: "path", value: spelling.slice(0, -2) },
      }),
    );
    await tell(client.callTool({ name: "read", arguments: { paths: [`vault/${spelling}`] } }));
    await tell(
      client.callTool({ name: "write", arguments: { path: spelling, content: "overwritten\n" } }),
    );
    const folder = spelling.replace(/\/[^/]*$/u, "");
    await upload(folder, "note.txt", "put there");
    await upload(spelling, "note.txt", "put there");
    await upload("vault/work/", spelling, "put there");
    const attached = await send(
      ada,
      `/api/note/attachment?note=${encodeURIComponent(spelling)}&name=a.txt`,
      { method: "POST", body: "put there" },
    );
    answers.push(`${attached.status} ${await attached.text()}`);
  }
  const entries = Object.fromEntries(
    SPELLINGS.map((spelling) => [spelling.replaceAll("\0", ""), "put there"]),
  );
  await upload("vault/work/", "many.zip", Uint8Array.from(zipFile(entries)));
  expect(answers).toHaveLength(SPELLINGS.length * 10 + 1);
  expect(answers.filter((answer) => answer.includes("secret pay"))).toEqual([]);
  expect(await hidden(home)).toEqual([["vault/hr/pay.md"], true]);
});

it("whoever calls the service by another name is refused at every door, whatever they hold", async () => {
  const { at, ada } = await house();
  const status = async (path: string, host: string, token: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { host, authorization: `Bearer ${token}` };
      const asked = request(at + path, { headers }, (answer) => {
        answer.resume();
        answer.once("end", () => resolve(answer.statusCode));
      });
      asked.once("error", reject);
      asked.end();
    });
  const { host, hostname, port } = new URL(at);
  const doors = ["/", "/login", "/invite?code=x", "/device?code=x", "/api/me", "/v/house/"];
  for (const path of [
    ...doors,
    "/v/house/api/status",
    "/v/house/api/events",
    "/v/house/mcp/update",
  ])
    for (const other of [
      "evil.example",
      `evil.example:${port}`,
      `${hostname}.evil.example:${port}`,
      "localhost.evil.example",
      "[::]",
    ])
      for (const token of [ada, TOKEN])
        expect([path, other, await status(path, other, token)]).toEqual([path, other, 403]);
  expect(await status("/v/house/api/status", host, ada)).toBe(200);
});

it("clients that neither finish what they send nor read what they get keep nobody else waiting", async () => {
  const { at, ada, send, json } = await house();
  const { hostname, port } = new URL(at);
  const content = `# Large\n\n${"word ".repeat(400_000)}\n`;
  expect((await json(TOKEN, "/api/tools/write", { path: "vault/large.md", content })).status).toBe(
    200,
  );
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const open = async (text: string): Promise<void> => {
    const socket = connect({ host: hostname, port: Number(port) });
    sockets.push(socket);
    await once(socket, "connect");
    socket.pause();
    socket.write(text);
  };
  const head = (path: string, token: string): string =>
    `GET /v/house${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\n`;
  for (let count = 0; count < 60; count += 1) {
    await open(head("/api/status", ada));
    await open(
      `POST /v/house/api/tools/write HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${ada}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"path":`,
    );
    await open(`${head("/api/events", ada)}\r\n`);
    if (count % 3 === 0) await open(`${head("/api/raw?path=vault/large.md", ada)}\r\n`);
  }
  for (let count = 0; count < 20; count += 1) {
    const path = `vault/work/n${count}.md`;
    expect((await json(ada, "/api/tools/write", { path, content: "x\n" })).status).toBe(200);
    expect((await send(ada, `/api/raw?path=${path}`)).status).toBe(200);
  }
  expect(sockets.filter(({ destroyed }) => !destroyed)).toHaveLength(200);
});
