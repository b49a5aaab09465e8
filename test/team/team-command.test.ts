import { expect, it } from "vitest";

import { coffre, field, type Ran } from "../../src/cli/testing/cli.ts";
import { Team } from "../../src/team/people/team.ts";
import { codeOf } from "../../src/testing/expected-error.ts";
import { findVaultRow, makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { Browser } from "./browser.ts";
import { personWith, servedTeam } from "./served-team.ts";
import { emptyDatabase, teamDatabase } from "./team-database.ts";

it("coffre team makes the first owner, invites, gives rights and tokens, and takes them back", async () => {
  const url = await emptyDatabase();
  const run = async (...argv: string[]): Promise<Ran> =>
    coffre(["team", ...argv, "--database", url]);
  const json = async (...argv: string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await run(...argv, "--json");
    expect([code, stderr]).toEqual([0, ""]);
    return JSON.parse(stdout);
  };
  expect((await run()).stdout).toContain("Nobody is there yet.");
  const owner = await run(
    "owner",
    "ada@example.org",
    "--name",
    "Ada",
    "--in",
    "notes",
    "--address",
    "https://notes.example/",
  );
  expect(owner.stdout).toMatch(
    /https:\/\/notes\.example\/invite\?code=cofi_[0-9a-f]{16}_[\w-]{43}\n/u,
  );
  const again = await run("owner", "eve@example.org", "--in", "notes");
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("has an owner already")]);
  const link = field(
    await json("invite", "bob@example.org", "--in", "notes", "--role", "editor"),
    "link",
  );
  const database = await teamDatabase({ url });
  const team = new Team(database, () => new Date());
  const bob = await team.invitations.accept(link.slice(link.indexOf("=") + 1), {
    name: "Bob",
    email: null,
  });
  expect(
    (await run("grant", "bob@example.org", "--in", "notes", "--folder", "hr", "--role", "none"))
      .stdout,
  ).toMatch(/notes:vault\/hr\/ none\nNo folder is called vault\/hr\/ yet/u);
  const row = await findVaultRow(database, "notes");
  const rights = await team.grants.rights(bob.id, row.id);
  expect([rights.mayWrite("a.md"), rights.mayRead("hr/a.md")]).toEqual([true, false]);
  const token = await json(
    "token",
    "bob@example.org",
    "--name",
    "laptop",
    "--read-only",
    "--in",
    "notes",
  );
  expect(await team.tokens.verify(field(token, "token"))).toMatchObject({
    person: { id: bob.id },
    token: { scopes: ["vault:read"], vault: row.id },
  });
  const listed = (await run("people")).stdout;
  expect(listed).toContain("Ada · ada@example.org\n  notes:vault/ owner");
  expect(listed).toMatch(
    /Bob · bob@example\.org\n {2}notes:vault\/ editor\n {2}notes:vault\/hr\/ none\n {2}token [0-9a-f]{16} laptop · /u,
  );
  expect((await run("revoke", field(token, "id"))).code).toBe(0);
  expect(await team.tokens.verify(field(token, "token"))).toBeNull();
  expect((await run("revoke", field(token, "id"))).code).toBe(1);
  await run("revoke", "bob@example.org", "--in", "notes", "--folder", "hr");
  expect((await team.grants.rights(bob.id, row.id)).mayRead("hr/a.md")).toBe(true);
  await run("revoke", "bob@example.org");
  expect((await run("people")).stdout).toContain("Bob · bob@example.org · disabled");
  const last = await run("grant", "ada@example.org", "--in", "notes", "--role", "viewer");
  expect([last.code, last.stderr]).toEqual([1, expect.stringContaining("no owner")]);
});

it("the link of coffre team invite lets a browser in, and lets somebody known in again", async () => {
  const served = await servedTeam();
  const [at = ""] = served.addresses;
  const environment = { COFFRE_PUBLIC_URL: at, COFFRE_DATABASE: served.url };
  const linkOf = async (...argv: string[]): Promise<string> => {
    const { stdout } = await coffre(["team", ...argv, "--in", "notes", "--json"], { environment });
    return field(JSON.parse(stdout), "link");
  };
  const enter = async (link: string, fields: Record<string, string>): Promise<unknown> => {
    const browser = new Browser(at);
    const page = await browser.open(link);
    expect((await browser.sendForm(page.text, fields)).status).toBe(303);
    return (await browser.json("/api/me")).body;
  };
  const ada = { person: { name: "Ada" }, vaults: [{ name: "notes", role: "owner" }] };
  const first = await linkOf("owner", "ada@example.org", "--name", "Ada");
  expect(await enter(first, {})).toMatchObject(ada);
  const bob = await linkOf("invite", "bob@example.org", "--role", "editor");
  expect(await enter(bob, { name: "Bob" })).toMatchObject({ person: { email: "bob@example.org" } });
  expect(await enter(await linkOf("invite", "ada@example.org"), {})).toMatchObject(ada);
});

it("what coffre team changes stands in the audit of each vault that it concerns", async () => {
  const url = await emptyDatabase();
  const run = async (...argv: string[]): Promise<string> => {
    const ran = await coffre(["team", ...argv, "--database", url, "--json"]);
    expect([ran.code, ran.stderr], argv.join(" ")).toEqual([0, ""]);
    return ran.stdout;
  };
  await run("owner", "ada@example.org", "--in", "notes");
  await run("owner", "ada@example.org", "--in", "other");
  const link = field(JSON.parse(await run("invite", "bob@example.org", "--in", "notes")), "id");
  const database = await teamDatabase({ url });
  const team = new Team(database, () => new Date());
  const [ada, bob] = [
    await team.people.get("ada@example.org"),
    await team.people.add("Bob", "bob@example.org"),
  ];
  await run("grant", bob.id, "--in", "notes", "--folder", "hr", "--role", "viewer");
  const all = field(JSON.parse(await run("token", ada.id, "--name", "all")), "id");
  const one = field(JSON.parse(await run("token", bob.id, "--name", "one", "--in", "notes")), "id");
  await run("revoke", all);
  await run("revoke", link);
  await run("revoke", bob.id, "--in", "notes", "--folder", "hr");
  await run("revoke", ada.id);
  const calls = async (vault: string): Promise<(readonly string[])[]> =>
    (await team.audit.list({ vault, limit: 100 }))
      .toReversed()
      .map(({ call, paths }) => [call, ...paths]);
  const invited = expect.stringMatching(/^[0-9a-f]{16}$/u);
  expect(await calls("notes")).toEqual([
    [`granted owner to ada@example.org (${ada.id})`, "vault/"],
    ["invited", invited],
    ["invited", link],
    [`granted viewer to Bob (${bob.id})`, "vault/hr/"],
    [`token made for ada@example.org (${ada.id})`, all],
    [`token made for Bob (${bob.id})`, one],
    ["token revoked", all],
    ["invitation revoked", link],
    [`granted nothing to Bob (${bob.id})`, "vault/hr/"],
    [`shut out ada@example.org (${ada.id})`],
  ]);
  expect(await calls("other")).toEqual([
    [`granted owner to ada@example.org (${ada.id})`, "vault/"],
    ["invited", invited],
    [`token made for ada@example.org (${ada.id})`, all],
    ["token revoked", all],
    [`shut out ada@example.org (${ada.id})`],
  ]);
  const [row] = await team.audit.list({ vault: "notes", limit: 1 });
  expect(row).toMatchObject({ person: null, client: "coffre team", credential: "operator" });
  // What is refused leaves neither a change nor a row.
  const refused = await coffre(["team", "revoke", all, "--database", url]);
  expect([refused.code, (await calls("notes")).length]).toEqual([1, 10]);
});

it("coffre team revoke takes all that somebody has in a vault, and shuts out so that a link lets in again", async () => {
  const served = await servedTeam();
  const [at = ""] = served.addresses;
  const { team, url } = served;
  const environment = { COFFRE_PUBLIC_URL: at, COFFRE_DATABASE: url };
  const run = async (...argv: string[]): Promise<Ran> => coffre(["team", ...argv], { environment });
  const enter = async (link: string): Promise<unknown> => {
    const browser = new Browser(at);
    const page = await browser.open(link);
    if (page.status !== 200) return page.status;
    expect((await browser.sendForm(page.text, {})).status).toBe(303);
    return (await browser.json("/api/me")).body;
  };
  const linkOf = (text: string): string => /https?:\S+/u.exec(text)?.[0] ?? text;
  await run("owner", "ada@example.org", "--name", "Ada", "--in", "notes");
  await run("owner", "olga@example.org", "--name", "Olga", "--in", "other");
  const bob = await team.people.add("Bob", "bob@example.org");
  for (const [place, role] of [
    ["notes", "editor"],
    ["other", "viewer"],
  ] as const) {
    expect((await run("grant", bob.id, "--in", place, "--role", role)).stderr).toBe("");
  }
  await run("grant", bob.id, "--in", "notes", "--folder", "hr", "--role", "viewer");
  const tokenOf = async (...more: string[]): Promise<string> =>
    field(
      JSON.parse((await run("token", bob.id, "--name", "x", ...more, "--json")).stdout),
      "token",
    );
  const [own, wide] = [await tokenOf("--in", "notes"), await tokenOf()];
  const before = linkOf((await run("invite", "bob@example.org", "--in", "notes")).stdout);
  expect((await run("revoke", "bob@example.org", "--in", "notes")).code).toBe(0);
  const row = await findVaultRow(served.database, "notes");
  expect((await team.grants.rights(bob.id, row.id)).seesSomething).toBe(false);
  expect(await team.tokens.verify(own)).toBeNull();
  expect(await team.tokens.verify(wide)).not.toBeNull();
  // A link for him that was open would bring him back.
  expect(await enter(before)).toBe(404);

  expect((await run("revoke", "bob@example.org")).stdout).toBe("Revoked: bob@example.org.\n");
  expect(await team.tokens.verify(wide)).toBeNull();
  const refused = await run("token", bob.id, "--name", "y");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("was shut out")]);
  const again = await run("invite", "bob@example.org", "--in", "notes", "--role", "viewer");
  expect(again.stdout).toContain("Bob was shut out.");
  expect(again.stdout).toContain("  other:vault/ viewer");
  // Whom an owner invites is not let in again: only whoever runs the service shut him out.
  const ada = await team.people.get("ada@example.org");
  const expires = new Date(Date.now() + 3_600_000);
  const owners = { vault: row.id, role: "viewer", person: bob.id, invitedBy: ada.id } as const;
  const { text } = await team.invitations.create({ ...owners, expires });
  expect(await codeOf(async () => team.invitations.accept(text, bob))).toBe("no_permission");
  expect((await team.people.get(bob.id)).disabled).not.toBeNull();
  expect(await enter(linkOf(again.stdout))).toMatchObject({
    person: { id: bob.id },
    vaults: [
      { name: "notes", role: "viewer" },
      { name: "other", role: "viewer" },
    ],
  });
  expect(await team.tokens.verify(wide)).toBeNull();

  const last = await run("revoke", "ada@example.org");
  expect(last.stdout).toContain("Nobody owns the vault notes any more.");
  const eve = await run("owner", "eve@example.org", "--name", "Eve", "--in", "notes");
  expect(await enter(linkOf(eve.stdout))).toMatchObject({ vaults: [{ role: "owner" }] });
  expect((await run("owner", "ada@example.org", "--in", "notes")).stderr).toContain(
    "an owner already",
  );
  await run("revoke", "eve@example.org");
  const back = await run("owner", "ada@example.org", "--in", "notes");
  expect(await enter(linkOf(back.stdout))).toMatchObject({ person: { id: ada.id } });
  expect(served.bugs).toEqual([]);
});

it("coffre team audit lists and exports, and says what is missing in a command line", async () => {
  const url = await emptyDatabase();
  const database = await teamDatabase({ url });
  const team = new Team(database, () => new Date());
  const ada = await team.people.add("Ada", "ada@example.org");
  const event = {
    vault: "notes",
    person: ada,
    credential: "oidc",
    client: "page",
    paths: ["a.md"],
    batch: null,
    address: "10.0.0.1",
    outcome: "done",
  };
  const run = async (...argv: string[]): Promise<Ran> => coffre(["team", ...argv]);
  expect((await run("audit", "--database", url)).stdout).toBe("Nothing was recorded.\n");
  await team.audit.add({ ...event, call: "write" });
  await team.audit.add({ ...event, call: "delete", person: null });
  expect((await run("audit", "ada@example.org", "--days", "1", "--database", url)).stdout).toMatch(
    / · Ada · page · write · a\.md · 10\.0\.0\.1 · done\n$/u,
  );
  const lines = (await run("audit", "--in", "notes", "--json", "--database", url)).stdout
    .trim()
    .split("\n");
  expect(lines.map((line) => field(JSON.parse(line), "call"))).toEqual(["write", "delete"]);
  for (const argv of [
    ["people"],
    ["invite", "--database", url],
    ["grant", "ada@example.org", "--database", url],
    ["token", "ada@example.org", "--database", url],
  ])
    expect((await run(...argv)).code, argv.join(" ")).toBe(2);
});

it("coffre team logs somebody out everywhere, and gives them another name", async () => {
  const url = await emptyDatabase();
  const run = async (...argv: string[]): Promise<Ran> =>
    coffre(["team", ...argv, "--database", url]);
  await run("owner", "ada@example.org", "--name", "Ada", "--in", "notes");
  const team = new Team(await teamDatabase({ url }), () => new Date());
  const { id } = await team.people.get("ada@example.org");
  const { cookie } = await team.sessions.start(id);
  const out = await run("logout", "ada@example.org");
  expect([out.code, out.stdout]).toEqual([
    0,
    expect.stringContaining("Ada is logged out everywhere."),
  ]);
  expect(await team.sessions.verify(cookie)).toBeNull();
  expect((await run("name", "ada@example.org")).stderr).toContain("--name is missing");
  const named = await run("name", "ada@example.org", "--name", " Ada Lovelace ");
  expect(named.stdout).toContain("Ada is called Ada Lovelace now.");
  expect((await team.people.get(id)).name).toBe("Ada Lovelace");
  expect((await run("name", id, "--name", " ")).code).toBe(1);
  const calls = (await team.audit.list({ vault: "notes", limit: 2 })).map((row) => row.call);
  expect(calls).toEqual([`renamed Ada (${id})`, `logged out Ada (${id})`]);
});

it("coffre team people lists what it takes back: open invitations, in vaults without people too, and when somebody was last there", async () => {
  const served = await servedTeam();
  const run = async (...argv: string[]): Promise<Ran> =>
    coffre(["team", ...argv, "--database", served.url]);
  const vera = await personWith(served, "Vera", "house", { "": "viewer" });
  await makeVaultRow(served.database, "empty");
  await run("invite", "bob@example.org", "--in", "empty", "--role", "editor");
  const before = (await run("people")).stdout;
  expect(before).toContain("Vera · vera@example.com\n  house:vault/ viewer\n");
  const [, id = ""] =
    /^empty:vault\/ · nobody has a role here\n {2}invitation ([0-9a-f]{16}) editor bob@example\.org · /mu.exec(
      before,
    ) ?? [];
  expect((await run("revoke", id)).code).toBe(0);
  expect((await run("people")).stdout).not.toContain("invitation");
  const headers = { authorization: `Bearer ${vera.token}` };
  expect((await fetch(`${served.addresses[0]}/v/house/api/status`, { headers })).status).toBe(200);
  await expect
    .poll(async () => (await run("people")).stdout, { timeout: 60_000 })
    .toMatch(/^Vera · vera@example\.com\n {2}last seen \d/mu);
});
