import { describe, expect, it } from "vitest";

import { startPage, TOKEN, type Answer } from "../testing/page.ts";

function problemOf({ headers, text }: Answer): unknown {
  expect(headers["content-type"]).toBe("application/problem+json");
  return JSON.parse(text);
}

describe("a server on TCP", () => {
  it("answers who shows the token", async () => {
    const { call } = await startPage();
    const answer = await call("/api/tools/read", { method: "POST", body: '{"paths":"a.md"}' });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("The pump in the cellar");
  });

  it.each(["evil.example", "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "localhost.:PORT"])(
    "refuses the Host %j, token or not, on every route",
    async (given) => {
      const { call, server } = await startPage();
      const host = given.replace("PORT", String(server.address.port));
      for (const where of ["/", "/enter?code=x", "/api/status", "/mcp/update", "/nothing"]) {
        const answer = await call(where, { headers: { host } });
        expect(answer.status).toBe(403);
        expect(problemOf(answer)).toMatchObject({ status: 403, code: "no_permission" });
      }
    },
  );

  it.each(["127.0.0.1:PORT.evil.example", "evil@127.0.0.1:PORT", "127.0.0.1:PORT/x", "%"])(
    "refuses %j, which is no Host at all",
    async (given) => {
      const { call, server } = await startPage();
      const host = given.replace("PORT", String(server.address.port));
      const answer = await call("/api/status", { headers: { host } });
      expect([400, 403]).toContain(answer.status);
      expect(problemOf(answer)).toMatchObject({ status: answer.status });
    },
  );

  it.each(["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])("goes by the name %s", async (name) => {
    const { call, server } = await startPage();
    const host = `${name}:${server.address.port}`;
    expect((await call("/api/alive", { headers: { host } })).status).toBe(204);
    const origin = `http://${host.toLowerCase()}`;
    expect((await call("/api/alive", { headers: { host, origin } })).status).toBe(204);
  });

  it.each([
    "null",
    "http://evil.example",
    "http://localhost:PORT",
    "http://127.0.0.1",
    "http://127.0.0.1:1",
    "https://127.0.0.1:PORT",
    "http://127.0.0.1:PORT.evil.example",
  ])("refuses pages of the Origin %s, token or not", async (given) => {
    const { call, service, server } = await startPage();
    const origin = given.replace("PORT", String(server.address.port));
    const asked = { method: "POST", headers: { origin } };
    const answer = await call("/api/settle", asked);
    expect(problemOf(answer)).toMatchObject({ status: 403, code: "no_permission" });
    expect(answer.text).toContain(JSON.stringify(JSON.stringify(origin)).slice(1, -1));
    expect(service.settles).toBe(0);
    const preflight = { method: "OPTIONS", headers: { origin } };
    expect((await call("/api/settle", preflight)).status).toBe(403);
  });

  it.each(["/api/status", "/api/events", "/api/nothing", "/mcp/update", "/MCP", "//api/status"])(
    "refuses %s without the token, and says how to send it",
    async (where) => {
      const { ask } = await startPage();
      const answer = await ask(where);
      expect(answer.headers["www-authenticate"]).toBe('Bearer realm="coffre"');
      expect(problemOf(answer)).toMatchObject({
        status: 401,
        code: "no_permission",
        detail: expect.stringContaining("Authorization: Bearer TOKEN"),
      });
    },
  );

  it.each([
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
    "Bearer",
    "Bearer ",
    TOKEN,
    `Basic ${Buffer.from(`me:${TOKEN}`).toString("base64")}`,
  ])("refuses the wrong token in %j", async (authorization) => {
    const { ask, access, server } = await startPage();
    const cookie = `coffre-${server.address.port}=${access.cookie}`;
    const answer = await ask("/api/status", { headers: { authorization, cookie } });
    expect(answer.headers["www-authenticate"]).toContain('error="invalid_token"');
    expect(problemOf(answer)).toMatchObject({ status: 401, code: "no_permission" });
    expect(answer.text).not.toContain(TOKEN);
  });

  it.each([
    `/api/status?token=${TOKEN}`,
    "/api/status?token=any",
    "/api/status?access_token=any",
    `/api/status?x=1&key=${TOKEN}`,
    `/?Token=${TOKEN}`,
    `/enter?code=${TOKEN}`,
  ])("refuses a token in the address %s, though the header has it too", async (where) => {
    const { call } = await startPage();
    const answer = await call(where);
    expect(problemOf(answer)).toMatchObject({
      status: 400,
      detail: expect.stringContaining("Authorization: Bearer TOKEN"),
    });
    expect(answer.text).not.toContain(TOKEN);
  });

  it("tells browsers, with every answer, to allow nothing and to keep nothing", async () => {
    const { ask, call } = await startPage();
    const answers = [
      await ask("/"),
      await ask("/enter?code=x"),
      await ask("/api/status"),
      await ask("/api/status", { headers: { host: "evil.example" } }),
      await call("/api/status"),
      await call("/api/nothing"),
    ];
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        "content-security-policy": expect.stringMatching(
          /^default-src 'none';.*frame-ancestors 'none'$/u,
        ),
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
        "x-request-id": expect.stringMatching(/^[\da-f-]{36}$/u),
      });
      expect(headers["access-control-allow-origin"]).toBeUndefined();
    }
  });
});

describe("a request", () => {
  it("keeps the id that its caller gave it, when that is one", async () => {
    const { call } = await startPage();
    const idOf = async (id: string): Promise<unknown> =>
      (await call("/api/alive", { headers: { "x-request-id": id } })).headers["x-request-id"];
    expect(await idOf("job-7.3")).toBe("job-7.3");
    for (const strange of ["a b", "<x>", "x".repeat(101), ""]) {
      expect(await idOf(strange)).toMatch(/^[\da-f-]{36}$/u);
    }
  });
});
