import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it, vi } from "vitest";

import { Spending } from "../../agents/spending/spending.ts";
import { localTime } from "../../text/local-time.ts";
import { serve, startService, temporaryPlace } from "../testing/cli.ts";

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
      `Vault    ${root}\nContent  3 files in 2 folders, 1k tokens\nState    ${state}\nHistory  1 change, 0 B\n`,
    );
  });

  it("counts what is hidden, and what is in no list", async () => {
    const { run } = temporaryPlace({
      ...files,
      ".coffreignore": "private/\n*.key.md\n",
      "private/a.md": "",
      "b.key.md": "",
      "node_modules/p/README.md": "",
    });
    expect((await run(["status"])).stdout).toMatch(
      /^Hidden +2 by \.coffreignore\nUnlisted +1 by \.gitignore or by name$/mu,
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
      ignored: { hidden: 0, unlisted: 0 },
      index: { engine: "built-in", files: 0, chunks: 0, bytes: expect.any(Number), pending: 3 },
      frontmatter: { setting: "own", chosen: false, left: {} },
      spent: { day: expect.stringMatching(/^\d{4}-/u), input: 0, output: 0, cached: 0, most: null },
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
        "Tidying     only when asked for, not yet",
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
      frontmatter: { ...well.frontmatter, left: { invalid: 7, "own-key": 300, toml: 9 } },
    });
    const { stdout } = await place.run(["status"]);
    expect(stdout).toContain(
      [
        "Watcher     not alive, 7 folders, 3 not watched",
        "Pending     2 files to look at",
        "Model       anthropic/x cannot be used: It needs a key.",
        "Inbox       1 item to answer",
        "Queue       1 running, 2 waiting",
        "Tidying     only when asked for, not yet",
        "Deep        by meaning, QMD with gemma: 3 of 7 sections embedded, paused while the machine is busy; no memory",
        "Last event  none yet",
        "Last error  the disk is full",
        "Alarm       The vault is empty.",
        "Alarm       The limit of watches is reached.",
        "Left as is  vault/0.md: no YAML",
      ].join("\n"),
    );
    expect(stdout).toContain("Left as is  vault/4.md: no YAML\nLeft as is  302 more\n");
    expect(stdout).toContain("300 with own keys, 9 with TOML or JSON, 7 with invalid YAML");
    const environment = { LC_ALL: "fr_FR.UTF-8" };
    expect((await place.run(["status"], { environment })).stdout).toContain(
      "300 avec des clés à vous, 9 avec TOML ou JSON, 7 avec un YAML non valide",
    );
  });

  it("names what the last service left as it is when none runs, and what is not UTF-8", async () => {
    const place = temporaryPlace({
      "wiki.md": '---\nupdated: "[[2021-03-05]]"\n---\nA\n',
      "hugo.md": "+++\ntitle = 'A'\n+++\nA\n",
      "gone.md": "---\ntokens: many\n---\nA\n",
    });
    writeFileSync(path.join(place.root, "latin.md"), Buffer.from("caf\xe9\n", "latin1"));
    const child = await serve(place);
    const reasons = { "own-key": 2, toml: 1, "not-utf8": 1 };
    await vi.waitFor(
      async () =>
        expect(await place.json(["status"])).toMatchObject({ frontmatter: { left: reasons } }),
      { timeout: 30_000, interval: 50 },
    );
    child.process.kill("SIGTERM");
    await child.finished();
    rmSync(path.join(place.root, "gone.md"));
    const { stdout } = await place.run(["status"]);
    expect(stdout).toMatch(
      /^Notes .*; left as they are: 1 with own keys, 1 with TOML or JSON, 1 in another encoding$/mu,
    );
    expect(stdout).toMatch(
      /^Left as is +vault\/latin\.md: it is not UTF-8 text, and is not searched\nLeft as is +vault\/wiki\.md: its own updated stays as written$/mu,
    );
    expect(await place.json(["status"])).toMatchObject({
      frontmatter: { left: { "own-key": 1, toml: 1, "not-utf8": 1 } },
      left: [
        { path: "vault/latin.md", reason: "not-utf8" },
        { path: "vault/wiki.md", reason: "own-key" },
      ],
      service: null,
    });
    const french = await place.run(["status"], { environment: { LC_ALL: "fr_FR.UTF-8" } });
    expect(french.stdout).toContain("vault/latin.md : ce n’est pas du texte UTF-8");
    expect(french.stdout).toContain("1 dans un autre codage");
  });

  it("gives programs what the service says", async () => {
    const place = temporaryPlace(files);
    const { service } = await startService(place);
    const { vault: _, index, ignored, frontmatter, spent, ...facts } = await service.status();
    expect(await place.json(["status"])).toEqual({
      version: expect.stringMatching(/^\d/u),
      vault: place.root,
      state: place.state,
      files: 3,
      folders: 2,
      tokens: 1002,
      history: { entries: 0, bytes: 0 },
      index,
      ignored,
      frontmatter,
      spent,
      service: {
        pid: process.pid,
        address: null,
        started: "2026-11-16T08:00:00.000Z",
        version: "1.2.3",
        ...facts,
      },
    });
  });

  it("says what models used up today, and of how much", async () => {
    const place = temporaryPlace(files);
    const now = (): Date => new Date("2026-11-16T10:00:00");
    const spending = new Spending({ state: place.state, most: null, now });
    spending.add({ input: 12_000, output: 340, cached: 0 });
    spending.close();
    expect((await place.run(["status"], { now })).stdout).toMatch(
      /^Today +models used 12.3k tokens$/mu,
    );
    const limited = { now, environment: { COFFRE_DAILY_TOKENS: "12000", LANG: "fr_FR.UTF-8" } };
    expect((await place.run(["status"], limited)).stdout).toMatch(
      /^Aujourd’hui +les modèles ont utilisé 12.3k tokens sur 12k ; ils sont sollicités à nouveau demain$/mu,
    );
  });

  it("exits 2 with an argument", async () => {
    const { run } = temporaryPlace();
    expect((await run(["status", "now"])).code).toBe(2);
  });
});
