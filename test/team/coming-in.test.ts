import { expect, it, onTestFinished } from "vitest";

import { Provider } from "../../src/team/identity/provider.ts";
import { Browser } from "./browser.ts";
import { freePort, post, TOKEN } from "./replica.ts";
import { personWith, servedTeam, type ServedTeam } from "./served-team.ts";

/** A service that reports no bugs until the test ends, with a vault that nobody owns. */
async function home(
  options: Parameters<typeof servedTeam>[0] = {},
): Promise<ServedTeam & { readonly at: string }> {
  const served = await servedTeam(options);
  onTestFinished(() => {
    if (served.bugs.length > 0) throw new Error(served.bugs.join("\n"));
  });
  const at = served.addresses[0] ?? "";
  expect((await post(`${at}/api/vaults`, { name: "house" })).status).toBe(201);
  return { ...served, at };
}

/** The link of a new invitation by whoever runs the service. */
async function invite(at: string, body: object): Promise<string> {
  const answer = await post(`${at}/v/house/api/team/invitations`, body);
  const [, link = ""] = /"link":"([^"]+)"/u.exec(await answer.text()) ?? [];
  return link;
}

it("a vault without an owner takes people of any role, by invitation and by grant, and keeps the owner it gets", async () => {
  const { at, team } = await home();
  const bob = new Browser(at);
  const form = await bob.open(await invite(at, { role: "editor" }));
  const entered = await bob.sendForm(form.text, { name: "Bob" });
  expect([entered.status, entered.headers.get("location")]).toEqual([303, "/v/house/"]);
  expect((await bob.json("/v/house/api/me")).body).toMatchObject({ role: "editor" });
  const cleo = await team.people.add("Cleo", "cleo@example.com");
  const grant = async (role: string | null): Promise<number> =>
    (await post(`${at}/v/house/api/team/grants`, { person: cleo.id, role })).status;
  expect([await grant("viewer"), await grant(null)]).toEqual([200, 200]);
  expect([await grant("owner"), await grant("editor"), await grant(null)]).toEqual([200, 409, 409]);
});

it("a NUL character is refused as any other wrong value, and is no bug", async () => {
  const served = await home();
  const { at } = served;
  const unknown = { headers: { authorization: "Bearer nobody" } };
  expect((await fetch(`${at}/v/%00/api/me`, unknown)).status).toBe(401);
  const answer = await post(`${at}/v/%00/api/tools/read`, { path: "vault/" });
  expect([answer.status, await answer.text()]).toEqual([
    404,
    expect.stringContaining("There is no vault"),
  ]);
  const vera = await personWith(served, "Vera", "house", { "": "editor" });
  const as = (token: string): Record<string, string> => ({
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
  });
  const json = (body: object): RequestInit => ({ method: "POST", body: JSON.stringify(body) });
  const asked: readonly (readonly [string, string, RequestInit, number, object?])[] = [
    [vera.token, "presence", json({ path: null, window: "\0" }), 400],
    [TOKEN, "team/audit?person=%00", {}, 400],
    [TOKEN, "team/people/%00", { method: "DELETE" }, 400],
    [TOKEN, "team/invitations", json({ role: "viewer", email: "a\0@b" }), 400],
    [vera.token, "tools/write", json({ path: "vault/a.md", content: "x\n" }), 200, { nul: true }],
  ];
  for (const [token, path, init, status, extra] of asked) {
    const headers = { ...as(token), ...(extra === undefined ? {} : { "coffre-client": "a%00b" }) };
    const told = await fetch(`${at}/v/house/api/${path}`, { ...init, headers });
    expect([path, told.status, await told.text()]).toEqual([
      path,
      status,
      expect.stringMatching(/invalid_argument.*NUL|not an e-mail address/u),
    ]);
  }
});

it("a browser is shown a page when the provider is away, and nothing is kept of what cannot come back", async () => {
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const provider = new Provider({ issuer, now: () => new Date() });
  const { at, database } = await home({ provider, client: { id: "coffre", secret: null } });
  const answer = await new Browser(at).open(`${at}/login/oidc?to=/v/house/`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    503,
    expect.stringContaining("text/html"),
  ]);
  expect(answer.text).toContain("Log in again");
  expect(await database.query("SELECT 1 FROM logins")).toEqual([]);
});

it("a name of spaces brings the form of the invitation again, and an address that was taken meanwhile a page", async () => {
  const { at, team } = await home();
  const bob = new Browser(at);
  const form = await bob.open(await invite(at, { role: "editor" }));
  const refused = await bob.sendForm(form.text, { name: "  " });
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining('<p role="alert">A name has 1 to 200 characters'),
  ]);
  expect((await bob.sendForm(refused.text, { name: "Bob" })).status).toBe(303);
  const eve = new Browser(at);
  const page = await eve.open(await invite(at, { role: "viewer", email: "eve@example.com" }));
  await team.people.add("Another", "eve@example.com");
  const taken = await eve.sendForm(page.text, { name: "Eve" });
  expect([taken.status, taken.text]).toEqual([404, expect.stringContaining("not valid")]);
});

it("somebody who is logged in lets themselves in on another device, once, within ten minutes, and with no token", async () => {
  let time = Date.now();
  const served = await home({ now: () => new Date(time), replicas: 2 });
  const { at, team } = served;
  const vera = await personWith(served, "Vera", "house", { "": "viewer" });
  const laptop = new Browser(at);
  laptop.setSession((await team.sessions.start(vera.id)).cookie);
  const link = async (): Promise<string> => {
    const made = await laptop.json("/api/devices", {});
    expect(made.status).toBe(201);
    return String(Object(made.body)["link"]);
  };
  const first = await link();
  expect(first).toMatch(new RegExp(`^${at}/device\\?code=cofd_`, "u"));
  // Another replica knows it, and a preview of the link does not use it up.
  const phone = new Browser(served.addresses[1] ?? "");
  const there = first.replace(at, served.addresses[1] ?? "");
  expect((await phone.open(there, { method: "HEAD" })).status).toBe(200);
  const page = await phone.open(there);
  expect(page.text).toContain("<strong>Vera</strong>");
  const forged = { origin: "http://evil.example" };
  expect((await phone.sendForm(page.text, {}, forged)).status).toBe(403);
  const entered = await phone.sendForm(page.text, {});
  expect([entered.status, entered.headers.get("location")]).toEqual([303, "/"]);
  expect((await phone.json("/api/me")).body).toMatchObject({ person: { name: "Vera" } });
  const eve = new Browser(at);
  expect((await eve.open(first)).status).toBe(404);
  expect((await eve.sendForm(page.text, {})).status).toBe(404);
  const [, id = ""] = /cofd_([0-9a-f]+)_/u.exec(await link()) ?? [];
  const guessed = await eve.open(`${at}/device?code=cofd_${id}_${"a".repeat(43)}`);
  expect([guessed.status, guessed.text]).toEqual([404, expect.stringContaining("not valid")]);
  // The secret is no cookie and no token.
  const secret = (await link()).split("=").at(-1) ?? "";
  for (const kind of ["cofs", "cofd"]) {
    eve.setSession(secret.replace("cofd", kind));
    expect((await eve.json("/api/me")).status).toBe(401);
  }
  const late = await link();
  time += 10 * 60_000;
  expect((await eve.open(late)).status).toBe(404);
  for (const token of [vera.token, TOKEN]) {
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${at}/api/devices`, { method: "POST", headers })).status).toBe(403);
  }
  const calls = (await team.audit.list({ person: vera.id, limit: 100 })).map((row) => row.call);
  expect(calls).toEqual(expect.arrayContaining(["device link made", "device link used"]));
});

it("logging out everywhere ends the logins of other browsers and their links, and of nobody else", async () => {
  const served = await home();
  const { at, team } = served;
  const vera = await personWith(served, "Vera", "house", { "": "viewer" });
  const bo = await personWith(served, "Bo", "house", { "": "viewer" });
  const loggedIn = async (person: string): Promise<Browser> => {
    const browser = new Browser(at);
    browser.setSession((await team.sessions.start(person)).cookie);
    return browser;
  };
  const [here, lost, other] = [
    await loggedIn(vera.id),
    await loggedIn(vera.id),
    await loggedIn(bo.id),
  ];
  const link = String(Object((await lost.json("/api/devices", {})).body)["link"]);
  const headers = { authorization: `Bearer ${vera.token}`, "content-type": "application/json" };
  const body = JSON.stringify({ everywhere: true });
  expect((await fetch(`${at}/api/logout`, { method: "POST", headers, body })).status).toBe(403);
  expect((await lost.json("/api/me")).status).toBe(200);
  expect((await here.json("/api/logout", { everywhere: true })).status).toBe(204);
  expect((await lost.json("/api/me")).status).toBe(401);
  expect((await lost.open(link)).status).toBe(404);
  expect((await other.json("/api/me")).status).toBe(200);
  // Tokens are other things, and are revoked one by one.
  expect((await fetch(`${at}/api/me`, { headers })).status).toBe(200);
  const [row] = await team.audit.list({ person: vera.id, limit: 1 });
  expect(row?.call).toBe("logged out everywhere");
});
