import { expect, it } from "vitest";

import { coffre, field, type Ran } from "../../src/cli/testing/cli.ts";
import { Team } from "../../src/team/people/team.ts";
import { findVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { Browser } from "./browser.ts";
import { servedTeam } from "./served-team.ts";
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
  ).toContain("notes:vault/hr/ none");
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
