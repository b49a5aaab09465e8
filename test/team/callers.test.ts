import { Hono } from "hono";
import { expect, it } from "vitest";

import { setSessionCookie } from "../../src/server/team/callers.ts";
import { TOKEN } from "./replica.ts";
import { personWith, servedTeam } from "./served-team.ts";

async function statusOf(
  where: string,
  headers: Readonly<Record<string, string>>,
  method = "GET",
): Promise<number> {
  return (await fetch(where, { method, headers, redirect: "manual" })).status;
}

it("recognises the operator and people by their tokens, and nobody else", async () => {
  const served = await servedTeam();
  const [at = ""] = served.addresses;
  const ana = await personWith(served, "Ana", "house", { "": "viewer" });
  const bob = await personWith(served, "Bob", "other", { "": "viewer" });
  const vaults = async (token: string): Promise<unknown> =>
    (await fetch(`${at}/api/vaults`, { headers: { authorization: `Bearer ${token}` } })).json();
  expect(await vaults(TOKEN)).toEqual({ vaults: ["house", "other"] });
  expect(await vaults(ana.token)).toEqual({ vaults: ["house"] });
  expect(await vaults(bob.token)).toEqual({ vaults: ["other"] });
  for (const token of ["wrong", `${ana.token}x`, ana.token.replace("cof_", "cofs_")]) {
    const answer = await fetch(`${at}/v/house/api/status`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe(
      `Bearer error="invalid_token", resource_metadata="${at}/.well-known/oauth-protected-resource/v/house", scope="vault:read vault:write"`,
    );
  }
  const inUrl = await fetch(`${at}/api/vaults?key=${ana.token}`);
  expect(inUrl.status).toBe(400);
});

it("takes a session only from our own page, and a change only when that is known", async () => {
  const served = await servedTeam();
  const [at = ""] = served.addresses;
  const { id } = await personWith(served, "Ana", "house", { "": "editor" });
  const { cookie: value } = await served.team.sessions.start(id);
  const cookie = `coffre-session=${value}`;
  const list = `${at}/api/vaults`;
  expect(await statusOf(list, { cookie })).toBe(200);
  expect(await statusOf(list, { cookie, "sec-fetch-site": "same-origin" })).toBe(200);
  for (const site of ["cross-site", "same-site"])
    expect(await statusOf(list, { cookie, "sec-fetch-site": site })).toBe(403);
  expect(await statusOf(list, { cookie, origin: "http://evil.example" })).toBe(403);
  const write = `${at}/v/house/api/tools/write`;
  const sent = async (headers: Readonly<Record<string, string>>): Promise<string> =>
    (await fetch(write, { method: "POST", headers: { cookie, ...headers }, body: "{}" })).text();
  for (const headers of [{}, { "sec-fetch-site": "none" }, { "sec-fetch-site": "same-site" }])
    expect(await sent(headers)).toContain("Only its own may".toLowerCase());
  for (const headers of [{ "sec-fetch-site": "same-origin" }, { origin: at }])
    expect(await sent(headers)).not.toContain("only its own may");
  // A header that is not valid is never replaced by the cookie.
  expect(await statusOf(list, { cookie, authorization: "Bearer wrong" })).toBe(401);
  await served.team.sessions.end(value);
  expect(await statusOf(list, { cookie })).toBe(401);
});

it("a session's cookie is kept from scripts and other sites, and goes over HTTPS where there is one", async () => {
  const expires = new Date(Date.now() + 60_000);
  const app = new Hono();
  for (const isSecure of [true, false])
    app.get(`/${isSecure}`, (c) => {
      setSessionCookie(c, { cookie: "cofs_x", expires }, isSecure);
      return c.text("ok");
    });
  const cookie = async (path: string): Promise<string> =>
    (await app.request(path)).headers.get("set-cookie") ?? "";
  const common = `coffre-session=cofs_x; Path=/; Expires=${expires.toUTCString()}; HttpOnly`;
  expect(await cookie("/true")).toBe(`${common}; Secure; SameSite=Lax`);
  expect(await cookie("/false")).toBe(`${common}; SameSite=Lax`);
});
