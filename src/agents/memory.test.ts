import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { createService } from "../compose.ts";
import { agentHome } from "../testing/agent-home.ts";
import { houseFiles } from "../testing/models/house-files.ts";
import { SECRET_KEY } from "../testing/models/scripted-model.ts";
import { codeOf } from "../testing/expected-error.ts";
import {
  call,
  FILE,
  houseTurn,
  LOOK,
  NOTE,
  PIXEL,
  REPORT,
  UNSURE,
} from "../testing/models/house-script.ts";
import type { ScriptedTurn } from "../testing/models/scripted-model.ts";
import { temporaryFolder } from "../testing/temporary-vault.ts";

const now = (): Date => new Date("2026-11-16T10:00:00");

function appendTask(name: string): ScriptedTurn {
  return {
    calls: [call("append", { path: "vault/tasks.md", content: `# ${name}`, position: "bottom" })],
  };
}

describe("the memory of a vault", () => {
  it("files two updates that come at once one after the other", async () => {
    const home = await agentHome(houseFiles, [
      appendTask("First"),
      { text: "First done." },
      appendTask("Second"),
      { text: "Second done." },
    ]);
    const seen: string[] = [];
    home.memory.onUpdate(({ input, status }) => seen.push(`${input.content} ${status}`));
    const [first, second] = await Promise.all([home.remember("one"), home.remember("two")]);
    expect(seen).toEqual([
      "one waiting",
      "two waiting",
      "one running",
      "one done",
      "two running",
      "two done",
    ]);
    expect([first.report?.text, second.report?.text]).toEqual(["First done.", "Second done."]);
    expect(home.read("tasks.md")).toMatch(/# First[\s\S]*# Second/u);
  });

  it("answers a question while an update is under way", async () => {
    const hold = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const home = await agentHome(houseFiles, ({ tools, last }) => {
      if (tools.includes("concat")) {
        const text = "Hale does the roof, before the frost; see the changelog of the house.";
        const files = [{ path: "vault/projects/house/changelog.md" }];
        return { text, calls: [call("concat", { files })] };
      }
      asked.resolve();
      return last.includes("History: ") ? REPORT : { ...appendTask("Slow"), until: hold.promise };
    });
    const update = home.remember("slowly");
    await asked.promise;
    const { sources } = await home.memory.recall("Who does the roof?");
    expect(await home.memory.updates.counts()).toEqual({ waiting: 0, running: 1 });
    expect(sources).toHaveLength(1);
    hold.resolve();
    expect((await update).status).toBe("done");
  });

  it("takes back what a cancelled update wrote", async () => {
    const reached = Promise.withResolvers<void>();
    const home = await agentHome(houseFiles, [
      LOOK,
      FILE,
      () => {
        reached.resolve();
        return { until: new Promise(() => {}) };
      },
    ]);
    const { id } = await home.memory.remember({ content: NOTE, from: "test" });
    await reached.promise;
    expect(home.read("overview.md")).toContain("Starts on 2026-11-20");
    const cancelled = await home.memory.updates.cancel(id);
    expect(cancelled.status).toBe("cancelled");
    expect(home.read("overview.md")).toContain("Start not known");
    expect(home.read("projects/house/tasks.md")).toContain("Pay the deposit");
  });

  it("tries again what was parked for want of a model, and its inbox item goes", async () => {
    let isDown = true;
    const home = await agentHome(houseFiles, (request) =>
      isDown ? { status: 500 } : houseTurn(request),
    );
    const parked = await home.remember(NOTE);
    expect(parked.status).toBe("parked");
    expect(await home.memory.inbox.count()).toBe(1);
    isDown = false;
    await home.memory.updates.retry(parked.id);
    const done = await home.memory.updates.ended(parked.id);
    expect(done).toMatchObject({ status: "done", report: { text: REPORT.text } });
    expect(await home.memory.inbox.count()).toBe(0);
  });

  it("keeps a long text word for word without the model typing it again", async () => {
    const long = `Minutes of the roof\n\n${"Hale explained the slates. ".repeat(120)}`;
    const home = await agentHome(
      houseFiles,
      [
        {
          calls: [
            call("move", {
              from: "vault/inbox/2026-11-16-minutes-of-the-roof/original.md",
              to: "vault/projects/house/bucket/2026-11-16-minutes.md",
            }),
          ],
        },
        { text: "Kept." },
      ],
      { now },
    );
    const { status } = await home.remember(long);
    expect(status).toBe("done");
    expect(home.read("projects/house/bucket/2026-11-16-minutes.md")).toContain(long.trim());
    expect(await home.memory.inbox.count()).toBe(0);
  });

  it("puts the images of an unsure run beside its review", async () => {
    const home = await agentHome(houseFiles, [UNSURE, { text: "Asked." }], { now });
    const images = [{ data: PIXEL }, { data: PIXEL }];
    const { report } = await home.remember("Two tins of varnish", { images });
    // The job's frontmatter is written: it leaves no temporary file behind.
    await home.service.settled();
    const folder = path.join(home.service.vault.root, "inbox");
    expect(readdirSync(folder)).toEqual([report?.inbox]);
    expect(readdirSync(path.join(folder, report?.inbox ?? "")).toSorted()).toEqual([
      "image-2.png",
      "image.png",
      "original.md",
      "review.md",
    ]);
  });

  it("parks what a model ended without a word about", async () => {
    const home = await agentHome(houseFiles, [{ text: " " }], { now });
    const { status, report } = await home.remember(NOTE);
    expect({ status, inbox: report?.inbox }).toEqual({
      status: "parked",
      inbox: "2026-11-16-hale-starts-on-the-20th-deposit-of-400",
    });
  });

  it("parks what a model only asked about, in words instead of in a review", async () => {
    const home = await agentHome(houseFiles, [LOOK, { text: "Which Hale do you mean?" }], { now });
    const { status, report } = await home.remember(NOTE);
    expect(status).toBe("parked");
    expect(home.read(`inbox/${report?.inbox}/review.md`)).toContain("Which Hale do you mean?");
  });

  it("takes a model's word that the vault says it all already, when it names the lines that do", async () => {
    const lines = "vault/projects/house/changelog.md:1-40";
    const known = { text: `KNOWN: ${lines} has it.` };
    const home = await agentHome(houseFiles, [LOOK, known], { now });
    const { status, report } = await home.remember("Hale does the roof");
    expect({ status, ...report }).toMatchObject({
      status: "done",
      text: `${lines} has it.`,
      touched: [],
      batch: null,
    });
  });

  it.each([
    ["names no lines", "KNOWN: the changelog has it.", "Hale does the roof", [LOOK]],
    [
      "did not read",
      "KNOWN: vault/projects/house/bucket/2026-11-03-mail-quotes.md:1-40",
      "Quotes: Hale 4,300, Brand 4,000 in spring",
      [],
    ],
    ["say something else", "KNOWN: vault/projects/house/changelog.md:1-40", NOTE, [LOOK]],
    [
      "say the opposite",
      "KNOWN: vault/projects/house/changelog.md:1-40",
      "Hale does not do the roof any more",
      [LOOK],
    ],
    ["lack a figure", "KNOWN: vault/projects/house/changelog.md:1-40", "Hale, roof: 45", [LOOK]],
  ])("keeps the note in the inbox when it %s", async (_, text, note, script) => {
    const home = await agentHome(houseFiles, [...script, { text }], { now });
    const { status, report } = await home.remember(note);
    expect(status).toBe("parked");
    expect(report?.text).toContain(`Not filed: it waits in vault/inbox/${report?.inbox}/.`);
    expect(home.read(`inbox/${report?.inbox}/original.md`)).toContain(note);
  });

  it("says that a note was not filed, in the note's language, when a model ends without a word or only says so", async () => {
    const silent = await agentHome(houseFiles, [{ text: "" }], { now });
    const { report } = await silent.remember("Le couvreur vient vendredi, avec les ardoises.");
    expect(report?.text).toMatch(
      /^Non classé : ceci attend dans vault\/inbox\/.* sans répondre\.$/u,
    );
    const bragging = await agentHome(houseFiles, [{ text: "Done: noted in house." }], { now });
    expect((await bragging.remember(NOTE)).report?.text).toMatch(/^Not filed: .*Done: noted in/u);
  });

  it("does not make the same call a third time, and ends a run that only repeats itself", async () => {
    const again = { calls: [call("search", { queries: ["Hale"] })] };
    const home = await agentHome(
      houseFiles,
      ({ toolChoice }) => (toolChoice === "none" ? { text: "In circles." } : again),
      { now },
    );
    const { status, report } = await home.remember(NOTE);
    expect(status).toBe("parked");
    expect(home.model.requests[3]?.last).toContain("Same call, same result");
    expect(home.model.requests).toHaveLength(6);
    expect(report?.text).toMatch(/^Not filed: .*only repeated itself, 3 turns in a row/u);
  });

  it("adds a text once, however often a run appends it, unless it was taken away since", async () => {
    const tasks = "vault/tasks.md";
    const add = call("append", { path: tasks, content: "# Slates", position: "bottom" });
    const take = call("edit", { path: tasks, old_content: "# Slates\n", new_content: "" });
    const home = await agentHome(
      houseFiles,
      [
        { calls: [add, add] },
        { calls: [add, call("read", { paths: tasks })] },
        { calls: [take, add] },
        { text: "One task." },
      ],
      { now },
    );
    await home.remember("Slates");
    expect(home.model.requests[1]?.body).toContain("Nothing was added");
    expect(home.read("tasks.md").match(/# Slates/gu)).toHaveLength(1);
    const results = home.events.flatMap((each) => (each.type === "result" ? [each.isError] : []));
    expect(results).toEqual([false, true, true, false, false, false]);
  });

  it("makes a call again when the vault was changed since", async () => {
    const look = call("read", { paths: "vault/tasks.md" });
    const add = (at: number): ReturnType<typeof call> =>
      call("append", { path: "vault/tasks.md", content: `# Task ${at}`, position: "bottom" });
    const calls = [look, look, add(1), look, look, add(2), look];
    const home = await agentHome(houseFiles, [{ calls }, { text: "Two tasks." }], { now });
    await home.remember("Two tasks");
    expect(home.events.filter((event) => event.type === "result" && event.isError)).toEqual([]);
  });

  it("refuses at once what cannot be filed", async () => {
    const { memory } = await agentHome(houseFiles, []);
    const from = "test";
    const wrong = Buffer.from("not an image at all, really").toString("base64");
    expect(await codeOf(() => memory.remember({ content: " ", from }))).toBe("invalid_argument");
    expect(await codeOf(() => memory.remember({ content: "x", from, inboxRef: "nobody" }))).toBe(
      "not_found",
    );
    expect(
      await codeOf(() => memory.remember({ content: "x", from, images: [{ data: wrong }] })),
    ).toBe("not_text");
    expect(await codeOf(() => memory.recall("?"))).toBe("invalid_argument");
    expect(await codeOf(() => memory.inbox.show("nobody"))).toBe("not_found");
    expect(await memory.updates.list()).toEqual([]);
  });

  it("keeps the key out of the state folder and the vault", async () => {
    const home = await agentHome(houseFiles, [LOOK, FILE, REPORT]);
    await home.remember(NOTE);
    await home.service.close();
    for (const folder of [home.service.vault.state, home.service.vault.root]) {
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        const file = path.join(folder, name);
        if (!statSync(file).isFile()) continue;
        expect(readFileSync(file).includes(SECRET_KEY), name).toBe(false);
      }
    }
  });
});

describe("a model that is configured wrongly", () => {
  it.each([
    ["nonsense", "provider/model"],
    ["anthropic/claude", "needs a key"],
    ["openai-compatible/x", "COFFRE_BASE_URL"],
  ])("%s is told in the status, and nothing is lost", async (name, problem) => {
    const folder = temporaryFolder();
    const service = await createService({
      root: folder,
      state: `${temporaryFolder()}/state`,
      isWatching: false,
      memory: { model: { name, baseUrl: null, apiKey: null }, onBug: () => {} },
    });
    onTestFinished(() => service.close());
    const { memory } = service;
    expect((await service.status()).model).toEqual({
      name,
      problem: expect.stringContaining(problem),
    });
    const task = await memory?.remember({ content: "Buy slates", from: "test" });
    const ended = await memory?.updates.ended(task?.id ?? "");
    expect(ended).toMatchObject({ status: "parked", report: { model: null } });
    expect((await memory?.recall("slates"))?.overview).toContain(problem);
  });
});
