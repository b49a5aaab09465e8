import { expect, it, onTestFinished } from "vitest";

import type { RunEvent } from "../../src/agents/contract.ts";
import { Notices } from "../../src/storage/postgres/notices.ts";
import { TeamSteps } from "../../src/team/team-steps.ts";
import { houseFiles } from "../../src/testing/models/house-files.ts";
import { houseTurn, NOTE } from "../../src/testing/models/house-script.ts";
import { scriptedSettings, startScriptedModel } from "../../src/testing/models/scripted-model.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { emptyDatabase, teamDatabase } from "./team-database.ts";
import { furnish, indexed, openReplica } from "./team-home.ts";

/** Two replicas that hear each other, with the same vault. */
async function twoSteps() {
  const url = await emptyDatabase();
  const open = async () => {
    const database = await teamDatabase({ url });
    const notices = new Notices(url);
    await notices.start();
    const { id: vault } = await makeVaultRow(database, "house");
    const steps = new TeamSteps({ database, notices, vault });
    onTestFinished(async () => {
      await steps.close();
      await notices.close();
    });
    return { steps, database };
  };
  return { here: await open(), there: await open() };
}

function text(of: number): RunEvent {
  return { type: "text", text: `piece ${of}` };
}

it("what a run tells is heard on every replica, in order and once, also by who comes later", async () => {
  const { here, there } = await twoSteps();
  const heard: Record<string, string[]> = { here: [], early: [], late: [] };
  const into =
    (name: string) =>
    ({ event, rights }: { event: RunEvent; rights: string | undefined }): void => {
      if (event.type === "text") heard[name]?.push(`${event.text} ${rights}`);
    };
  // Before it is known which replica runs it.
  there.steps.follow("u1", into("early"));
  here.steps.follow("u1", into("here"));
  here.steps.begin("u1");
  const all = Array.from({ length: 30 }, (_, at) => `piece ${at} mine`);
  for (let at = 0; at < 10; at += 1) here.steps.tell("u1", { event: text(at), rights: "mine" });
  await expect.poll(() => heard["early"]).toHaveLength(10);
  there.steps.follow("u1", into("late"));
  for (let at = 10; at < 30; at += 1) here.steps.tell("u1", { event: text(at), rights: "mine" });
  here.steps.tell("u2", { event: text(99), rights: undefined });
  here.steps.end("u1");
  await expect.poll(() => [heard["early"], heard["late"]], { timeout: 20_000 }).toEqual([all, all]);
  expect(heard["here"]).toEqual(all);
});

it("an attempt that begins again tells nothing of the one before to who comes then", async () => {
  const { here, there } = await twoSteps();
  here.steps.begin("u1");
  here.steps.tell("u1", { event: text(1), rights: undefined });
  const rows = async (): Promise<number> =>
    (await here.database.query("SELECT 1 FROM update_steps")).length;
  await expect.poll(rows).toBe(1);
  there.steps.begin("u1");
  await expect.poll(rows).toBe(0);
  there.steps.tell("u1", { event: text(2), rights: undefined });
  await expect.poll(rows).toBe(1);
});

it("who follows an update sees its steps, whichever replica they ask and whichever runs it", async () => {
  const scripted = await startScriptedModel("openai", houseTurn);
  onTestFinished(() => scripted.close());
  const url = await emptyDatabase();
  await furnish(url, houseFiles);
  await indexed(url);
  const now = (): Date => new Date("2026-11-16T10:00:00");
  const options = { now, model: scriptedSettings(scripted, "openai") };
  const [a, b] = [await openReplica(url, options), await openReplica(url, options)];
  const tools: string[][] = [[], []];
  const { id } = await a.service.memory.remember({ content: NOTE, from: "test" });
  for (const [at, { service }] of [a, b].entries())
    service.memory.follow(id, (event) => {
      if (event.type === "call") tools[at]?.push(event.tool);
    });
  await a.service.memory.updates.ended(id);
  await expect.poll(() => tools[1], { timeout: 20_000 }).not.toEqual([]);
  await expect.poll(() => tools[0], { timeout: 20_000 }).toEqual(tools[1]);
});
