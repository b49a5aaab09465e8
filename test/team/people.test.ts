import { expect, it } from "vitest";

import { openTeamVault } from "../../src/compose-team.ts";
import type { Postgres } from "../../src/storage/postgres/postgres.ts";
import { Team } from "../../src/team/people/team.ts";
import { personView, PersonViews } from "../../src/team/rights/person-view.ts";
import { Rights } from "../../src/team/rights/rights.ts";
import { codeOf } from "../../src/testing/expected-error.ts";
import { create, move } from "../../src/testing/suites/changes.ts";
import { makeVaultRow, type VaultRow } from "../../src/vault/postgres/vault-row.ts";
import { emptyDatabase, teamDatabase } from "./team-database.ts";

const DAY = 86_400_000;

async function newTeam(): Promise<{
  database: Postgres;
  team: Team;
  row: VaultRow;
  wait: (ms: number) => void;
  now: () => Date;
}> {
  let time = Date.now();
  const now = (): Date => new Date(time);
  const database = await teamDatabase({ url: await emptyDatabase() });
  const row = await makeVaultRow(database, "main");
  const wait = (ms: number): void => {
    time += ms;
  };
  return { database, team: new Team(database, now), row, now, wait };
}

it("a vault has a first owner once, and never none", async () => {
  const { team, row } = await newTeam();
  const both = await Promise.allSettled([
    team.firstOwner(row.id, "Ada", "ada@example.org"),
    team.firstOwner(row.id, "Eve", "eve@example.org"),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const [owner] = await team.grants.list({ vault: row.id });
  expect(owner).toMatchObject({ role: "owner", folder: "", vault: "main" });
  const id = owner?.person ?? "";
  expect(await codeOf(async () => team.grants.set(id, row.id, "", "editor"))).toBe("conflict");
  expect(await codeOf(async () => team.grants.set(id, row.id, "", null))).toBe("conflict");
  expect(await codeOf(async () => team.grants.set(id, row.id, "work", "owner"))).toBe(
    "invalid_argument",
  );
  const bob = await team.people.add("Bob", "BOB@example.org");
  await team.grants.set(bob.id, row.id, "", "owner");
  await team.grants.set(id, row.id, "", "viewer");
  expect((await team.grants.rights(id, row.id)).isOwner).toBe(false);
  expect(await codeOf(async () => team.people.add("Bob", "bob@example.org"))).toBe(
    "already_exists",
  );
  expect((await team.people.get("Bob@example.org")).id).toBe(bob.id);
});

it("an invitation lets one person in once, and keeps a greater role", async () => {
  const { team, row, now, wait } = await newTeam();
  const ada = await team.firstOwner(row.id, "Ada", "ada@example.org");
  const expires = new Date(now().getTime() + DAY);
  const given = { vault: row.id, role: "editor", expires } as const;
  const invite = async (): Promise<string> =>
    (await team.invitations.create({ ...given, invitedBy: ada.id })).text;
  const { text: link } = await team.invitations.create({ ...given, email: "bob@example.org" });
  const newcomer = { name: "Bob", email: null };
  const tries = await Promise.allSettled(
    [1, 2, 3].map(async () => team.invitations.accept(link, newcomer)),
  );
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const bob = await team.people.get("bob@example.org");
  expect((await team.grants.rights(bob.id, row.id)).roleAt("a.md")).toBe("editor");
  expect(await codeOf(async () => team.invitations.accept(link, bob))).toBe("no_permission");
  await team.invitations.accept(await invite(), ada);
  expect((await team.grants.rights(ada.id, row.id)).isOwner).toBe(true);
  const wrong = await invite();
  expect(await codeOf(async () => team.invitations.accept(`${wrong.slice(0, -3)}abc`, bob))).toBe(
    "no_permission",
  );
  const revoked = await invite();
  expect(await team.invitations.revoke(revoked.split("_")[1] ?? "")).toBe(true);
  expect(await codeOf(async () => team.invitations.accept(revoked, bob))).toBe("no_permission");
  wait(DAY);
  expect(await codeOf(async () => team.invitations.accept(wrong, bob))).toBe("no_permission");
});

it("an owner can neither name the address of somebody else nor invite after they are one no more", async () => {
  const { team, row, now } = await newTeam();
  const ada = await team.firstOwner(row.id, "Ada", "ada@example.org");
  const bob = await team.people.add("Bob", "bob@example.org");
  await team.grants.set(bob.id, row.id, "", "owner");
  const expires = new Date(now().getTime() + DAY);
  const given = { vault: row.id, role: "owner", expires, invitedBy: ada.id } as const;
  const email = "victim@example.org";
  const { text } = await team.invitations.create({ ...given, email });
  const [kept, bobs] = [
    await team.invitations.create(given),
    await team.invitations.create({ ...given, invitedBy: bob.id }),
  ];
  const eve = await team.invitations.accept(text, { name: "Eve", email: null });
  expect([eve.email, await team.people.find(email)]).toEqual([null, null]);
  expect(await team.invitations.look(kept.text)).toMatchObject({ vault: "main", role: "owner" });
  const inviters = (await team.invitations.list(row.id)).map(({ invitedBy }) => invitedBy?.name);
  expect(inviters.toSorted((one = "", other = "") => one.localeCompare(other))).toEqual([
    "Ada",
    "Bob",
  ]);
  await team.grants.set(ada.id, row.id, "", "viewer");
  expect(await team.invitations.look(kept.text)).toBeNull();
  expect(await codeOf(async () => team.invitations.accept(kept.text, ada))).toBe("no_permission");
  await team.members.remove(row.id, bob.id);
  expect(await codeOf(async () => team.invitations.accept(bobs.text, bob))).toBe("no_permission");
  expect((await team.members.list(row.id)).map(({ person }) => person.name)).toEqual([
    "Ada",
    "Eve",
  ]);
  expect(await codeOf(async () => team.members.remove(row.id, eve.id))).toBe("conflict");
  expect(await codeOf(async () => team.members.get(row.id, bob.id))).toBe("not_found");
});

it("keeps of no secret more than its hash, and what it needs to be one", async () => {
  const { team, row, now, database } = await newTeam();
  const ada = await team.firstOwner(row.id, "Ada", "ada@example.org");
  const expires = new Date(now().getTime() + DAY);
  const given = { person: ada.id, name: "laptop", scopes: ["vault:read"] as const, expires };
  const secrets = [
    (await team.tokens.create(given)).text,
    (await team.sessions.start(ada.id)).cookie,
    (await team.invitations.create({ vault: row.id, role: "viewer", expires })).text,
  ];
  const stored = JSON.stringify(
    await database.query(
      "SELECT t::text AS row FROM tokens t UNION ALL SELECT s::text FROM sessions s UNION ALL SELECT i::text FROM invitations i",
    ),
  );
  for (const secret of secrets) {
    const bytes = Buffer.from(secret.split("_").slice(2).join("_")).toString("hex");
    expect([stored.includes(secret.split("_").slice(2).join("_")), stored.includes(bytes)]).toEqual(
      [false, false],
    );
  }
  for (const bad of [
    { name: " " },
    { expires: now() },
    { expires: new Date(now().getTime() + 400 * DAY) },
    { scopes: [] },
    { folder: "work" },
  ])
    expect(await codeOf(async () => team.tokens.create({ ...given, ...bad }))).toBe(
      "invalid_argument",
    );
  expect(await team.sessions.endAll(ada.id)).toBe(1);
});

it("rights to a folder move with it, in the same change and in its undo", async () => {
  const { team, row, now, database } = await newTeam();
  const ada = await team.firstOwner(row.id, "Ada", "ada@example.org");
  const bob = await team.people.add("Bob", null);
  await team.grants.set(bob.id, row.id, "", "editor");
  await team.grants.set(bob.id, row.id, "hr/pay", "none");
  await team.grants.set(bob.id, row.id, "hr", "viewer");
  const opened = await openTeamVault({
    database,
    row,
    now,
    policy: () => "none",
    onMove: async (moves) => team.grants.move(row.id, moves),
  });
  const made = await create(opened.vault, "hr/pay/a.md", "secret\n");
  const version = async (): Promise<string> =>
    String((await opened.vault.log({ path: null, limit: 1 }))[0]?.id);
  const as = async (person: string): Promise<ReturnType<typeof personView>> =>
    personView({
      ...opened,
      version,
      rights: await team.grants.rights(person, row.id),
    });
  const { token } = await team.tokens.create({
    person: ada.id,
    name: "pay",
    scopes: ["vault:read"],
    expires: new Date(now().getTime() + DAY),
    vault: row.id,
    folder: "hr/pay",
  });
  const tokenFolder = async (): Promise<string | null | undefined> =>
    (await team.tokens.list(ada.id)).find(({ id }) => id === token.id)?.folder;
  const roles = async (): Promise<string[]> =>
    (await team.grants.list({ person: bob.id })).map(({ folder, role }) => `${folder}:${role}`);
  const owner = (await as(ada.id)).vault;
  const { id } = await owner.change(
    { actor: "Ada", call: "move", batch: null },
    async ({ writer }) => writer.move("hr", "people"),
  );
  expect(await roles()).toEqual([":editor", "people:viewer", "people/pay:none"]);
  expect(await tokenFolder()).toBe("people/pay");
  const bobs = (await as(bob.id)).vault;
  expect(await bobs.find("people/pay/a.md")).toEqual({ kind: "missing" });
  // Its old place has the rights of the whole vault now: what was written there then has them not.
  expect(await codeOf(async () => bobs.entries(made))).toBe("not_found");
  expect((await bobs.log({ path: null, limit: 10 })).map(({ call }) => call)).toEqual(["move"]);
  expect(
    await codeOf(async () =>
      (await as(bob.id)).vault.undo(id ?? "", { actor: "Bob", force: false }),
    ),
  ).toBe("no_permission");
  expect(await roles()).toEqual([":editor", "people:viewer", "people/pay:none"]);
  await owner.undo(id ?? "", { actor: "Ada", force: false });
  expect(await roles()).toEqual([":editor", "hr:viewer", "hr/pay:none"]);
  expect(await tokenFolder()).toBe("hr/pay");
  // One that is refused leaves the rights as they were.
  await create(opened.vault, "people/x.md", "taken\n");
  const again = await owner.change(
    { actor: "Ada", call: "move", batch: null },
    async ({ writer }) => writer.move("hr", "staff"),
  );
  await move(opened.vault, "people", "hr");
  expect(
    await codeOf(async () => owner.undo(again.id ?? "", { actor: "Ada", force: false })),
  ).not.toBe("done");
  expect(await roles()).toEqual([":editor", "staff:viewer", "staff/pay:none"]);
  const views = new PersonViews((rights) => personView({ ...opened, version, rights }));
  const [one, other] = [
    await team.grants.rights(bob.id, row.id),
    await team.grants.rights(bob.id, row.id),
  ];
  const [held, same] = [views.hold(one), views.hold(other)];
  expect(held.vault).toBe(same.vault);
  expect(held.vault).not.toBe(views.hold(new Rights([{ folder: "", role: "viewer" }])).vault);
});

it("the audit says who did what from where, can be asked and exported, and outlives people", async () => {
  const { team, wait, now } = await newTeam();
  const ada = await team.people.add("Ada", null);
  const base = {
    vault: "main",
    person: ada,
    credential: "token x",
    client: "cli\0",
    paths: ["a.md"],
    batch: "b",
    address: "10.0.0.1",
    outcome: "done",
  };
  for (let at = 0; at < 1100; at += 1) await team.audit.add({ ...base, call: `call ${at}` });
  wait(1000);
  await team.audit.add({
    ...base,
    vault: "other",
    person: null,
    call: "login",
    outcome: "no_permission",
  });
  expect(await team.audit.list({ vault: "main", limit: 2 })).toMatchObject([
    {
      call: "call 1099",
      client: "cli",
      person: { id: ada.id, name: "Ada" },
      paths: ["a.md"],
      address: "10.0.0.1",
    },
    { call: "call 1098" },
  ]);
  expect(await team.audit.list({ since: now(), limit: 9 })).toMatchObject([
    { call: "login", person: null },
  ]);
  const lines = await Array.fromAsync(team.audit.export({ person: ada.id }));
  expect([lines.length, JSON.parse(lines[0] ?? "")]).toMatchObject([1100, { call: "call 0" }]);
});
