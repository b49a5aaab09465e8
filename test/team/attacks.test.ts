import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it, onTestFinished } from "vitest";

import { Provider } from "../../src/team/identity/provider.ts";
import { findVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { forgedTokens } from "./forged-tokens.ts";
import { startProvider } from "./oidc-provider.ts";
import { TOKEN } from "./replica.ts";
import { personWith, servedTeam } from "./served-team.ts";
import { SPELLINGS } from "./spellings.ts";

function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}

it("of 10,000 forged, expired, replayed and misdirected tokens none gets anything over HTTP", async () => {
  const now = (): Date => new Date();
  const oidc = await startProvider(now);
  const provider = new Provider({ issuer: oidc.issuer, now, keyCooldown: 0 });
  const served = await servedTeam({ provider });
  const [at = ""] = served.addresses;
  const { id } = await personWith(served, "Ada", "house", { "": "viewer" });
  const { id: vault } = await findVaultRow(served.database, "house");
  const person = await served.team.people.get(id);
  await served.team.people.link(id, {
    issuer: oidc.issuer,
    subject: "ada",
    name: null,
    email: null,
    isEmailVerified: false,
  });
  const resource = `${at}/v/house`;
  const forged = await forgedTokens({ ...served, oidc, person, vault, resource, now });
  const doors = ["/api/status", "/api/files", "/mcp/update", "/api/events", "/api/raw?path=x.md"];
  const admitted: string[] = [];
  let tried = 0;
  while (tried < 10_000) {
    await Promise.all(
      Array.from({ length: 20 }, async (_, count) => {
        const number = tried + count;
        const token = await forged.make(number);
        const asCookie = number % 7 === 0 && token !== forged.session;
        const answer = await fetch(resource + doors[number % doors.length], {
          headers: asCookie ? { cookie: `coffre-session=${token}` } : bearer(token),
        });
        await answer.body?.cancel();
        if (answer.status !== 401) admitted.push(`${answer.status} ${token}`);
      }),
    );
    tried += 20;
  }
  expect([tried, admitted]).toEqual([10_000, []]);
  for (const headers of [
    bearer(forged.valid),
    bearer(forged.personal),
    { cookie: `coffre-session=${forged.session}` },
  ])
    expect((await fetch(`${resource}/api/status`, { headers })).status).toBe(200);
  // Of those who were not known, nothing was written.
  expect((await served.team.audit.list({ limit: 100 })).length).toBe(3);
  expect(served.bugs).toEqual([]);
});

it("a vault of which nothing is seen is as one that is not there, at every door", async () => {
  const served = await servedTeam();
  const [at = ""] = served.addresses;
  await personWith(served, "Ada", "house", { "": "editor" });
  const eve = await personWith(served, "Eve", "other", { "": "editor" });
  const doors: readonly (readonly [string, string])[] = [
    ["GET", "/api/status"],
    ["GET", "/api/backup"],
    ["GET", "/api/files"],
    ["GET", "/nothing"],
    ["GET", "/api/events"],
    ["POST", "/api/tools/tree"],
    ["POST", "/api/hand-over"],
    ["POST", "/mcp/update"],
    ["DELETE", "/mcp/update"],
  ];
  for (const [method, door] of doors) {
    const answer = async (name: string): Promise<string> => {
      const found = await fetch(`${at}/v/${name}${door}`, { method, headers: bearer(eve.token) });
      const headers = [...found.headers].filter(
        ([header]) => !["date", "x-request-id", "content-length"].includes(header),
      );
      return JSON.stringify([found.status, headers, await found.text()]).replaceAll(name, "NAME");
    };
    expect(await answer("house")).toBe(await answer("nowhere"));
    expect(await answer("house")).toContain("404");
  }
  const { cookie: value } = await served.team.sessions.start(eve.id);
  const headers = { cookie: `coffre-session=${value}`, accept: "text/html" };
  const page = async (name: string): Promise<number> =>
    (await fetch(`${at}/v/${name}/`, { headers })).status;
  expect([await page("house"), await page("nowhere")]).toEqual([404, 404]);
  expect(await (await fetch(`${at}/`, { headers })).text()).not.toContain("house");
  for (const [method, where] of [
    ["GET", "/metrics"],
    ["POST", "/api/vaults"],
  ])
    expect(
      (await fetch(`${at}${where}`, { method: method ?? "", headers: bearer(eve.token) })).status,
    ).toBe(403);
});

it("a person who asks too often waits, and others do not", async () => {
  const served = await servedTeam({ rate: { perSecond: 0.001, burst: 5 } });
  const [at = ""] = served.addresses;
  const ada = await personWith(served, "Ada", "house", { "": "viewer" });
  const bob = await personWith(served, "Bob", "house", { "": "viewer" });
  const second = await served.team.tokens.create({
    person: ada.id,
    name: "second",
    scopes: ["vault:read"],
    expires: new Date(Date.now() + 60_000),
  });
  const ask = async (token: string): Promise<Response> =>
    fetch(`${at}/v/house/api/status`, { headers: bearer(token) });
  const asked: number[] = [];
  for (let count = 0; count < 5; count += 1) asked.push((await ask(ada.token)).status);
  expect(asked).toEqual([200, 200, 200, 200, 200]);
  // Another token of the same person does not help.
  for (const token of [ada.token, second.text]) {
    const refused = await ask(token);
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect(await refused.json()).toMatchObject({ code: "busy", status: 429 });
  }
  expect([(await ask(bob.token)).status, (await ask(TOKEN)).status]).toEqual([200, 200]);
});

it("what concerns the whole vault is an owner's, and no spelling of a path leads out of one's rights", async () => {
  const served = await servedTeam();
  const [at = ""] = served.addresses;
  const ada = await personWith(served, "Ada", "house", { "": "editor", hr: "none" });
  const olga = await served.team.people.get("olga@example.com");
  const { text: owner } = await served.team.tokens.create({
    person: olga.id,
    name: "owner",
    scopes: ["vault:read", "vault:write"],
    expires: new Date(Date.now() + 60_000),
  });
  const send = async (token: string, path: string, body?: object): Promise<Response> =>
    fetch(`${at}/v/house${path}`, {
      headers: bearer(token),
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
  await send(TOKEN, "/api/tools/write", { path: "vault/hr/pay.md", content: "secret pay\n" });
  await send(TOKEN, "/api/tools/write", { path: "vault/open.md", content: "[[pay]] open\n" });
  for (const [path, body] of [
    ["/api/private"],
    ["/api/rescan", {}],
    ["/api/init", { lang: "en" }],
    ["/api/link", {}],
    ["/api/hand-over", {}],
    ["/api/adopt"],
  ] as const) {
    expect([path, (await send(ada.token, path, body)).status]).toEqual([path, 403]);
    expect([path, (await send(owner, path, body)).status]).not.toEqual([path, 403]);
  }
  let tried = 0;
  for (const spelling of SPELLINGS)
    for (const path of [spelling, `vault/${spelling}`]) {
      const query = encodeURIComponent(path);
      const answers = await Promise.all([
        ...["raw", "file", "note", "media", "links", "tree", "history"].map(async (door) =>
          send(ada.token, `/api/${door}?path=${query}`),
        ),
        send(ada.token, `/api/raw?path=${path}`),
        send(ada.token, "/api/tools/read", { paths: [path] }),
        send(ada.token, "/api/tools/concat?profile=search", { files: [path] }),
        send(ada.token, "/api/tools/move", { from: path, to: "vault/mine.md" }),
        send(ada.token, "/api/tools/edit", { path, old_content: "secret", new_content: "x" }),
      ]);
      for (const answer of answers) expect(await answer.text()).not.toContain("secret pay");
      tried += answers.length;
    }
  expect(tried).toBe(SPELLINGS.length * 2 * 12);
  expect(await (await send(owner, "/api/raw?path=vault/hr/pay.md")).text()).toContain("secret pay");
  expect(served.bugs).toEqual([]);
});

it("what a note says is private is read by people who may, and not by what reads for their models", async () => {
  const served = await servedTeam();
  const [at = ""] = served.addresses;
  const ada = await personWith(served, "Ada", "house", { "": "editor", hr: "none" });
  const send = async (path: string, body?: object, headers = {}): Promise<string> =>
    (
      await fetch(`${at}/v/house${path}`, {
        headers: { ...bearer(ada.token), ...headers },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      })
    ).text();
  const content = "---\nprivate: true\n---\n\nthe diary of a kiln\n";
  expect(await send("/api/tools/write", { path: "vault/diary.md", content })).toContain("Created");
  const model = { "coffre-reader": "model" };
  const looks = [
    ["/api/raw?path=vault/diary.md"],
    ["/api/tools/read", { paths: ["vault/diary.md"] }],
    ["/api/tools/search", { queries: ["diary kiln"] }],
  ] as const;
  for (const [path, body] of looks) {
    expect(await send(path, body)).toContain("the diary of a kiln");
    expect(await send(path, body, model)).not.toContain("the diary of a kiln");
  }
  const asked = { name: "read", arguments: { paths: ["vault/diary.md"] } };
  const client = new Client({ name: "test", version: "1" });
  onTestFinished(async () => client.close());
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${at}/v/house/mcp/search`), {
      requestInit: { headers: bearer(ada.token) },
    }),
  );
  expect(JSON.stringify(await client.callTool(asked))).toContain("does not exist");
});
