import { spawn } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { openTeamVault } from "../../src/compose-team.ts";
import { coffre, serve, temporaryPlace } from "../../src/cli/testing/cli.ts";
import { codeOf } from "../../src/testing/expected-error.ts";
import { create, remove, update } from "../../src/testing/suites/changes.ts";
import { temporaryFolder, writeFiles, type Files } from "../../src/testing/temporary-vault.ts";
import { beginImport, importFiles } from "../../src/vault/postgres/import-files.ts";
import { PostgresVault } from "../../src/vault/postgres/postgres-vault.ts";
import { DEFAULT_LIMITS } from "../../src/vault/postgres/tree-writes.ts";
import { findVaultRow, makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { createVault } from "../../src/vault/vault.ts";
import { asOwner, emptyDatabase, teamDatabase } from "./team-database.ts";
import { openReplica } from "./team-home.ts";

const MAIN = path.join(import.meta.dirname, "../../src/cli/main.ts");

/** Every file and folder of a folder by its name on the disk: bytes and time, or that it is a folder. */
function contents(root: string): Record<string, string> {
  const all: Record<string, string> = {};
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" }).toSorted()) {
    const place = path.join(root, name);
    const stat = statSync(place);
    all[name] = stat.isDirectory()
      ? "folder"
      : `${Math.floor(stat.mtimeMs)} ${readFileSync(place).toString("base64")}`;
  }
  return all;
}

const FILES: Files = {
  "a.md": "---\nupdated: 2020-01-01\n---\r\n# A\r\nla pompe [[b]]",
  "d/e\u0301te\u0301.md": "in NFD",
  "u\u0308ber/b.md": "in a folder in NFD",
  "d/image.bin": Buffer.from([0, 255, 1, 254]),
  "empty.md": "",
};

/** A folder with a history of three changes, and the options that name it. */
async function folderWithHistory(): Promise<{ root: string; state: string; removed: string }> {
  const [root, state] = [temporaryFolder(), temporaryFolder()];
  writeFiles(root, FILES);
  mkdirSync(path.join(root, "nothing in it"));
  const vault = createVault({ root, state });
  await create(vault, "made.md", "one\n");
  await update(vault, "made.md", "two\n");
  const removed = await remove(vault, "empty.md");
  vault.close();
  return { root, state, removed };
}

it("a folder is imported and exported byte for byte, and its history goes along", async () => {
  const { root, state, removed } = await folderWithHistory();
  const before = contents(root);
  const url = await emptyDatabase();
  const named = ["--vault", "team", "--database", url];
  const imported = await coffre(["import", root, ...named, "--state", state]);
  expect(imported.stderr).toBe("");
  expect(imported.stdout).toContain("Imported 5 files");
  expect(imported.stdout).toContain("3 changes of their history");
  expect(contents(root)).toEqual(before);
  const [out, outState] = [path.join(temporaryFolder(), "out"), temporaryFolder()];
  const exported = await coffre(["export", out, ...named, "--state", outState]);
  expect(exported.stderr).toBe("");
  expect(contents(out)).toEqual(before);
  const logs = await Promise.all(
    [
      { root, state },
      { root: out, state: outState },
    ].map(async (place) => {
      const vault = createVault(place);
      onTestFinished(() => vault.close());
      return vault.log({ path: null, limit: 10 });
    }),
  );
  expect(logs[1]).toEqual(logs[0]);
  const undone = await coffre(["undo", removed, "--vault", out, "--state", outState]);
  expect(undone.stderr).toBe("");
  expect(readFileSync(path.join(out, "empty.md"), "utf8")).toBe("");
});

it("what is private stays private in the database and out of it again, and the other settings go along", async () => {
  const { root, state } = await folderWithHistory();
  const settings = { private: ["d", "\u00fcber/b.md"], frontmatter: "none", tidy: "off" };
  writeFiles(state, { "coffre.json": JSON.stringify({ ...settings, dailyTokens: 7 }) });
  const url = await emptyDatabase();
  const named = ["--vault", "house", "--database", url];
  const imported = await coffre(["import", root, ...named, "--state", state]);
  expect(imported).toMatchObject({ code: 0, stderr: "" });
  expect(imported.stdout).toContain("Private as before: 2.");
  const home = await openReplica(url);
  const seen = Array.fromAsync(home.service.models.vault.walk(""), ({ path: file }) => file);
  expect((await seen).toSorted()).toEqual(["a.md", "made.md"]);
  await create(home.service.vault, "new.md", "# New\n");
  const { bytes } = await home.service.vault.readBytes("new.md", 100);
  expect(bytes.toString()).toBe("# New\n");
  const [out, outState] = [path.join(temporaryFolder(), "out"), temporaryFolder()];
  // Of an older export; what else is there is somebody's.
  writeFiles(outState, { "coffre.json": JSON.stringify({ private: ["old"], dailyTokens: 9 }) });
  const exported = await coffre(["export", out, ...named, "--state", outState]);
  expect(exported.stdout).toContain("Private as before: 2.");
  const kept: unknown = JSON.parse(readFileSync(path.join(outState, "coffre.json"), "utf8"));
  expect(kept).toEqual({ ...settings, dailyTokens: 9 });
});

it("a folder is private in the database before the first of its files is there, also when the import is killed", async () => {
  const { root, state } = await folderWithHistory();
  writeFiles(state, { "coffre.json": JSON.stringify({ private: ["d"] }) });
  const url = await emptyDatabase();
  const named = ["--vault", "house", "--database", url, "--state", state];
  await teamDatabase({ url });
  // As a kill at the first file.
  await asOwner(
    `CREATE FUNCTION refused() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE lock_not_available; END $$;
     CREATE TRIGGER refused BEFORE INSERT ON tree FOR EACH ROW EXECUTE FUNCTION refused()`,
    url,
  );
  expect((await coffre(["import", root, ...named])).code).toBe(1);
  const stored = "SELECT value FROM vault_settings WHERE key = 'private'";
  expect(await asOwner(stored, url)).toEqual([{ value: '["d"]' }]);
  await asOwner("DROP TRIGGER refused ON tree", url);
  expect(await coffre(["import", root, ...named])).toMatchObject({ code: 0, stderr: "" });
  expect(await asOwner(stored, url)).toEqual([{ value: '["d"]' }]);
});

it("settings that cannot be read stop an import, and a refused export leaves those that are there", async () => {
  const { root, state } = await folderWithHistory();
  const url = await emptyDatabase();
  const named = ["--vault", "house", "--database", url];
  writeFiles(state, { "coffre.json": '{"private": "d"}' });
  const refused = await coffre(["import", root, ...named, "--state", state]);
  expect(refused.stderr).toContain("it cannot be said what is private");
  expect(await asOwner("SELECT 1 FROM tree", url)).toEqual([]);
  writeFiles(state, { "coffre.json": "{}" });
  expect((await coffre(["import", root, ...named, "--state", state])).code).toBe(0);
  const [out, outState] = [temporaryFolder(), temporaryFolder()];
  writeFiles(out, { "mine.md": "mine" });
  writeFiles(outState, { "coffre.json": '{"private": ["mine.md"]}' });
  expect((await coffre(["export", out, ...named, "--state", outState])).code).toBe(1);
  expect(readFileSync(path.join(outState, "coffre.json"), "utf8")).toBe('{"private": ["mine.md"]}');
});

it("changes made before an import can be undone in the database", async () => {
  const { root, state, removed } = await folderWithHistory();
  const url = await emptyDatabase();
  await coffre(["import", root, "--vault", "team", "--database", url, "--state", state]);
  const database = await teamDatabase({ url });
  const vault = new PostgresVault({ database, row: await findVaultRow(database, "team") });
  await vault.undo(removed, { actor: "test", force: false });
  expect((await vault.readBytes("empty.md", 10)).bytes.toString()).toBe("");
  const [changed] = (await vault.log({ path: "made.md", limit: 1 })).map(({ id }) => id);
  await vault.undo(changed ?? "", { actor: "test", force: false });
  expect((await vault.readBytes("made.md", 10)).bytes.toString()).toBe("one\n");
});

it("what is not imported is counted and named", async () => {
  const [root, state] = [temporaryFolder(), temporaryFolder()];
  writeFiles(root, {
    ".coffreignore": "secret\n",
    "secret/a.md": "",
    "node_modules/p/a.md": "",
    "note.md": "",
  });
  symlinkSync("note.md", path.join(root, "link.md"));
  const url = await emptyDatabase();
  const named = ["--vault", "team", "--database", url, "--state", state, "--json"];
  const { skipped, files } = JSON.parse((await coffre(["import", root, ...named])).stdout);
  expect(files).toBe(1);
  expect(skipped).toEqual([
    { path: ".coffreignore", reason: "hidden name" },
    { path: "link.md", reason: "link" },
    { path: "node_modules", reason: "ignored" },
    { path: "secret", reason: "ignored" },
  ]);
});

it("an import that is killed goes on, and nothing else may be imported meanwhile or afterwards", async () => {
  const [root, state, other] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const notes = Array.from({ length: 1500 }, (_, at) => [`n/${at}.md`, `note ${at}\n`]);
  writeFiles(root, Object.fromEntries(notes));
  const url = await emptyDatabase();
  const named = ["--vault", "team", "--database", url];
  await teamDatabase({ url });
  const child = spawn(process.execPath, [MAIN, "import", root, ...named, "--state", state], {
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const count = async (): Promise<number> =>
    (await asOwner("SELECT 1 FROM tree WHERE NOT is_folder", url)).length;
  await expect.poll(count, { interval: 5, timeout: 60_000 }).toBeGreaterThan(0);
  child.kill("SIGKILL");
  await ended;
  const kept = await count();
  expect(kept).toBeLessThan(1500);
  const wrong = await coffre(["import", other, ...named, "--state", temporaryFolder()]);
  expect(wrong.stderr).toContain("holds a part of");
  expect((await coffre(["import", root, ...named, "--state", state])).stderr).toBe("");
  const out = path.join(temporaryFolder(), "out");
  const outState = temporaryFolder();
  await coffre(["export", out, ...named, "--state", outState]);
  expect(contents(out)).toEqual(contents(root));
  const again = await coffre(["import", root, ...named, "--state", state]);
  expect(again.stderr).toContain("holds something already");
});

it("a vault whose import was cut off is changed by nobody until the import has ended", async () => {
  const { root, state, removed } = await folderWithHistory();
  const url = await emptyDatabase();
  const database = await teamDatabase({ url });
  const row = await makeVaultRow(database, "team");
  // As an import leaves it that was killed after its files.
  await beginImport(database, row, realpathSync(root));
  const source = createVault({ root, state });
  onTestFinished(() => source.close());
  await importFiles({ database, row, source, limits: DEFAULT_LIMITS });
  const { vault } = await openTeamVault({
    database,
    row,
    now: () => new Date(),
    policy: () => "all",
  });
  const before = await vault.scan();
  const refused = [
    async () => create(vault, "new.md", "from a person\n"),
    async () => update(vault, "made.md", "three\n"),
    async () => remove(vault, "a.md"),
    async () => vault.undo(removed, { actor: "test", force: true }),
    async () => vault.alone(async () => {}),
  ];
  for (const change of refused) expect(await codeOf(change)).toBe("busy");
  expect(await vault.scan()).toEqual(before);
  const named = ["--vault", "team", "--database", url, "--state", state];
  expect(await coffre(["import", root, ...named])).toMatchObject({ code: 0, stderr: "" });
  await create(vault, "new.md", "from a person\n");
  await vault.undo(removed, { actor: "test", force: false });
});

it("an export goes on where it was cut off, and overwrites nothing", async () => {
  const [root, state] = [temporaryFolder(), temporaryFolder()];
  writeFiles(root, FILES);
  const url = await emptyDatabase();
  const named = ["--vault", "team", "--database", url];
  await coffre(["import", root, ...named, "--state", state]);
  const [part, partState] = [temporaryFolder(), temporaryFolder()];
  writeFiles(part, {
    "a.md": FILES["a.md"] ?? "",
    ".coffre-tmp-export": "half of a fi",
    "mine.md": "mine",
  });
  const kept = statSync(path.join(part, "a.md")).ino;
  const toPart = ["export", part, ...named, "--state", partState];
  expect((await coffre(toPart)).stderr).toContain("mine.md is no part of this vault");
  expect(readdirSync(part).toSorted()).toEqual([".coffre-tmp-export", "a.md", "mine.md"]);
  rmSync(path.join(part, "mine.md"));
  expect((await coffre(toPart)).stderr).toBe("");
  expect(statSync(path.join(part, "a.md")).ino).toBe(kept);
  const names = Object.keys(contents(root));
  expect(Object.keys(contents(part))).toEqual(names);
});

it("an export is of one moment, whatever is written meanwhile", async () => {
  const { root, state } = await folderWithHistory();
  const url = await emptyDatabase();
  const named = ["--vault", "team", "--database", url];
  await coffre(["import", root, ...named, "--state", state]);
  const writer = await teamDatabase({ url });
  const out = path.join(temporaryFolder(), "out");
  const exported = await writer.transaction(async () => {
    // Holds up who reads bytes, after it has read the list of files.
    await writer.query("LOCK TABLE blobs IN ACCESS EXCLUSIVE MODE");
    const running = coffre(["export", out, ...named, "--state", temporaryFolder()]);
    const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'blobs'::regclass";
    await expect
      .poll(async () => (await asOwner(waiting, url)).length, { timeout: 60_000 })
      .toBeGreaterThan(0);
    // As a change, an undo and an erasure leave it.
    for (const table of ["tree", "uses", "changes", "entries", "blobs"])
      await writer.execute(`DELETE FROM ${table}`);
    return { running };
  });
  expect(await exported.running).toMatchObject({ code: 0, stderr: "" });
  expect(contents(out)).toEqual(contents(root));
});

it("a folder that a service runs on is refused, and none takes it while it is imported", async () => {
  const place = temporaryPlace({ "a.md": "a\n" });
  const service = await serve(place);
  const url = await emptyDatabase();
  const named = ["--vault", "team", "--database", url, "--state", place.state];
  const refused = await coffre(["import", place.root, ...named]);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining(`The process ${service.process.pid} owns the vault ${place.root}`),
  ]);
  const elsewhere = [...named.slice(0, -1), temporaryFolder()];
  expect((await coffre(["import", place.root, ...elsewhere])).stderr).toContain("owns the vault");
  expect(await asOwner("SELECT 1 FROM pg_class WHERE relname = 'tree'", url)).toEqual([]);
  await service.kill();
  expect(await coffre(["import", place.root, ...named])).toMatchObject({ code: 0, stderr: "" });
});
