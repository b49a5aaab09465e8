import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { createService } from "./compose.ts";
import { describeEvents } from "./testing/suites/events-suite.ts";
import { expectRight, found, home, start, until, update } from "./testing/service-home.ts";
import { refusedWith } from "./testing/temporary-vault.ts";
import { vaultProblems } from "./testing/vault-problems.ts";
import type { CallResult } from "./tools/call-result.ts";
import { createSession } from "./tools/session.ts";
import { plainValue } from "./vault/files/frontmatter.ts";

describe("what happens in a folder", () => {
  describeEvents(async () => {
    const service = await start(home(), "none");
    return { vault: service.vault, onEvent: (listener) => service.onDone(listener) };
  });
});

describe("the service", () => {
  it("makes a vault right that never was: frontmatter, tree.md, index", async () => {
    const at = home({
      "a.md": "# A\n\nLa pompe.\n",
      "projects/x/state.md": "---\ntags: [x] # mien\n---\n\nLa cave.\n",
      "projects/x/bucket/photo.png": "pas une image",
    });
    const service = await start(at);
    expect(at.read("projects/x/state.md")).toMatch(
      /^---\ntags: \[x\] # mien\ncreated: .*\nupdated: .*\ntokens: \d+\n---\n\nLa cave\.\n$/u,
    );
    expect(await found(service, "pompe")).toEqual(["a.md"]);
    await expectRight(service, at);
  });

  it("does nothing when nothing happens: a restart changes no byte and no time", async () => {
    const at = home({ "a.md": "# A\n", "d/b.md": "# B\n", "d/c.txt": "texte\n" });
    await (await start(at)).close();
    const snapshot = (): string[] =>
      readdirSync(at.root, { recursive: true, encoding: "utf8" })
        .toSorted()
        .map((name) => `${name} ${statSync(at.file(name), { bigint: true }).mtimeNs}`);
    const before = snapshot();
    const again = await start(at);
    await again.rescan();
    await again.settled();
    await again.close();
    expect(snapshot()).toEqual(before);
    expect(await vaultProblems(at.root, at.state)).toEqual([]);
  });

  it("a search sees every write of a tool that returned before it", async () => {
    const at = home({ "a.md": "# A\n" });
    const service = await start(at);
    for (let round = 0; round < 30; round += 1) {
      await update(service, "write", {
        path: `vault/n${round}.md`,
        content: `mot${round}unique\n`,
      });
      expect(await found(service, `mot${round}unique`)).toEqual([`n${round}.md`]);
    }
    await update(service, "move", { from: "vault/n0.md", to: "vault/d/m0.md" });
    expect(await found(service, "mot0unique")).toEqual(["d/m0.md"]);
    await update(service, "delete", { path: "vault/d/" });
    expect(await found(service, "mot0unique")).toEqual([]);
    await expectRight(service, at);
  });

  it("shows the right lines though the stamping moves them meanwhile", async () => {
    const at = home({ "a.md": "# A\n" });
    const service = await start(at);
    for (let round = 0; round < 40; round += 1) {
      const content = `# Titre\n\n${"ligne\n\n".repeat(round % 3)}mot${round}unique\n`;
      await update(service, "write", { path: `vault/n${round}.md`, content });
      for (let look = 0; look < 4; look += 1) {
        const result = await update(service, "search", { queries: [`mot${round}unique`] });
        const [text] = result.content.map((part) => (part.type === "text" ? part.text : ""));
        expect(text).toContain(`| mot${round}unique`);
      }
    }
  });

  it("does not make an agent read a large file again that only the job wrote to", async () => {
    const large = `# Journal\n\n${"une ligne du journal\n".repeat(60_000)}`;
    const at = home({ "a.md": "# A\n", "grand.md": large });
    const service = await start(at);
    const session = createSession("test");
    const call = (name: string, args: unknown): Promise<CallResult> =>
      update(service, name, args, session);
    await call("read", { paths: ["vault/grand.md"], head: 20 });
    for (const word of ["premier", "second"]) {
      await call("append", { path: "vault/grand.md", content: `mot ${word}`, position: "bottom" });
      await service.settled();
    }
    const edit = { path: "vault/grand.md", old_content: "mot second", new_content: "mot final" };
    expect(await call("edit", edit)).toMatchObject({ isError: false });
    await expectRight(service, at);
  });

  it("`updated` moves with the person's text alone", async () => {
    const at = home({ "a.md": "# A\n\nUn.\n" });
    const service = await start(at);
    const old = "2024-01-02T03:04:05";
    const stamped = at.read("a.md").replace(/updated: .*/u, `updated: ${old}`);
    writeFileSync(at.file("a.md"), stamped);
    await until(service, () => at.read("a.md").includes(old));
    const time = new Date(Date.now() - 5000);
    utimesSync(at.file("a.md"), time, time);
    await service.rescan();
    await service.settled();
    expect(plainValue(at.read("a.md"), "updated")).toBe(old);
    writeFileSync(at.file("a.md"), at.read("a.md").replace("Un.", "Deux."));
    await until(service, () => plainValue(at.read("a.md"), "updated") !== old);
    expect(plainValue(at.read("a.md"), "created")).not.toBe(old);
    await expectRight(service, at);
  });

  it("leaves frontmatter alone that is not YAML, says so, and indexes the file all the same", async () => {
    const broken = "---\nclé: [ouverte\n---\n\nLa turbine.\n";
    const at = home({ "a.md": broken, "b.md": "# B\n" });
    const service = await start(at);
    expect(at.read("a.md")).toBe(broken);
    expect((await service.status()).left).toEqual([
      { path: "vault/a.md", problem: expect.stringContaining("YAML"), reason: "invalid" },
    ]);
    expect(await found(service, "turbine")).toEqual(["a.md"]);
  });

  it("finds files changed, made, moved and removed while it was off", async () => {
    const at = home({ "a.md": "pompe\n", "b.md": "cave\n", "d/c.md": "toit\n" });
    await (await start(at)).close();
    appendFileSync(at.file("a.md"), "turbine\n");
    rmSync(at.file("b.md"));
    renameSync(at.file("d"), at.file("e"));
    writeFileSync(at.file("neuf.md"), "neuf\n");
    const service = await start(at);
    expect(await found(service, "turbine")).toEqual(["a.md"]);
    expect(await found(service, "cave")).toEqual([]);
    expect(await found(service, "toit")).toEqual(["e/c.md"]);
    await expectRight(service, at);
  });

  it("finds what a file says under its other names too", async () => {
    const at = home({ "a.md": "pompe\n" });
    symlinkSync("a.md", at.file("lien.md"));
    await (await start(at)).close();
    const service = await start(at);
    appendFileSync(at.file("a.md"), "turbine\n");
    await until(service, async () => (await found(service, "turbine")).length === 2);
    expect((await found(service, "turbine")).toSorted()).toEqual(["a.md", "lien.md"]);
    await expectRight(service, at);
  });

  it("makes tree.md right again when somebody spoils or deletes it", async () => {
    const at = home({ "a.md": "pompe\n" });
    await start(at);
    const tree = at.read("tree.md");
    writeFileSync(at.file("tree.md"), "```\nvault/   [0 · —]\n```\n");
    await vi.waitFor(() => expect(at.read("tree.md")).toBe(tree), { timeout: 20_000 });
    rmSync(at.file("tree.md"));
    await vi.waitFor(() => expect(existsSync(at.file("tree.md"))).toBe(true), { timeout: 20_000 });
    expect(at.read("tree.md")).toBe(tree);
  });

  it("finishes what a tool wrote before it closes", async () => {
    const at = home({ "a.md": "pompe\n" });
    const service = await start(at);
    await update(service, "write", { path: "vault/b.md", content: "cave\n" });
    await service.close();
    expect(at.read("b.md")).toMatch(/^---\ncreated: /u);
    expect(await vaultProblems(at.root, at.state)).toEqual([]);
  });

  it("keeps the index and raises an alarm when the vault turns empty, until it is back", async () => {
    const at = home({ "a.md": "pompe\n", "d/b.md": "cave\n" });
    const service = await start(at);
    const away = `${at.root}-away`;
    mkdirSync(away);
    for (const name of readdirSync(at.root)) renameSync(at.file(name), path.join(away, name));
    await vi.waitFor(async () => expect((await service.status()).alarms).not.toEqual([]), 20_000);
    expect(existsSync(at.file("tree.md"))).toBe(false);
    expect((await service.index.stats()).files).toBe(2);
    const write = async (): Promise<string | null> =>
      refusedWith(await update(service, "write", { path: "c.md", content: "neuf" }));
    expect(await write()).toBe("unavailable");
    // A command that runs beside the service, or without one.
    const oneShot = await createService({
      root: at.root,
      state: at.state,
      isWatching: false,
      isCatchingUp: false,
    });
    expect(refusedWith(await update(oneShot, "write", { path: "d.md", content: "neuf" }))).toBe(
      "unavailable",
    );
    await oneShot.close();
    expect(readdirSync(at.root)).toEqual([]);
    for (const name of readdirSync(away)) renameSync(path.join(away, name), at.file(name));
    await until(service, async () => (await service.status()).alarms.length === 0);
    expect(await write()).toBeNull();
    expect(await found(service, "pompe")).toEqual(["a.md"]);
    await expectRight(service, at);
  });

  it("reports names that no path leads to: not UTF-8, or the same but for their Unicode form", async () => {
    const at = home({ "a.md": "pompe\n" });
    writeFileSync(Buffer.concat([Buffer.from(`${at.root}/caf`), Buffer.from([0xe9, 0x2e])]), "x");
    mkdirSync(Buffer.concat([Buffer.from(`${at.root}/dossier`), Buffer.from([0xff])]));
    writeFileSync(at.file("\u00e9t\u00e9.md"), "un\n");
    writeFileSync(at.file("e\u0301te\u0301.md"), "deux\n");
    const service = await start(at);
    expect((await service.status()).alarms.toSorted()).toEqual([
      "vault/caf\uFFFD. is hidden: its name is not UTF-8. Rename it.",
      "vault/dossier\uFFFD is hidden: its name is not UTF-8. Rename it.",
      expect.stringMatching(/^vault\/\u00e9t\u00e9\.md is hidden: another name there differs/u),
    ]);
  });

  it("rebuilds what it knows when that is lost or damaged, and changes no file for it", async () => {
    const at = home({ "a.md": "pompe\n", "d/b.md": "cave\n" });
    await (await start(at)).close();
    const before = at.read("a.md");
    rmSync(path.join(at.state, "job.sqlite"));
    await (await start(at)).close();
    writeFileSync(path.join(at.state, "job.sqlite"), "rien de bon".repeat(1000));
    writeFileSync(path.join(at.state, "index", "index.sqlite"), "rien de bon".repeat(1000));
    const service = await start(at);
    expect(at.read("a.md")).toBe(before);
    expect((await service.status()).alarms).toEqual([expect.stringContaining("rebuilt")]);
    await expectRight(service, at);
  });

  it("starts on thousands of notes that are right already, without a memory of them", async () => {
    const right =
      "---\ncreated: 2024-01-01T00:00:00\nupdated: 2024-02-02T00:00:00\ntokens: 20\n---\n\nA\n";
    const at = home(
      Object.fromEntries(
        Array.from({ length: 2100 }, (_, round) => [`d${round % 30}/n${round}.md`, right]),
      ),
    );
    const old = new Date(2025, 0, 1);
    for (let round = 0; round < 2100; round += 1)
      utimesSync(at.file(`d${round % 30}/n${round}.md`), old, old);
    const service = await start(at);
    expect((await service.index.stats()).files).toBe(2100);
    expect((await service.status()).lastError).toBeNull();
    expect(statSync(at.file("d3/n3.md")).mtime).toEqual(old);
    await expectRight(service, at);
  });

  it("finishes a move whose process was killed between the new name and the old", async () => {
    const at = home({ "a.md": "pompe\n" });
    const service = await start(at);
    await update(service, "move", { from: "vault/a.md", to: "vault/b.md" });
    await service.close();
    linkSync(at.file("b.md"), at.file("a.md"));
    const again = await start(at);
    expect(existsSync(at.file("a.md"))).toBe(false);
    expect(await found(again, "pompe")).toEqual(["b.md"]);
    await expectRight(again, at);
  });

  it("takes what a killed process left unfinished out of the vault", async () => {
    const at = home({ "a.md": "pompe\n", "d/.coffre-tmp-0011": "à moitié" });
    const service = await start(at);
    expect(existsSync(at.file("d/.coffre-tmp-0011"))).toBe(false);
    expect(readFileSync(path.join(at.state, "leftovers/.coffre-tmp-0011"), "utf8")).toBe(
      "à moitié",
    );
    await expectRight(service, at);
  });

  it("calls each listener with the files it processed, until it is removed", async () => {
    const at = home({ "a.md": "pompe\n" });
    const service = await start(at);
    const [one, other]: [string[], string[]] = [[], []];
    const stop = service.onDone(({ changed }) => void one.push(...changed));
    service.onDone(({ changed, gone }) => void other.push(...changed, ...gone));
    await update(service, "write", { path: "vault/b.md", content: "cave\n" });
    await service.settled();
    stop();
    rmSync(at.file("b.md"));
    await service.rescan();
    await service.settled();
    expect([...new Set(one)]).toEqual(["b.md"]);
    expect(other.length).toBeGreaterThan(one.length);
  });

  it("says whether its watcher receives events, and writes nothing to find out", async () => {
    const at = home({ "a.md": "pompe\n" });
    const service = await start(at);
    const beat = path.join(at.state, "heartbeat", "beat");
    const before = statSync(beat, { bigint: true }).mtimeNs;
    const { watcher } = await service.status();
    expect(watcher).toMatchObject({ alive: true, folders: 1, unwatched: 0 });
    expect(watcher.heartbeat).not.toBeNull();
    expect(statSync(beat, { bigint: true }).mtimeNs).toBe(before);
    await service.rescan();
    expect(statSync(beat, { bigint: true }).mtimeNs).toBeGreaterThan(before);
  });

  it("knows the whole tree when it says so, though a start does not wait for it", async () => {
    const names = Array.from({ length: 400 }, (_, at) => [`n/${at}.md`, "pompe\n"] as const);
    const { root, state } = home(Object.fromEntries(names));
    const service = await createService({ root, state });
    onTestFinished(async () => service.close());
    expect(await service.surveyed()).toBe(true);
    const shape = await service.vault.shape("n");
    expect(shape.kind === "folder" ? shape.files : 0).toBe(400);
  });
});

it("finds what a tool wrote while the vault is still being opened", async () => {
  const { root, state } = home({ "a.md": "The pump\n" });
  const service = await createService({ root, state });
  onTestFinished(async () => service.close());
  await service.vault.change({ actor: "test", call: "write", batch: null }, async ({ writer }) =>
    writer.create("log.md", Buffer.from("turbine\n")),
  );
  expect(await found(service, "turbine")).toEqual(["log.md"]);
});
