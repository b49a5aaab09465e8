import { describe, expect, it, onTestFinished } from "vitest";

import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { Browser } from "./browser.ts";
import { TOKEN } from "./replica.ts";
import { personWith, servedTeam, type ServedTeam } from "./served-team.ts";

const DAY = 86_400_000;

let served: ServedTeam;

async function start(options: Parameters<typeof servedTeam>[0] = {}): Promise<string> {
  served = await servedTeam(options);
  const { bugs } = served;
  onTestFinished(() => {
    if (bugs.length > 0) throw new Error(bugs.join("\n"));
  });
  return served.addresses[0] ?? "";
}

/** Sends JSON with a token, and gives the status and what was answered. */
async function call(
  where: string,
  token: string,
  body?: unknown,
  method = body === undefined ? "GET" : "POST",
): Promise<readonly [number, unknown]> {
  const answer = await fetch(where, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return [answer.status, text === "" ? null : JSON.parse(text)];
}

/** Of a credential what is secret, which may have the character in it that parts it from its id. */
function secretPart(text: string): string {
  return text.split("_").slice(2).join("_") || text;
}

function textAt(value: unknown, ...keys: readonly (string | number)[]): string {
  let at: unknown = value;
  for (const key of keys) at = Object(at)[key];
  return String(at);
}

/** A vault with an owner, a browser of theirs, and its address. */
async function owned(
  at: string,
  name: string,
): Promise<{ readonly vault: string; readonly owner: Browser; readonly ownerId: string }> {
  const row = await makeVaultRow(served.database, name);
  const person = await served.team.firstOwner(row.id, `Owner of ${name}`, `${name}@example.com`);
  const owner = new Browser(at);
  owner.setSession((await served.team.sessions.start(person.id)).cookie);
  return { vault: `${at}/v/${name}`, owner, ownerId: person.id };
}

describe("an invitation", () => {
  it("leads from a link over a form to a session, and works once", async () => {
    const at = await start();
    const { vault, owner } = await owned(at, "house");
    const made = await owner.json(`${vault}/api/team/invitations`, { role: "editor" });
    expect(made.status).toBe(201);
    const link = textAt(made.body, "link");
    expect(link).toMatch(new RegExp(`^${at}/invite\\?code=cofi_`, "u"));
    const bob = new Browser(at);
    // Programs that preview links change nothing.
    expect((await bob.open(link, { method: "HEAD" })).status).toBe(200);
    const page = await bob.open(link);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining("house")]);
    expect(page.text).toContain('<meta name="referrer" content="same-origin">');
    const sent = await bob.sendForm(page.text, { name: "Bob <b>" });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, "/v/house/"]);
    expect(bob.attributesOf("coffre-session")).toMatch(/; HttpOnly; SameSite=Lax$/u);
    const me = await bob.json(`${at}/api/me`);
    expect(me.body).toMatchObject({
      operator: false,
      person: { name: "Bob <b>", email: null },
      vaults: [{ name: "house", address: "/v/house/", role: "editor", isOwner: false }],
      login: { oidc: false },
    });
    const next = await owner.json(`${vault}/api/team/invitations`, { role: "viewer" });
    const again = await bob.open(textAt(next.body, "link"));
    expect(again.text).toContain("<strong>Bob &lt;b&gt;</strong>");
    const path = `${vault}/api/team/invitations/${textAt(next.body, "id")}`;
    expect((await owner.json(path, null, "DELETE")).status).toBe(204);
    const eve = new Browser(at);
    expect((await eve.open(link)).status).toBe(404);
    expect((await eve.sendForm(page.text, { name: "Eve" })).status).toBe(404);
    expect((await eve.json(`${at}/api/me`)).status).toBe(401);
    const team = await owner.json(`${vault}/api/team`);
    expect(team.body).toMatchObject({
      people: [
        { person: { name: "Bob <b>" }, grants: [{ folder: "vault/", role: "editor" }] },
        { person: { name: "Owner of house" }, grants: [{ folder: "vault/", role: "owner" }] },
      ],
      invitations: [],
    });
  });

  it("ends, is taken back by owners of its own vault only, and is for one vault", async () => {
    let time = Date.now();
    const at = await start({ now: () => new Date(time) });
    const house = await owned(at, "house");
    const other = await owned(at, "other");
    const invite = async (): Promise<unknown> =>
      (await house.owner.json(`${house.vault}/api/team/invitations`, { role: "viewer", days: 1 }))
        .body;
    const [first, second] = [await invite(), await invite()];
    const path = `/api/team/invitations/${textAt(first, "id")}`;
    expect((await other.owner.json(`${other.vault}${path}`, null, "DELETE")).status).toBe(404);
    expect((await other.owner.json(`${house.vault}${path}`, null, "DELETE")).status).toBe(404);
    expect((await house.owner.json(`${house.vault}${path}`, null, "DELETE")).status).toBe(204);
    const visitor = new Browser(at);
    expect((await visitor.open(textAt(first, "link"))).status).toBe(404);
    const page = await visitor.open(textAt(second, "link"));
    time += DAY;
    expect((await visitor.sendForm(page.text, { name: "Late" })).status).toBe(404);
    expect((await visitor.open(textAt(second, "link"))).status).toBe(404);
    for (const code of ["", "x", "cofi_0000000000000000_" + "a".repeat(43)])
      expect((await visitor.open(`${at}/invite?code=${code}`)).status).toBe(404);
  });

  it("adds a vault to somebody who is logged in, without asking for a name", async () => {
    const at = await start();
    const house = await owned(at, "house");
    const other = await owned(at, "other");
    const made = await house.owner.json(`${house.vault}/api/team/invitations`, { role: "viewer" });
    const page = await other.owner.open(textAt(made.body, "link"));
    expect(page.text).toContain("Owner of other");
    expect(page.text).not.toContain('name="name"');
    expect((await other.owner.sendForm(page.text, {})).status).toBe(303);
    const me = await other.owner.json(`${at}/api/me`);
    expect(me.body).toMatchObject({
      vaults: [
        { name: "house", role: "viewer", isOwner: false },
        { name: "other", role: "owner", isOwner: true },
      ],
    });
  });

  it("of the operator lets somebody known in again; one of an owner never does", async () => {
    const at = await start();
    const { vault, owner, ownerId } = await owned(at, "house");
    const other = await owned(at, "other");
    const body = { role: "viewer", email: "house@example.com" };
    const [, again] = await call(`${vault}/api/team/invitations`, TOKEN, body);
    const browser = new Browser(at);
    const page = await browser.open(textAt(again, "link"));
    expect(page.text).toContain("Owner of house");
    expect((await browser.sendForm(page.text, {})).status).toBe(303);
    expect((await browser.json(`${at}/api/me`)).body).toMatchObject({
      person: { id: ownerId },
      vaults: [{ name: "house", role: "owner" }],
    });
    const tricked = await other.owner.json(`${other.vault}/api/team/invitations`, body);
    const eve = new Browser(at);
    const form = await eve.open(textAt(tricked.body, "link"));
    expect((await eve.sendForm(form.text, { name: "Eve" })).status).toBe(303);
    expect((await eve.json(`${at}/api/me`)).body).toMatchObject({
      person: { name: "Eve", email: null },
      vaults: [{ name: "other", role: "viewer" }],
    });
    expect((await owner.json(`${vault}/api/team`)).status).toBe(200);
  });

  it("is refused when another site sends its form, and so is every change of a session", async () => {
    const at = await start();
    const { vault, owner } = await owned(at, "house");
    const made = await owner.json(`${vault}/api/team/invitations`, { role: "viewer" });
    const bob = new Browser(at);
    const page = await bob.open(textAt(made.body, "link"));
    const forged = { origin: "http://evil.example" };
    expect((await bob.sendForm(page.text, { name: "Bob" }, forged)).status).toBe(403);
    const invite = `${vault}/api/team/invitations`;
    for (const headers of [forged, { origin: "", "sec-fetch-site": "cross-site" }, { origin: "" }])
      expect((await owner.json(invite, { role: "owner" }, "POST", headers)).status).toBe(403);
    const logout = `${at}/api/logout`;
    expect((await owner.json(logout, {}, "POST", { origin: "" })).status).toBe(403);
    expect((await owner.json(`${at}/api/me`)).status).toBe(200);
  });
});

it("the login page says in both languages how to come in, and sends who is in on", async () => {
  const at = await start();
  const { owner } = await owned(at, "house");
  const visitor = new Browser(at);
  expect((await visitor.open(`${at}/login`)).text).toContain("invitation link");
  const french = await visitor.open(`${at}/login`, { headers: { "accept-language": "fr" } });
  expect(french.text).toContain("lien d’invitation");
  const view = await visitor.open(`${at}/v/house/`, { headers: { accept: "text/html" } });
  expect([view.status, view.text]).toEqual([401, expect.stringContaining("invitation link")]);
  const entered = await owner.open(`${at}/login?to=/v/house/inbox`);
  expect([entered.status, entered.headers.get("location")]).toEqual([303, "/v/house/inbox"]);
  for (const to of ["//evil.example/", "https://evil.example/", "/\\evil.example"])
    expect(
      (await owner.open(`${at}/login?to=${encodeURIComponent(to)}`)).headers.get("location"),
    ).toBe("/");
});

it("whoever asks to come in again and again has to wait, and others do not", async () => {
  const time = new Date();
  const publicUrl = new URL("http://notes.example");
  const at = await start({ now: () => time, publicUrl });
  const statusOf = async (path: string, from: string): Promise<number> =>
    (await fetch(at + path, { headers: { "x-forwarded-for": from } })).status;
  for (let count = 0; count < 100; count += 1) {
    expect(await statusOf("/login", "10.0.0.1")).toBe(200);
    expect(await statusOf("/invite?code=x", "10.0.0.1")).toBe(404);
  }
  const tired = ["/login", "/invite?code=x", "/login/oidc", "/login/callback"];
  for (const path of tired) expect(await statusOf(path, "10.0.0.1")).toBe(429);
  expect(await statusOf("/login", "10.0.0.2")).toBe(200);
  expect(await statusOf("/healthz", "10.0.0.1")).toBe(200);
});

it("a logout ends the session at once, on every replica", async () => {
  const at = await start({ replicas: 2 });
  const { owner } = await owned(at, "house");
  const session = owner.cookie("coffre-session");
  expect((await owner.json(`${at}/api/logout`, {})).status).toBe(204);
  expect(owner.cookie("coffre-session")).toBe("");
  for (const address of served.addresses) {
    const thief = new Browser(address);
    thief.setSession(session);
    expect((await thief.json(`${address}/api/me`)).status).toBe(401);
  }
});

describe("a personal token", () => {
  it("is made by who is logged in, told once, used, listed and revoked, from the next call on", async () => {
    const at = await start();
    const { vault, owner } = await owned(at, "house");
    const body = { name: "laptop", vault: "house", folder: "vault/work", scopes: ["vault:read"] };
    const made = await owner.json(`${at}/api/tokens`, body);
    expect([made.status, made.body]).toEqual([
      201,
      {
        secret: expect.stringMatching(/^cof_/u),
        token: expect.objectContaining({ name: "laptop", vault: "house", folder: "vault/work/" }),
      },
    ]);
    const secret = textAt(made.body, "secret");
    const me = `${vault}/api/me`;
    expect(await call(me, secret)).toEqual([
      200,
      {
        operator: false,
        person: expect.objectContaining({ name: "Owner of house" }),
        role: "none",
        mayWrite: false,
        isOwner: false,
        folders: [{ folder: "vault/work/", role: "viewer" }],
      },
    ]);
    const listed = await owner.json(`${at}/api/tokens`);
    expect(listed.body).toMatchObject({ tokens: [{ lastUsed: expect.any(String) }] });
    expect(JSON.stringify(listed.body)).not.toContain(secretPart(secret));
    expect((await owner.json(`${vault}/api/team`)).body).toMatchObject({
      tokens: [{ name: "laptop", person: { name: "Owner of house" } }],
    });
    const id = textAt(made.body, "token", "id");
    expect((await owner.json(`${at}/api/tokens/${id}`, null, "DELETE")).status).toBe(204);
    expect((await call(me, secret))[0]).toBe(401);
    expect((await owner.json(`${at}/api/tokens/${id}`, null, "DELETE")).status).toBe(404);
  });

  it("makes no other token, is nobody else's to revoke, and is made for no vault that is hidden", async () => {
    const at = await start();
    const house = await owned(at, "house");
    const other = await owned(at, "other");
    const made = await house.owner.json(`${at}/api/tokens`, { name: "all" });
    const secret = textAt(made.body, "secret");
    expect((await call(`${at}/api/tokens`, secret, { name: "more" }))[0]).toBe(403);
    expect((await call(`${at}/api/tokens`, TOKEN))[0]).toBe(403);
    const id = textAt(made.body, "token", "id");
    const path = `${at}/api/tokens/${id}`;
    expect((await other.owner.json(path, null, "DELETE")).status).toBe(404);
    const hidden = await house.owner.json(`${at}/api/tokens`, { name: "x", vault: "other" });
    const missing = await house.owner.json(`${at}/api/tokens`, { name: "x", vault: "nowhere" });
    expect([hidden.status, missing.status]).toEqual([404, 404]);
    expect(textAt(hidden.body, "detail").replace("other", "nowhere")).toBe(
      textAt(missing.body, "detail"),
    );
    for (const bad of [
      { name: "" },
      { name: "x", days: 400 },
      { name: "x", scopes: [] },
      { name: "x", folder: "work" },
    ])
      expect((await house.owner.json(`${at}/api/tokens`, bad)).status).toBe(400);
  });
});

describe("administration", () => {
  it("is for owners: viewers and editors, and tokens that may only read, are refused", async () => {
    const at = await start();
    const { vault, ownerId } = await owned(at, "house");
    const viewer = await personWith(served, "Vera", "house", { "": "viewer" });
    const editor = await personWith(served, "Ed", "house", { "": "editor" });
    const partly = await personWith(served, "Pia", "house", { work: "editor" });
    const expires = new Date(Date.now() + DAY);
    const reading = await served.team.tokens.create({
      person: ownerId,
      name: "reading",
      scopes: ["vault:read"],
      expires,
    });
    const stranger = await personWith(served, "Sue", "other", { "": "owner" });
    const asked = [
      ["GET", "/api/team"],
      ["GET", "/api/team/audit"],
      ["GET", "/api/team/audit?format=csv"],
      ["POST", "/api/team/invitations"],
      ["DELETE", "/api/team/invitations/x"],
      ["POST", "/api/team/grants"],
      ["DELETE", `/api/team/people/${editor.id}`],
      ["DELETE", `/api/team/tokens/${editor.tokenId}`],
    ] as const;
    for (const [method, path] of asked) {
      const body = method === "POST" ? {} : undefined;
      for (const token of [viewer.token, editor.token, partly.token, reading.text])
        expect([path, (await call(vault + path, token, body, method))[0]]).toEqual([path, 403]);
      expect([path, (await call(vault + path, stranger.token, body, method))[0]]).toEqual([
        path,
        404,
      ]);
      expect((await fetch(vault + path, { method })).status).toBe(401);
    }
    for (const token of [viewer.token, stranger.token])
      expect((await call(`${at}/api/vaults`, token, { name: "new" }))[0]).toBe(403);
  });

  it("gives, lowers and takes away roles, from the next call on, and leaves no vault without an owner", async () => {
    const at = await start();
    const { vault, owner, ownerId } = await owned(at, "house");
    const ed = await personWith(served, "Ed", "house", { "": "viewer" });
    const grant = async (body: unknown): Promise<unknown> =>
      (await owner.json(`${vault}/api/team/grants`, body)).body;
    expect(await grant({ person: ed.id, folder: "vault/hr/", role: "none" })).toEqual({
      grants: [
        { folder: "vault/", role: "viewer" },
        { folder: "vault/hr/", role: "none" },
      ],
      // There is no such folder, so the role hides nothing.
      isMissing: true,
    });
    await call(`${vault}/api/tools/write`, TOKEN, { path: "vault/hr/pay.md", content: "# Pay\n" });
    expect(await grant({ person: ed.id, folder: "vault/hr/", role: "none" })).not.toHaveProperty(
      "isMissing",
    );
    await grant({ person: ed.id, folder: "vault/work", role: "editor" });
    const me = `${vault}/api/me`;
    // What is hidden is not told to whom it is hidden from.
    expect((await call(me, ed.token))[1]).toMatchObject({
      role: "viewer",
      folders: [{ folder: "vault/work/", role: "editor" }],
    });
    expect(await grant({ person: ed.id, folder: "vault/hr", role: null })).toMatchObject({
      grants: [{ folder: "vault/" }, { folder: "vault/work/" }],
    });
    expect(textAt(await grant({ person: ownerId, role: "viewer" }), "code")).toBe("conflict");
    expect(textAt(await grant({ person: ed.id, folder: "work", role: "owner" }), "code")).toBe(
      "invalid_argument",
    );
    await grant({ person: ed.id, role: "owner" });
    expect((await call(me, ed.token))[1]).toMatchObject({ role: "owner", isOwner: true });
    const bound = await served.team.tokens.create({
      person: ed.id,
      name: "bound",
      scopes: ["vault:read"],
      expires: new Date(Date.now() + DAY),
      vault: (await makeVaultRow(served.database, "house")).id,
    });
    const removed = await owner.json(`${vault}/api/team/people/${ed.id}`, null, "DELETE");
    expect(removed.status).toBe(204);
    // With the name, which says who it was once they are gone.
    const [last] = await served.team.audit.list({ vault: "house", limit: 1 });
    expect(last?.call).toBe(`removed Ed (${ed.id})`);
    expect([(await call(me, ed.token))[0], (await call(me, bound.text))[0]]).toEqual([404, 401]);
    // Their own login is theirs.
    expect((await call(`${at}/api/me`, ed.token))[1]).toMatchObject({ vaults: [] });
    const refused = await owner.json(`${vault}/api/team/people/${ownerId}`, null, "DELETE");
    expect(refused.status).toBe(409);
  });

  it("of one vault reaches nobody and nothing of another", async () => {
    const at = await start();
    const house = await owned(at, "house");
    const both = await personWith(served, "Bo", "other", { "": "editor" });
    const row = await makeVaultRow(served.database, "house");
    const other = await makeVaultRow(served.database, "other");
    const only = await personWith(served, "Oda", "other", { "": "viewer" });
    await served.team.grants.set(both.id, row.id, "", "viewer");
    const given = { person: both.id, name: "x", expires: new Date(Date.now() + DAY) };
    const scopes = ["vault:read"] as const;
    const elsewhere = await served.team.tokens.create({ ...given, scopes, vault: other.id });
    const team = `${house.vault}/api/team`;
    const { owner } = house;
    // Neither by id nor by address, and as for somebody who does not exist.
    for (const person of [only.id, "oda@example.com", "nobody"]) {
      const answer = await owner.json(`${team}/grants`, { person, role: "viewer" });
      expect([answer.status, textAt(answer.body, "detail").replace(person, "X")]).toEqual([
        404,
        'Nobody of this vault has the id "X". Invite whoever should have a role in it.',
      ]);
    }
    for (const path of [
      `people/${only.id}`,
      `tokens/${elsewhere.token.id}`,
      `tokens/${both.tokenId}`,
    ])
      expect([path, (await owner.json(`${team}/${path}`, null, "DELETE")).status]).toEqual([
        path,
        404,
      ]);
    expect((await owner.json(team)).body).toMatchObject({ tokens: [] });
    expect((await owner.json(`${team}/people/${both.id}`, null, "DELETE")).status).toBe(204);
    for (const token of [both.token, elsewhere.text])
      expect((await call(`${at}/v/other/api/me`, token))[0]).toBe(200);
    expect((await owner.json(`${at}/v/other/api/team`)).status).toBe(404);
    expect((await owner.json(`${at}/v/other/api/me`)).status).toBe(404);
  });

  it("is the operator's in every vault, who makes vaults and first owners", async () => {
    const at = await start();
    expect((await call(`${at}/api/vaults`, TOKEN, { name: "new" }))[0]).toBe(201);
    const [status, invited] = await call(`${at}/v/new/api/team/invitations`, TOKEN, {
      role: "owner",
      email: "ada@example.com",
    });
    expect(status).toBe(201);
    const ada = new Browser(at);
    const page = await ada.open(textAt(invited, "link"));
    expect((await ada.sendForm(page.text, { name: "Ada" })).status).toBe(303);
    expect((await ada.json(`${at}/v/new/api/me`)).body).toMatchObject({
      person: { name: "Ada", email: "ada@example.com" },
      isOwner: true,
    });
    expect((await call(`${at}/v/new/api/team`, TOKEN))[1]).toMatchObject({
      people: [{ person: { name: "Ada" } }],
    });
    const bea = await served.team.people.add("Bea", "bea@example.com");
    const grant = { person: "bea@example.com", role: "editor" };
    expect((await call(`${at}/v/new/api/team/grants`, TOKEN, grant))[0]).toBe(200);
    expect((await call(`${at}/api/me`, TOKEN))[1]).toEqual({
      operator: true,
      person: null,
      vaults: [{ name: "new", address: "/v/new/", role: "owner", isOwner: true }],
      login: { oidc: false },
    });
    const team = await ada.json(`${at}/v/new/api/team`);
    expect(textAt(team.body, "people", 1, "person", "id")).toBe(bea.id);
  });
});

it("the audit is read page by page, exported, and tells of nothing of another vault", async () => {
  const at = await start();
  const { vault, owner } = await owned(at, "house");
  await owned(at, "other");
  const event = {
    vault: "house",
    person: { id: "p", name: "=cmd()" },
    credential: "token t",
    client: '"quoted", and more',
    call: "write",
    paths: ["vault/a.md", "vault/b.md"],
    batch: null,
    address: "127.0.0.1",
    outcome: "done",
  };
  for (let count = 0; count < 5; count += 1) await served.team.audit.add(event);
  await served.team.audit.add({ ...event, vault: "other", call: "elsewhere" });
  const audit = `${vault}/api/team/audit`;
  const first = await owner.json(`${audit}?person=p&limit=3`);
  expect(first.body).toMatchObject({ rows: [{ call: "write" }, {}, {}], next: expect.any(Number) });
  const more = await owner.json(`${audit}?person=p&limit=3&before=${textAt(first.body, "next")}`);
  expect(more.body).toMatchObject({ rows: [{}, {}], next: null });
  const look = { ...event, person: { id: "q", name: "Q" }, paths: [] };
  for (const looked of ["GET /api/tree", "read", "POST /api/search"])
    await served.team.audit.add({ ...look, call: looked });
  await served.team.audit.add({ ...look, call: "edit", batch: "b" });
  await served.team.audit.add({ ...look, call: "removed Bo (3f2a)" });
  const callsOf = (body: unknown): unknown =>
    Object(body)["rows"].map((row: object) => textAt(row, "call"));
  const made = await owner.json(`${audit}?person=q&changes=true`);
  expect(callsOf(made.body)).toEqual(["removed Bo (3f2a)", "edit"]);
  expect(callsOf((await owner.json(`${audit}?person=q`)).body)).toHaveLength(5);
  const file = (await owner.open(`${audit}?person=q&changes=true&format=ndjson`)).text;
  expect(
    file
      .trimEnd()
      .split("\n")
      .map((line) => textAt(JSON.parse(line), "call")),
  ).toEqual(["edit", "removed Bo (3f2a)"]);
  const csv = await owner.open(`${audit}?format=csv`);
  expect(csv.headers.get("content-disposition")).toContain("house-audit.csv");
  expect(csv.text).toContain(
    `,p,'=cmd(),token t,"""quoted"", and more",write,"vault/a.md\nvault/b.md"`,
  );
  expect(csv.text).not.toContain("elsewhere");
  const lines = (await owner.open(`${audit}?format=ndjson&person=p`)).text.trimEnd().split("\n");
  expect(lines.map((line) => textAt(JSON.parse(line), "call"))).toEqual(Array(5).fill("write"));
  const future = new Date(Date.now() + DAY).toISOString();
  expect((await owner.json(`${audit}?since=${future}`)).body).toEqual({ rows: [], next: null });
  expect((await owner.json(`${audit}?since=yesterday`)).status).toBe(400);
});

it("what people do with secrets is in the audit, and no secret is in it or in a log", async () => {
  const lines: string[] = [];
  const keep = (facts: object, message: string): void => {
    lines.push(JSON.stringify(facts), message);
  };
  const at = await start({ log: { info: keep, error: keep } });
  const { vault, owner } = await owned(at, "house");
  const made = await owner.json(`${at}/api/tokens`, { name: "laptop" });
  const invited = await owner.json(`${vault}/api/team/invitations`, { role: "viewer" });
  const link = textAt(invited.body, "link");
  const bob = new Browser(at);
  await bob.sendForm((await bob.open(link)).text, { name: "Bob" });
  const token = textAt(made.body, "secret");
  await call(`${vault}/api/status`, token);
  await call(`${vault}/api/status?key=${token}`, TOKEN);
  await call(`${vault}/api/status`, TOKEN);
  await owner.json(`${at}/api/logout`, {});
  const audit = (await call(`${vault}/api/team/audit`, TOKEN))[1];
  const calls = (await served.team.audit.list({ limit: 100 })).map((row) => row.call);
  expect(calls).toEqual(expect.arrayContaining(["invited", "invitation accepted", "token made"]));
  const told = [...lines, JSON.stringify(audit)].join("\n");
  expect(told).toContain("/api/status");
  const secrets = [token, link, bob.cookie("coffre-session"), TOKEN];
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(20);
    expect(told).not.toContain(secretPart(secret));
  }
});
