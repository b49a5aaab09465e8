import { chmodSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it, vi } from "vitest";

import { asOrdinaryUser } from "../../testing/ordinary-user.ts";
import { writeFiles } from "../../testing/temporary-vault.ts";
import { faultyWatch, PATIENCE, watched, watcherOn } from "../testing/watched-folder.ts";

const FILES = { "a/b/c.md": "", "d/e.md": "", "f.md": "" };

describe("when the kernel watches no more folders", () => {
  it("counts those left, says how to raise the limit, and watches them when it can", async () => {
    const faulty = faultyWatch();
    faulty.left = 2;
    const { watcher, problems, at, reported } = await watched(FILES, { watch: faulty.watch });
    expect([watcher.folders, watcher.unwatched]).toEqual([2, 2]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(
      /^The system watches no more folders .*every few seconds instead; .*`sudo sysctl fs\.inotify\.max_user_watches=\d{6,}`\.$/u,
    );
    watcher.rescan();
    expect([watcher.folders, watcher.unwatched, problems.length]).toEqual([2, 2, 1]);
    faulty.left = 1;
    watcher.rescan();
    expect([watcher.folders, watcher.unwatched, problems.length]).toEqual([3, 1, 1]);
    faulty.left = 10;
    watcher.rescan();
    expect([watcher.folders, watcher.unwatched]).toEqual([4, 0]);
    expect(problems.slice(1)).toEqual([null]);
    for (const file of Object.keys(FILES)) writeFileSync(at(file), "1");
    await reported(...Object.keys(FILES));
  });

  it("reports what is in a new folder that it cannot watch, and by rescan what comes there later", async () => {
    const faulty = faultyWatch();
    const { watcher, problems, at, reported, clear } = await watched(FILES, {
      watch: faulty.watch,
    });
    faulty.left = 0;
    writeFiles(at(""), { "new/x/y.md": "" });
    await reported("new", "new/x", "new/x/y.md");
    expect([watcher.folders, watcher.unwatched, problems.length]).toEqual([4, 2, 1]);
    clear();
    writeFileSync(at("new/x/z.md"), "");
    rmSync(at("new/x/y.md"));
    // For the root: the kernel takes a second watch of a folder for the first, our fault counts it.
    faulty.left = 1;
    watcher.rescan();
    await reported("new/x/z.md", "new/x/y.md");
    rmSync(at("new"), { recursive: true });
    await reported("new");
    expect(watcher.unwatched).toBe(0);
    expect(problems.slice(1)).toEqual([null]);
  });

  it("names the other limit when no watcher can be started at all", async () => {
    const faulty = faultyWatch();
    faulty.left = 0;
    faulty.errno = "EMFILE";
    const { watcher, problems } = await watched(FILES, { watch: faulty.watch });
    expect([watcher.folders, watcher.unwatched]).toEqual([0, 4]);
    expect(problems[0]).toMatch(
      /every few seconds instead; .*`sudo sysctl fs\.inotify\.max_user_instances=\d+`\.$/u,
    );
  });

  it("takes a watch that fails for a folder that is not watched", async () => {
    const faulty = faultyWatch();
    const { watcher, problems, calls, at, reported, clear } = await watched(FILES, {
      watch: faulty.watch,
    });
    faulty.breakAll("EIO");
    expect([watcher.folders, watcher.unwatched]).toEqual([0, 4]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(
      /^The folder .* cannot be watched \(EIO\), .*every few seconds instead\.$/u,
    );
    await vi.waitFor(() => expect(calls.some(({ isBurst }) => isBurst)).toBe(true), PATIENCE);
    watcher.rescan();
    expect([watcher.folders, watcher.unwatched]).toEqual([4, 0]);
    expect(problems.slice(1)).toEqual([null]);
    clear();
    writeFileSync(at("a/b/c.md"), "1");
    await reported("a/b/c.md");
  });
});

it("counts a folder it may not read, and looks into it once it may", async () => {
  const { root, watcher, problems, at, reported, seen, settled } = watcherOn(FILES);
  await asOrdinaryUser(path.dirname(root), async () => {
    chmodSync(at("a"), 0);
    await watcher.start();
    expect([watcher.folders, watcher.unwatched]).toEqual([2, 1]);
    writeFileSync(at("d/e.md"), "1");
    await reported("d/e.md");
    chmodSync(at("a"), 0o700);
    await reported("a", "a/b", "a/b/c.md");
    expect([watcher.folders, watcher.unwatched]).toEqual([4, 0]);
    mkdirSync(at("closed"), 0);
    await settled();
    expect(seen).toContain("closed");
    watcher.rescan();
    expect(watcher.unwatched).toBe(1);
    chmodSync(at("a"), 0);
    watcher.rescan();
    expect(watcher.unwatched).toBe(2);
    chmodSync(at("a"), 0o700);
    watcher.rescan();
    expect([watcher.folders, watcher.unwatched]).toEqual([4, 1]);
    writeFileSync(at("a/b/c.md"), "1");
    await reported("a/b/c.md");
    expect(problems).toEqual([]);
  });
});

describe("when the vault's folder goes away", () => {
  it("says so without reporting a file, and takes up again when it is back", async () => {
    const { root, outside, watcher, problems, calls, seen, at, clear, reported } =
      await watched(FILES);
    renameSync(root, path.join(outside, "away"));
    await vi.waitFor(() => expect(problems).toHaveLength(1), PATIENCE);
    expect(problems[0]).toContain(root);
    expect([watcher.folders, watcher.unwatched]).toEqual([0, 1]);
    expect([...seen]).toEqual([]);
    writeFileSync(path.join(outside, "away/f.md"), "unseen");
    watcher.rescan();
    expect(watcher.unwatched).toBe(1);
    renameSync(path.join(outside, "away"), root);
    watcher.rescan();
    expect([watcher.folders, watcher.unwatched]).toEqual([4, 0]);
    expect(problems.slice(1)).toEqual([null]);
    await reported(...Object.keys(FILES));
    expect(calls.map(({ isBurst }) => isBurst)).toEqual([true]);
    clear();
    writeFileSync(at("a/b/c.md"), "1");
    await reported("a/b/c.md");
    expect(calls.some(({ isBurst }) => isBurst)).toBe(false);
  });

  it("survives its removal, and watches another that takes its place", async () => {
    const { root, watcher, problems, at, clear, reported } = await watched(FILES);
    for (let time = 1; time <= 10; time += 1) {
      rmSync(root, { recursive: true });
      await vi.waitFor(() => expect(watcher.unwatched).toBe(1), PATIENCE);
      writeFiles(root, { "g/h.md": "" });
      watcher.rescan();
      expect([watcher.folders, watcher.unwatched]).toEqual([2, 0]);
      await reported("g", "g/h.md");
      expect(problems.slice(-2)).toEqual([expect.stringContaining(root), null]);
      clear();
      writeFileSync(at("g/h.md"), "1");
      await reported("g/h.md");
    }
  });

  it("notices one that was replaced in an instant", async () => {
    const { root, watcher, at, reported } = await watched(FILES);
    for (let time = 1; time <= 10; time += 1) {
      const before = statSync(root).ino;
      rmSync(root, { recursive: true });
      writeFiles(root, { [`g/${time}.md`]: "" });
      // With its number reused, it is the same folder for all we can tell, and nobody need be told.
      await vi.waitFor(() => {
        if (statSync(root).ino !== before) watcher.rescan();
        expect([watcher.folders, watcher.unwatched]).toEqual([2, 0]);
      }, PATIENCE);
      await reported(`g/${time}.md`);
      writeFileSync(at("g/later.md"), "");
      await reported("g/later.md");
      rmSync(at("g/later.md"));
    }
  });

  it("does not take an empty folder for the vault: a disk that is not mounted leaves one", async () => {
    const { root, outside, watcher, problems } = await watched(FILES);
    renameSync(root, path.join(outside, "away"));
    mkdirSync(root);
    await vi.waitFor(() => expect(problems).toHaveLength(1), PATIENCE);
    watcher.rescan();
    expect([watcher.folders, watcher.unwatched, problems.length]).toEqual([0, 1, 1]);
    writeFileSync(path.join(root, "g.md"), "");
    watcher.rescan();
    expect([watcher.folders, watcher.unwatched]).toEqual([1, 0]);
    expect(problems.slice(1)).toEqual([null]);
  });

  it("notices at the next event that a folder above it was renamed", async () => {
    const { root, outside, watcher, problems, seen } = await watched(FILES, {});
    const above = path.dirname(root);
    renameSync(above, `${above}-moved`);
    writeFileSync(path.join(`${above}-moved`, "notes/a/b/c.md"), "1");
    await vi.waitFor(() => expect(problems).toHaveLength(1), PATIENCE);
    expect([...seen]).toEqual([]);
    renameSync(`${above}-moved`, above);
    watcher.rescan();
    expect([watcher.folders, statSync(outside).isDirectory()]).toEqual([4, true]);
  });

  it("starts without it", async () => {
    const { root, watcher, problems, reported } = watcherOn(FILES);
    rmSync(root, { recursive: true });
    await watcher.start();
    expect([watcher.folders, watcher.unwatched, problems.length]).toEqual([0, 1, 1]);
    writeFiles(root, FILES);
    watcher.rescan();
    expect([watcher.folders, watcher.unwatched]).toEqual([4, 0]);
    await reported(...Object.keys(FILES));
  });
});

describe("when events are lost", () => {
  it("says so when so many come at once that the kernel may have dropped some", async () => {
    const { at, calls, settled, clear } = await watched(FILES);
    for (let time = 0; time < 6000; time += 1) writeFileSync(at(`a/b/${time % 100}.md`), "x");
    await settled();
    expect(calls.some(({ isBurst }) => isBurst)).toBe(true);
    clear();
    for (let time = 0; time < 500; time += 1) writeFileSync(at(`a/b/${time % 100}.md`), "y");
    await settled();
    expect(calls.some(({ isBurst }) => isBurst)).toBe(false);
  });

  it("says so too when nearly all of them are about a folder that has moved away", async () => {
    const { at, calls, settled, watcher } = await watched(FILES);
    renameSync(at("a"), at("z"));
    for (let time = 0; time < 20_000; time += 1) writeFileSync(at(`z/b/${time % 100}.md`), "x");
    mkdirSync(at("lost/deep"), { recursive: true });
    await vi.waitFor(() => expect(calls.some(({ isBurst }) => isBurst)).toBe(true), PATIENCE);
    watcher.rescan();
    expect(watcher.folders).toBe(6);
    await settled();
  });

  it("finds by rescan the folders that came, went, moved and were made again", async () => {
    const faulty = faultyWatch();
    const { at, outside, seen, clear, reported, settled, watcher } = await watched(
      {
        ...FILES,
        "gone/x.md": "",
        "again/deep/y.md": "",
        "moved/deep/z.md": "",
        "other/deep/o.md": "",
      },
      { watch: faulty.watch },
    );
    faulty.isDeaf = true;
    writeFiles(outside, { "other/deep/o.md": "2" });
    renameSync(at("other"), path.join(outside, "before"));
    renameSync(path.join(outside, "other"), at("other"));
    rmSync(at("gone"), { recursive: true });
    rmSync(at("again"), { recursive: true });
    writeFiles(at(""), { "again/deep/y.md": "2", "new/deep/n.md": "", "a/b/unseen.md": "" });
    renameSync(at("moved"), at("d/moved"));
    rmSync(at("f.md"));
    writeFileSync(at("last.md"), "");
    await vi.waitFor(() => expect(faulty.lost).toContain("last.md"), PATIENCE);
    faulty.isDeaf = false;
    watcher.rescan();
    await reported("gone", "new", "new/deep/n.md", "moved", "moved/deep/z.md", "d/moved/deep/z.md");
    await reported("other", "other/deep", "other/deep/o.md");
    expect([...seen]).toEqual(expect.arrayContaining(["f.md", "a/b/unseen.md"]));
    expect(seen).not.toContain("a/b/c.md");
    expect([watcher.folders, watcher.unwatched]).toEqual([12, 0]);
    await settled();
    clear();
    const probes = ["again/deep", "again", "new/deep", "d/moved/deep", "a/b"].map(
      (each) => `${each}/p.md`,
    );
    for (const probe of probes) writeFileSync(at(probe), "");
    await settled();
    expect([...seen].toSorted()).toEqual(probes.toSorted());
  });

  it("sees by what happens in it that a folder has moved unseen", async () => {
    const faulty = faultyWatch();
    const { at, seen, reported, clear, watcher } = await watched(FILES, { watch: faulty.watch });
    faulty.isDeaf = true;
    renameSync(at("a"), at("z"));
    writeFileSync(at("last.md"), "");
    await vi.waitFor(() => expect(faulty.lost).toContain("last.md"), PATIENCE);
    faulty.isDeaf = false;
    writeFileSync(at("z/b/c.md"), "1");
    await reported("a/b", "a/b/c.md");
    watcher.rescan();
    await reported("a", "z", "z/b", "z/b/c.md");
    clear();
    writeFileSync(at("z/b/c.md"), "2");
    await reported("z/b/c.md");
    expect([...seen]).toEqual(["z/b/c.md"]);
  });

  it("reports nothing by rescan when nothing was lost", async () => {
    const { at, watcher, calls, settled, clear } = await watched(FILES);
    writeFiles(at(""), { "a/b/new.md": "", "new/deep/n.md": "" });
    rmSync(at("d/e.md"));
    await settled();
    clear();
    watcher.rescan();
    watcher.rescan();
    await settled();
    expect(calls.flatMap(({ paths }) => [...paths])).toEqual([expect.stringMatching(/^mark-/u)]);
  });
});
