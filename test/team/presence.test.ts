import { expect, it, onTestFinished } from "vitest";

import { Presence } from "../../src/team/people/presence.ts";
import { Team } from "../../src/team/people/team.ts";
import { openTeamVault } from "../../src/compose-team.ts";
import { create, move } from "../../src/testing/suites/changes.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { TOKEN } from "./replica.ts";
import { personWith, servedTeam, type ServedTeam } from "./served-team.ts";
import { emptyDatabase, teamDatabase } from "./team-database.ts";

async function ask(where: string, token: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${where}/api/presence`, {
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  expect(answer.status).toBe(200);
  return answer.json();
}

/** A vault on two replicas, with notes in two folders. */
async function house(): Promise<ServedTeam & { readonly a: string; readonly b: string }> {
  const served = await servedTeam({ replicas: 2 });
  const row = await makeVaultRow(served.database, "house");
  const now = (): Date => new Date();
  const opened = await openTeamVault({
    database: served.database,
    row,
    now,
    policy: () => "none",
  });
  onTestFinished(() => opened.vault.close());
  await create(opened.vault, "roof.md", "# Roof\n");
  await create(opened.vault, "hr/pay.md", "# Pay\n");
  const [a = "", b = ""] = served.addresses;
  return { ...served, a: `${a}/v/house`, b: `${b}/v/house` };
}

const NOBODY = { people: [] };

it("who is in a note is seen on every replica, each person once, by those who may read it", async () => {
  const served = await house();
  const { a, b } = served;
  const ana = await personWith(served, "Ana", "house", { "": "editor" });
  const bo = await personWith(served, "Bo", "house", { "": "viewer", hr: "none" });
  const roof = { path: "vault/roof.md", isEditing: true };
  const shown = { path: "vault/roof.md", isEditing: true };
  expect(await ask(a, ana.token, { ...roof, window: "1" })).toEqual({
    people: [{ person: { id: ana.id, name: "Ana" }, isSelf: true, ...shown }],
  });
  await ask(a, ana.token, { path: "vault/roof.md", window: "2" });
  expect(await ask(b, bo.token)).toEqual({
    people: [{ person: { id: ana.id, name: "Ana" }, isSelf: false, ...shown }],
  });
  // Who may only read is not shown as editing.
  expect(await ask(b, bo.token, roof)).toMatchObject({
    people: [{ isSelf: false }, { isSelf: true, isEditing: false }],
  });
  await ask(b, ana.token, { path: "vault/hr/pay.md", window: "1" });
  await ask(b, ana.token, { path: null, window: "2" });
  await ask(a, bo.token, { path: null });
  expect(await ask(a, ana.token)).toMatchObject({ people: [{ path: "vault/hr/pay.md" }] });
  expect(await ask(a, bo.token)).toEqual(NOBODY);
  // The operator is nobody.
  expect(await ask(a, TOKEN, roof)).toMatchObject({ people: [{ path: "vault/hr/pay.md" }] });
});

it("a note that is hidden answers as one that is not there, and nobody is shown in either", async () => {
  const served = await house();
  const ana = await personWith(served, "Ana", "house", { "": "editor" });
  const bo = await personWith(served, "Bo", "house", { "": "viewer", hr: "none" });
  for (const path of ["vault/hr/pay.md", "vault/hr/missing.md", "vault/missing.md", "vault/hr"])
    expect([path, await ask(served.a, bo.token, { path })]).toEqual([path, NOBODY]);
  expect(await ask(served.b, ana.token)).toEqual(NOBODY);
  const stranger = await personWith(served, "Sue", "other", { "": "editor" });
  const answer = await fetch(`${served.a}/api/presence`, {
    headers: { authorization: `Bearer ${stranger.token}` },
  });
  expect(answer.status).toBe(404);
});

it("ends when it is not said again, and with the note and the person's role", async () => {
  const database = await teamDatabase({ url: await emptyDatabase() });
  const row = await makeVaultRow(database, "main");
  const now = (): Date => new Date();
  const opened = await openTeamVault({ database, row, now, policy: () => "none" });
  onTestFinished(() => opened.vault.close());
  await create(opened.vault, "a/note.md", "# Note\n");
  const team = new Team(database, now);
  await team.firstOwner(row.id, "Ada", "ada@example.com");
  const bo = await team.people.add("Bo", null);
  await team.grants.set(bo.id, row.id, "", "editor");
  const here = { person: bo.id, window: "1", path: "a/note.md", isEditing: false };
  const over = new Presence(database, 0);
  await over.enter(row.id, here);
  expect(await over.list(row.id)).toEqual([]);
  const presence = new Presence(database, 60);
  await presence.enter(row.id, here);
  expect(await presence.list(row.id)).toMatchObject([{ name: "Bo", path: "a/note.md" }]);
  await move(opened.vault, "a", "b");
  expect(await presence.list(row.id)).toEqual([]);
  await presence.enter(row.id, { ...here, path: "b/note.md" });
  for (let window = 2; window < 30; window += 1)
    await presence.enter(row.id, { ...here, window: String(window), path: "b/note.md" });
  const kept = await database.one("SELECT count(*)::integer AS windows FROM presence");
  expect(kept?.["windows"]).toBe(20);
  await team.members.remove(row.id, bo.id);
  expect(await presence.list(row.id)).toEqual([]);
});

/** Names of events as they come. */
async function follow(vault: string, token: string): Promise<string[]> {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${vault}/api/events`, { headers, signal: abort.signal });
  expect(answer.status).toBe(200);
  const events: string[] = [];
  void (async () => {
    const decoder = new TextDecoder();
    try {
      for await (const piece of answer.body ?? [])
        for (const [, name = ""] of decoder.decode(piece).matchAll(/^event: (\w+)$/gmu))
          events.push(name);
    } catch {
      // Aborted.
    }
  })();
  return events;
}

it("whoever follows a vault on another replica is told, of what is new and theirs to see only", async () => {
  const served = await house();
  const ana = await personWith(served, "Ana", "house", { "": "editor" });
  const bo = await personWith(served, "Bo", "house", { "": "viewer", hr: "none" });
  const events = await follow(served.b, TOKEN);
  const bos = await follow(served.b, bo.token);
  const countOf = (all: string[]): number => all.filter((name) => name === "presence").length;
  const count = (): number => countOf(events);
  const roof = { path: "vault/roof.md", window: "1" };
  await ask(served.a, ana.token, roof);
  await expect.poll(count).toBe(1);
  await ask(served.a, ana.token, roof);
  await ask(served.a, ana.token, { ...roof, isEditing: true });
  await expect.poll(count).toBe(2);
  // The note that was left and the one that was entered.
  await ask(served.a, ana.token, { ...roof, path: "vault/hr/pay.md" });
  await expect.poll(count).toBe(4);
  await ask(served.a, ana.token, { ...roof, path: null });
  await expect.poll(count).toBe(5);
  // He sees her come, edit and leave; of the hidden note nothing, before what is sent to him last.
  await ask(served.a, ana.token, roof);
  await expect.poll(() => countOf(bos)).toBe(4);
  await expect.poll(count).toBe(6);
});
