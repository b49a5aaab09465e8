import { expect, it, onTestFinished } from "vitest";

import {
  scriptedSettings,
  startScriptedModel,
  type ScriptedTurn,
} from "../../src/testing/models/scripted-model.ts";
import { findVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { TOKEN } from "./replica.ts";
import { personWith, servedTeam } from "./served-team.ts";

/** Patient: a loaded machine runs a model's turn late. */
const PATIENCE = { timeout: 60_000 };
const SECRET = "kilnsecretzq";

/** What stands in an event stream, until it ends or this has come. */
async function streamed(answer: Response, until: string): Promise<string> {
  let text = "";
  for await (const piece of answer.body ?? []) {
    text += Buffer.from(piece).toString();
    if (text.includes(until)) break;
  }
  return text;
}

/**
 * A run of an agent for Ana, who is an editor, that waits for `go` after its first turn.
 * @param first what its model asks for before, `then` after
 */
async function runningFor(first: ScriptedTurn, then: ScriptedTurn) {
  const go = Promise.withResolvers<void>();
  onTestFinished(() => go.resolve());
  const model = await startScriptedModel("openai", ({ body }) => {
    const results = body.split('"role":"tool"').length - 1;
    if (results === 0) return first;
    return results === 1 ? { ...then, until: go.promise } : { text: "Done." };
  });
  onTestFinished(() => model.close());
  const served = await servedTeam({ model: scriptedSettings(model) });
  const ana = await personWith(served, "Ana", "house", { "": "editor" });
  const { id: row } = await findVaultRow(served.database, "house");
  const send = async (path: string, body?: object, token = ana.token, headers = {}) =>
    fetch(`${served.addresses[0]}/v/house${path}`, {
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
  for (const path of ["hr/pay.md", "hr/more.md"]) {
    const note = { path: `vault/${path}`, content: `# Pay\n\n${SECRET}\n` };
    await (await send("/api/tools/write", note, TOKEN)).text();
  }
  const given = { content: "Note it.", said_by_person: true };
  const accepted = await (await send("/api/update", given)).text();
  const [, id = accepted] = /"id":"([^"]+)"/u.exec(accepted) ?? [];
  // Its first turn was answered when its second is asked for.
  await expect.poll(() => model.requests.length, PATIENCE).toBe(2);
  const ended = async (): Promise<string> => {
    let shown = "";
    await expect
      .poll(async () => (shown = await (await send(`/api/updates/${id}`)).text()), PATIENCE)
      .toMatch(/"status":"(?:failed|done)"/u);
    return shown;
  };
  const forget = async (): Promise<void> => served.team.grants.set(ana.id, row, "hr", "none");
  return { served, ana, row, send, model, id, go: () => go.resolve(), ended, forget };
}

const read = (name: string): ScriptedTurn => ({
  calls: [{ name: "read", args: { paths: [`vault/hr/${name}.md`] } }],
});
const write: ScriptedTurn = {
  calls: [{ name: "write", args: { path: "vault/work/x.md", content: `# X\n\n${SECRET}\n` } }],
};

it("a run ends that has read what its asker may not read any more: it writes nothing of it elsewhere", async () => {
  const { served, send, go, ended, forget } = await runningFor(read("pay"), write);
  await forget();
  go();
  const shown = await ended();
  expect(shown).toContain('"failed"');
  expect(shown).not.toContain(SECRET);
  const files = await (await send("/api/files", undefined, TOKEN)).text();
  expect(files).toContain("hr/pay.md");
  expect(files).not.toContain("work/");
  expect(await (await send("/api/files")).text()).not.toContain("inbox/");
  expect(served.bugs).toEqual([]);
});

it("a run reads nothing of what its asker has lost", async () => {
  const { served, model, go, ended, forget } = await runningFor(
    { calls: [{ name: "tree", args: {} }] },
    read("more"),
  );
  await forget();
  go();
  expect(await ended()).toContain('"failed"');
  for (const { body } of model.requests) expect(body).not.toContain(SECRET);
  expect(served.bugs).toEqual([]);
});

it("a run ends when its asker is shut out, and goes on when they may do more", async () => {
  const shut = await runningFor(read("pay"), write);
  await shut.served.team.people.disable(shut.ana.id, true);
  shut.go();
  const updates = async (): Promise<string> =>
    (await shut.send("/api/updates", undefined, TOKEN)).text();
  await expect.poll(updates, PATIENCE).toContain('"failed"');
  expect(await (await shut.send("/api/files", undefined, TOKEN)).text()).not.toContain("work/");
  const more = await runningFor(read("pay"), write);
  await more.served.team.grants.set(more.ana.id, more.row, "", "owner");
  more.go();
  expect(await more.ended()).toContain('"done"');
  expect(await (await more.send("/api/files", undefined, TOKEN)).text()).toContain("work/x.md");
  expect([shut.served.bugs, more.served.bugs]).toEqual([[], []]);
});

it("the steps of a run are shown while its asker may read what it may, and not after", async () => {
  const { served, send, id, go, forget } = await runningFor(read("pay"), write);
  const events = { accept: "text/event-stream" };
  const before = await send(`/api/updates/${id}`, undefined, undefined, events);
  expect(await streamed(before, SECRET)).toContain(SECRET);
  await forget();
  const after = await send(`/api/updates/${id}`, undefined, undefined, events);
  // Its head is here, so it is followed: what comes now, and what was told before, is for those who may read all of it.
  go();
  const shown = await streamed(after, '"failed"');
  expect(shown).toContain('"failed"');
  for (const told of [SECRET, "hr/pay", '"tool"']) expect(shown).not.toContain(told);
  expect(served.bugs).toEqual([]);
});
