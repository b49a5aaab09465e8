import { describe, expect, it } from "vitest";

import { localTime } from "../../text/local-time.ts";
import { startService, temporaryPlace } from "../testing/cli.ts";

const files = { "a.md": "x".repeat(4000), "b/c.md": "1234", "b/d/e.md": "1234" };

describe("coffre status", () => {
  it("tells which vault it is, how large, and what is remembered of it", async () => {
    const { root, state, run } = temporaryPlace(files);
    await run(["move", "b/c.md", "b/f.md"]);
    const { code, stdout } = await run(["status"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Service  no service running$/mu);
    expect(stdout).toMatch(/^Version  \d+\.\d+\.\d+/mu);
    expect(stdout).toContain(
      `Vault    ${root}\nContent  4 files in 2 folders, 1.1k tokens\nState    ${state}\nHistory  1 change, 0 B\n`,
    );
  });

  it("gives programs the same as JSON", async () => {
    const { root, state, json } = temporaryPlace(files);
    expect(await json(["status"])).toEqual({
      version: expect.stringMatching(/^\d/u),
      vault: root,
      state,
      files: 3,
      folders: 2,
      tokens: 1002,
      history: { entries: 0, bytes: 0 },
      index: { engine: "built-in", files: 0, chunks: 0, bytes: expect.any(Number), pending: 3 },
      service: null,
    });
  });

  it("tells how the running service is", async () => {
    const place = temporaryPlace(files);
    const { service } = await startService(place);
    await service.rescan();
    const { code, stdout } = await place.run(["status"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Index {7}3 files in 3 sections, [\d.]+ kB$/mu);
    expect(stdout).toContain(
      [
        `Service     running with pid ${process.pid} since ${localTime(new Date("2026-11-16T08:00:00Z"))}, version 1.2.3`,
        "Page        none: coffre serve has one",
        "Watcher     alive, 7 folders",
        "Pending     up to date",
        "Model       none: notes wait in the inbox, questions get the passages",
        "Inbox       nothing waits",
        "Queue       empty",
        "Deep        by words: no model",
        "Last event  2026-11-16T08:30:00",
        "Last error  none",
        "Alarm       none",
        "Version     ",
      ].join("\n"),
    );
  });

  it("tells what is wrong with it", async () => {
    const place = temporaryPlace(files);
    const { service } = await startService(place);
    const well = await service.status();
    service.status = async () => ({
      ...well,
      index: { ...well.index, pending: 2 },
      deep: {
        engine: "qmd",
        model: "gemma",
        state: "paused",
        embedded: 3,
        pending: 4,
        problem: "no memory",
      },
      watcher: { ...well.watcher, alive: false, unwatched: 3, lastEvent: null },
      lastError: "the disk is full",
      model: { name: "anthropic/x", problem: "It needs a key." },
      inbox: 1,
      queue: { waiting: 2, running: 1 },
      alarms: ["The vault is empty.", "The limit of watches is reached."],
      left: Array.from({ length: 7 }, (_, at) => ({ path: `vault/${at}.md`, problem: "no YAML" })),
    });
    const { stdout } = await place.run(["status"]);
    expect(stdout).toContain(
      [
        "Watcher     not alive, 7 folders, 3 not watched",
        "Pending     2 files to look at",
        "Model       anthropic/x cannot be used: It needs a key.",
        "Inbox       1 item to answer",
        "Queue       1 running, 2 waiting",
        "Deep        by meaning, QMD with gemma: 3 of 7 sections embedded, paused while the machine is busy; no memory",
        "Last event  none yet",
        "Last error  the disk is full",
        "Alarm       The vault is empty.",
        "Alarm       The limit of watches is reached.",
        "Left as is  vault/0.md: no YAML",
      ].join("\n"),
    );
    expect(stdout).toContain("Left as is  vault/4.md: no YAML\nLeft as is  2 more\n");
  });

  it("gives programs what the service says", async () => {
    const place = temporaryPlace(files);
    const { service } = await startService(place);
    const { vault: _, index, ...facts } = await service.status();
    expect(await place.json(["status"])).toEqual({
      version: expect.stringMatching(/^\d/u),
      vault: place.root,
      state: place.state,
      files: 3,
      folders: 2,
      tokens: 1002,
      history: { entries: 0, bytes: 0 },
      index,
      service: {
        pid: process.pid,
        address: null,
        started: "2026-11-16T08:00:00.000Z",
        version: "1.2.3",
        ...facts,
      },
    });
  });

  it("exits 2 with an argument", async () => {
    const { run } = temporaryPlace();
    expect((await run(["status", "now"])).code).toBe(2);
  });
});
