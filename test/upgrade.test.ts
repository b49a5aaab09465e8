import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { createService, type Service } from "../src/compose.ts";
import { refusalOf } from "../src/testing/expected-error.ts";
import { runSql, schemaVersionOf } from "../src/testing/raw-database.ts";
import { found, type Home } from "../src/testing/service-home.ts";
import { temporaryFolder } from "../src/testing/temporary-vault.ts";

const RELEASES = readdirSync(path.join(import.meta.dirname, "upgrade"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const DATABASES = ["history.sqlite", "queue.sqlite", "job.sqlite", "index/index.sqlite"];

/** Soon after the vaults were made: what is too old would be forgotten. */
const now = (): Date => new Date("2026-11-20T12:00:00Z");

/** A copy of a vault and its state as a release left them. */
function homeOf(release: string): Pick<Home, "root" | "state" | "read"> {
  const folder = temporaryFolder();
  cpSync(path.join(import.meta.dirname, "upgrade", release), folder, { recursive: true });
  const root = path.join(folder, "vault");
  return {
    root,
    state: path.join(folder, "state"),
    read: (name) => readFileSync(path.join(root, name), "utf8"),
  };
}

async function open({ root, state }: Pick<Home, "root" | "state">): Promise<Service> {
  const bugs: unknown[] = [];
  const onBug = (error: unknown): void => void bugs.push(error);
  const service = await createService({ root, state, now, memory: { model: null, onBug } });
  onTestFinished(async () => {
    await service.close();
    expect(bugs).toEqual([]);
  });
  await service.settled();
  return service;
}

async function entryOf(service: Service, call: string): Promise<string> {
  const log = await service.vault.log({ path: null, limit: 100 });
  const entry = log.find((each) => each.call === call);
  if (entry === undefined) throw new Error(`the log has no ${call}`);
  return entry.id;
}

it.each(RELEASES)("a vault of release %s is found, logged and undone in", async (release) => {
  const home = homeOf(release);
  const service = await open(home);
  expect(await found(service, "gutter leaks")).toContain("projects/roof/state.md");
  expect(await found(service, "haie taillée")).toContain("projects/jardin/state.md");

  const log = await service.vault.log({ path: null, limit: 100 });
  expect(log.map(({ call }) => call)).toEqual(
    expect.arrayContaining(["init", "write", "edit", "move", "delete", "append", "remember"]),
  );

  const undo = { actor: "test", force: false };
  await service.vault.undo(await entryOf(service, "edit"), undo);
  expect(home.read("projects/roof/state.md")).toContain("Ask Hale for a quote.");
  await service.vault.undo(await entryOf(service, "move"), undo);
  expect(home.read("people/hale.md")).toContain("Roofer, recommended by Ines.");
  await service.vault.undo(await entryOf(service, "delete"), undo);
  expect(home.read("projects/jardin/idees.md")).toContain("Un bassin près du pommier.");
  await service.settled();
  expect(await found(service, "bassin")).toEqual(["projects/jardin/idees.md"]);
});

it.each(RELEASES)(
  "a vault of release %s goes on as before: all notes get frontmatter",
  async (release) => {
    const home = homeOf(release);
    const service = await open(home);
    expect((await service.status()).frontmatter).toMatchObject({ setting: "all", chosen: false });
    writeFileSync(path.join(home.root, "neuf.md"), "La cave.\n");
    await service.rescan();
    await service.settled();
    expect(home.read("neuf.md")).toMatch(/^---\ncreated: /u);
    expect(home.read("tree.md")).toContain("neuf.md");
  },
);

it.each(RELEASES)("updates that release %s accepted are kept and filed", async (release) => {
  const service = await open(homeOf(release));
  const parked = await service.memory?.inbox.list();
  expect(parked?.map(({ ref }) => ref)).toEqual(
    expect.arrayContaining([
      "2026-11-18-le-paillage-du-jardin-arrive-mardi-par",
      "2026-11-18-the-roof-quote-is-4-200-euros",
    ]),
  );
  expect(await service.memory?.updates.ended("mwleqwaiting")).toMatchObject({
    status: "parked",
    input: { content: "Hale's quote is accepted" },
    report: { outcome: "inbox" },
  });
});

it.each(RELEASES)("every database of release %s gets a schema version", async (release) => {
  const home = homeOf(release);
  await open(home);
  for (const name of DATABASES)
    expect(schemaVersionOf(path.join(home.state, name)), name).toBeGreaterThanOrEqual(1);
});

it.each(DATABASES)("%s of a newer schema is refused and left unchanged", async (name) => {
  const home = homeOf("0.1.0");
  const file = path.join(home.state, name);
  runSql(file, "PRAGMA user_version = 99");
  const before = readFileSync(file);
  const refusal = await refusalOf(async () => {
    const service = await open(home);
    await service.vault.log({ path: null, limit: 1 });
  });
  expect(refusal?.code).toBe("unavailable");
  expect(refusal?.message).toContain("was written by a newer coffre (schema 99");
  expect(readFileSync(file).equals(before)).toBe(true);
});
