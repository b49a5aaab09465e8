import { expect, it, onTestFinished } from "vitest";

import { codeOf } from "../../src/testing/expected-error.ts";
import { houseFiles } from "../../src/testing/models/house-files.ts";
import { houseTurn, NOTE } from "../../src/testing/models/house-script.ts";
import { scriptedSettings, startScriptedModel } from "../../src/testing/models/scripted-model.ts";
import { update } from "../../src/testing/suites/changes.ts";
import type { VaultReader } from "../../src/vault/vault.ts";
import { asOwner, emptyDatabase } from "./team-database.ts";
import { furnish, indexed, openReplica, type TeamHome } from "./team-home.ts";

const now = (): Date => new Date("2026-11-16T10:00:00");

/** Two replicas of one vault, with a model that follows a script. */
async function house(): Promise<{ url: string; one: TeamHome; other: TeamHome }> {
  const url = await emptyDatabase();
  await furnish(url, houseFiles, now().getTime());
  const model = await startScriptedModel("openai", houseTurn);
  onTestFinished(() => model.close());
  const options = { now, model: scriptedSettings(model, "openai") };
  const one = await openReplica(url, options);
  await indexed(url);
  return { url, one, other: await openReplica(url, options) };
}

async function proposed({ service }: TeamHome): Promise<string> {
  const { id } = await service.memory.remember({ content: NOTE, from: "test", isPreview: true });
  expect((await service.memory.updates.ended(id)).status).toBe("preview");
  return id;
}

async function textsOf(vault: VaultReader): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for await (const { path } of vault.walk(""))
    texts[path] = (await vault.readBytes(path, 1_000_000)).bytes.toString();
  return texts;
}

async function overlays(url: string): Promise<number> {
  return (await asOwner("SELECT 1 FROM vaults WHERE overlay IS NOT NULL", url)).length;
}

it("what one replica shows, another makes: as the same note gives without a preview, and as one undo", async () => {
  const { url, one, other } = await house();
  const direct = (await house()).one.service;
  const { id: made } = await direct.memory.remember({ content: NOTE, from: "test" });
  expect((await direct.memory.updates.ended(made)).status).toBe("done");
  const before = await textsOf(one.service.vault);
  const id = await proposed(one);
  expect(await textsOf(other.service.vault)).toEqual(before);
  const files = await other.service.memory.previews.proposed(id);
  expect(files.map(({ path }) => path)).toEqual([
    "overview.md",
    "projects/house/changelog.md",
    "projects/house/state.md",
    "projects/house/tasks.md",
  ]);
  const accepted = await other.service.memory.previews.accept(id);
  expect(accepted).toMatchObject({ status: "done", report: { batch: `${id}-yes` } });
  expect(await textsOf(one.service.vault)).toEqual(await textsOf(direct.vault));
  const found = await one.service.index.search({
    queries: ["order the slates"],
    scope: null,
    from: null,
    to: null,
    limit: 5,
    mode: "fast",
  });
  expect(found.hits[0]?.path).toBe("projects/house/tasks.md");
  expect(await overlays(url)).toBe(0);
  await one.service.vault.undo(`${id}-yes`, { actor: "test", force: false });
  expect(await textsOf(other.service.vault)).toEqual(before);
  expect([...one.bugs, ...other.bugs]).toEqual([]);
});

it("a no on another replica leaves nothing, and an answer comes too late then", async () => {
  const { url, one, other } = await house();
  const before = await textsOf(one.service.vault);
  const id = await proposed(one);
  expect((await other.service.memory.previews.reject(id)).status).toBe("cancelled");
  expect(await textsOf(one.service.vault)).toEqual(before);
  expect(await overlays(url)).toBe(0);
  expect(await codeOf(async () => one.service.memory.previews.accept(id))).toBe("conflict");
});

it("is answered once, however many replicas answer at the same time", async () => {
  const { one, other } = await house();
  const id = await proposed(one);
  const answers = await Promise.allSettled(
    [one, other, one, other].map(async ({ service }) => service.memory.previews.accept(id)),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    "fulfilled",
    "rejected",
    "rejected",
    "rejected",
  ]);
  const { vault } = other.service;
  expect(await vault.entries(`${id}-yes`)).toHaveLength(1);
  expect((await textsOf(vault))["projects/house/state.md"]).toContain("Starts on 2026-11-20");
});

it("waits through a restart of all replicas, and names the file that changed meanwhile", async () => {
  const { url, one, other } = await house();
  const id = await proposed(one);
  await one.served.close();
  await other.served.close();
  const later = await openReplica(url, { now });
  await update(later.service.vault, "projects/house/state.md", "Somebody was quicker.\n");
  const before = await textsOf(later.service.vault);
  expect(await codeOf(async () => later.service.memory.previews.accept(id))).toBe("conflict");
  expect(await textsOf(later.service.vault)).toEqual(before);
  expect((await later.service.memory.updates.get(id)).status).toBe("preview");
  await later.service.memory.previews.reject(id);
  expect(await overlays(url)).toBe(0);
});

it("what a client proposes with its tools is one preview, whichever replica it asks", async () => {
  const { one, other } = await house();
  const call = async ({ fetch }: TeamHome, tool: string, args: unknown): Promise<string> => {
    const answer = await fetch(
      new Request(`http://x/api/tools/${tool}?preview=true`, {
        method: "POST",
        headers: { "content-type": "application/json", "coffre-client": "test" },
        body: JSON.stringify(args),
      }),
    );
    return answer.text();
  };
  const append = (content: string) => ({ path: "vault/new.md", content, position: "bottom" });
  expect(await call(one, "append", append("one"))).toContain("Nothing is changed yet");
  expect(await call(other, "append", append("two"))).toContain("Nothing is changed yet");
  expect(await call(one, "append", append("three"))).toContain("Nothing is changed yet");
  expect(await call(other, "read", { paths: ["vault/new.md"] })).toMatch(/one.*two.*three/su);
  const previews = await one.service.memory.updates.previews();
  expect(previews.map(({ report }) => report?.touched.map(({ path }) => path))).toEqual([
    ["vault/new.md"],
  ]);
  expect((await one.service.vault.find("new.md")).kind).toBe("missing");
  await other.service.memory.previews.accept(previews[0]?.id ?? "");
  expect((await textsOf(one.service.vault))["new.md"]).toMatch(/one\n.*two\n.*three/su);
  expect(await call(one, "append", append("four"))).toContain("Nothing is changed yet");
  expect([...one.bugs, ...other.bugs]).toEqual([]);
});
