import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";

import { expect, it, onTestFinished } from "vitest";

import { createService, type Service } from "../compose.ts";
import { houseFiles } from "../testing/models/house-files.ts";
import { startChild, type Child } from "../testing/processes/child.ts";
import { call, FILE, houseTurn, LOOK, NOTE, REPORT } from "../testing/models/house-script.ts";
import {
  scriptedSettings,
  startScriptedModel,
  type Script,
  type ScriptedRequest,
  type ScriptedTurn,
} from "../testing/models/scripted-model.ts";
import { temporaryFolder, writeFiles } from "../testing/temporary-vault.ts";
import { vaultProblems } from "../testing/vault-problems.ts";
import type { QueuedUpdate } from "./queue/update-queue.ts";

const script = new URL("../testing/processes/run-updates.ts", import.meta.url);

interface CrashedHome {
  readonly root: string;
  readonly state: string;
  readonly baseUrl: string;
  readonly read: (name: string) => string;
}

/** Kills a process with SIGKILL after the model's first writes, when it waits for the model's next words. */
async function crashInTheMiddle(turns: Script): Promise<CrashedHome> {
  const folder = temporaryFolder();
  const [root, state] = [path.join(folder, "notes"), path.join(folder, "state")];
  mkdirSync(root);
  writeFiles(root, houseFiles);
  const reached = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<void>();
  const waits = (): ScriptedTurn => {
    reached.resolve();
    return { until: killed.promise, text: "Nobody hears this." };
  };
  const model = await startScriptedModel("openai", [LOOK, FILE, waits, ...turns]);
  onTestFinished(() => model.close());
  const child: Child = startChild(script, [root, state, model.baseUrl, NOTE]);
  onTestFinished(() => child.kill());
  await reached.promise;
  await child.kill();
  killed.resolve();
  return {
    root,
    state,
    baseUrl: model.baseUrl,
    read: (name) => readFileSync(path.join(root, name), "utf8"),
  };
}

async function restart({ root, state, baseUrl }: CrashedHome): Promise<Service> {
  const service = await createService({
    frontmatter: "all",
    root,
    state,
    memory: {
      model: scriptedSettings({ baseUrl }),
      onBug: (error) => {
        throw error;
      },
    },
  });
  onTestFinished(() => service.close().catch(() => {}));
  return service;
}

async function lastUpdate({ memory }: Service): Promise<QueuedUpdate | undefined> {
  const [task] = (await memory?.updates.list()) ?? [];
  return task === undefined ? undefined : memory?.updates.ended(task.id);
}

it("takes back what a killed run had written, and runs it again to its end", async () => {
  const home = await crashInTheMiddle([LOOK, FILE, REPORT]);
  expect(home.read("projects/house/state.md")).toContain("Starts on 2026-11-20");
  const service = await restart(home);
  const task = await lastUpdate(service);
  expect(task).toMatchObject({ status: "done", attempts: 2, report: { text: REPORT.text } });
  expect(home.read("projects/house/changelog.md").match(/Hale starts/gu)).toHaveLength(1);
  expect(home.read("projects/house/tasks.md").match(/Order the slates/gu)).toHaveLength(1);
  await service.settled();
  await service.close();
  expect(await vaultProblems(home.root, home.state)).toEqual([]);
});

it("runs it again in another process, which is killed too, and in a third", async () => {
  const begun = Promise.withResolvers<void>();
  const turn = (request: ScriptedRequest): ScriptedTurn => {
    begun.resolve();
    return houseTurn(request);
  };
  const home = await crashInTheMiddle(Array.from({ length: 10 }, () => turn));
  const second = startChild(script, [home.root, home.state, home.baseUrl]);
  await begun.promise;
  await second.kill();
  const service = await restart(home);
  const task = await lastUpdate(service);
  expect(task?.status).toBe("done");
  expect(home.read("projects/house/changelog.md").match(/Hale starts/gu)).toHaveLength(1);
});

it("never takes back what a person wrote meanwhile: the note waits in the inbox instead", async () => {
  const home = await crashInTheMiddle([]);
  appendFileSync(path.join(home.root, "projects/house/state.md"), "\nMy own line.\n");
  const service = await restart(home);
  const task = await lastUpdate(service);
  expect(task?.status).toBe("parked");
  const state = home.read("projects/house/state.md");
  expect(state).toContain("My own line.");
  expect(state).toContain("Starts on 2026-11-20");
  const review = home.read(`inbox/${task?.report?.inbox}/review.md`);
  expect(review).toContain("vault/projects/house/state.md changed since");
  expect(review).toContain("- vault/projects/house/tasks.md (changed)");
  expect(home.read(`inbox/${task?.report?.inbox}/original.md`)).toContain(NOTE);
});

it("lets a person's edits of other files be, and runs the update again", async () => {
  const home = await crashInTheMiddle([LOOK, FILE, REPORT]);
  writeFileSync(path.join(home.root, "projects/boat/state.md"), "## Status\n\nSold.\n");
  const service = await restart(home);
  const task = await lastUpdate(service);
  expect(task?.status).toBe("done");
  expect(home.read("projects/boat/state.md")).toContain("Sold.");
});

it("keeps what waits in the queue, in its order", async () => {
  const home = await crashInTheMiddle([
    LOOK,
    FILE,
    REPORT,
    {
      calls: [
        call("append", { path: "vault/tasks.md", content: "# Second\n", position: "bottom" }),
      ],
    },
    { text: "Second done." },
  ]);
  const child = startChild(script, [home.root, home.state, home.baseUrl, "second"]);
  onTestFinished(() => child.kill());
  const printed = await child.finished();
  expect(printed.match(/is (\w+)/gu)).toEqual(["is done", "is done"]);
  expect(home.read("tasks.md")).toContain("# Second");
});

it.each([
  [1, 0],
  [2, 0],
  [2, 3],
  [2, 8],
  [2, 15],
  [3, 2],
])(
  "files a note exactly once when its process is killed after request %i and %i ms",
  async (request, milliseconds) => {
    const folder = temporaryFolder();
    const [root, state] = [path.join(folder, "notes"), path.join(folder, "state")];
    mkdirSync(root);
    writeFiles(root, houseFiles);
    const reached = Promise.withResolvers<void>();
    let count = 0;
    const model = await startScriptedModel("openai", (asked) => {
      count += 1;
      if (count === request) reached.resolve();
      return houseTurn(asked);
    });
    onTestFinished(() => model.close());
    const child = startChild(script, [root, state, model.baseUrl, NOTE]);
    await reached.promise;
    await setTimeout(milliseconds);
    await child.kill();
    const read = (name: string): string => readFileSync(path.join(root, name), "utf8");
    const service = await restart({ root, state, baseUrl: model.baseUrl, read });
    const task = await lastUpdate(service);
    expect(task?.status).toBe("done");
    expect(read("projects/house/changelog.md").match(/Hale starts/gu)).toHaveLength(1);
    expect(read("projects/house/tasks.md").match(/^# /gmu)).toHaveLength(1);
    expect(read("overview.md")).toContain("Starts on 2026-11-20");
    await service.settled();
    await service.close();
    expect(await vaultProblems(root, state)).toEqual([]);
  },
);
