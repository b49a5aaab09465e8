import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished, vi } from "vitest";

import { openIndex } from "../index/create-index.ts";
import type { SearchIndex } from "../index/search-index.ts";
import { callerOf, temporaryVault, writeFiles, type Files } from "../testing/temporary-vault.ts";
import { plainValue } from "../vault/files/frontmatter.ts";
import type { LocalVault } from "../vault/vault.ts";
import { BackgroundJob, type BackgroundJobOptions, type JobReport } from "./background-job.ts";
import { errorOf } from "./bulk/bulk-messages.ts";
import type { JobIndex } from "./file-batch.ts";
import { ProcessedFiles } from "./processed-files.ts";
import { ExpectedError } from "../errors.ts";
import { countReads } from "../testing/count-reads.ts";

/** A clock that stands still, after all files of the tests were written: the job waits for nothing. */
const NOW = new Date(2040, 0, 1);
const STAMPED = /^---\ncreated: .*\nupdated: .*\ntokens: \d+\n---\n/u;

interface Scene {
  readonly vault: LocalVault;
  readonly index: SearchIndex;
  readonly processed: ProcessedFiles;
  readonly job: BackgroundJob;
  readonly reports: JobReport[];
  readonly place: (name: string) => string;
  readonly read: (name: string) => string;
  readonly search: (word: string) => Promise<string[]>;
}

/** A job on real folders that has processed these files. */
async function jobOn(
  files: Files,
  options: Partial<BackgroundJobOptions> = {},
  wrap: (index: SearchIndex) => JobIndex = (index) => index,
): Promise<Scene> {
  const vault = temporaryVault(files, () => NOW);
  const index = openIndex(vault.state);
  const processed = new ProcessedFiles(vault.state);
  const reports: JobReport[] = [];
  const job = new BackgroundJob({
    vault,
    index: wrap(index),
    processed,
    now: () => NOW,
    policy: () => "all",
    quiet: 0,
    onDone: (report) => void reports.push(report),
    ...options,
  });
  onTestFinished(async () => {
    await job.close();
    processed.close();
    await index.close();
  });
  vault.onChange(({ path: changed, ...change }) =>
    job.mark(change.kind === "move" ? [changed, change.to] : [changed], "soon"),
  );
  await job.rescan();
  await job.settled();
  reports.length = 0;
  const place = (name: string): string => path.join(vault.root, name);
  return {
    vault,
    index,
    processed,
    job,
    reports,
    place,
    read: (name) => readFileSync(place(name), "utf8"),
    search: async (word) => {
      const request = { mode: "fast", scope: null, limit: 50, from: null, to: null } as const;
      const { hits } = await index.search({ ...request, queries: [word] });
      return hits.map((hit) => hit.path);
    },
  };
}

it("indexes before it stamps", async () => {
  const scene = await jobOn({}, { quiet: 3_600_000, now: () => new Date() });
  writeFiles(scene.vault.root, { "a.md": "turbine\n" });
  scene.job.mark(["a.md"], "quiet");
  await scene.job.indexed();
  expect(await scene.search("turbine")).toEqual(["a.md"]);
  expect(scene.read("a.md")).toBe("turbine\n");
  expect(scene.job.pending).toBeGreaterThan(0);
});

it("writes a file once after a tool wrote it, and nothing after its own write", async () => {
  const scene = await jobOn({ "a.md": "pump\n" });
  await callerOf(scene.vault).update("write", { path: "vault/b.md", content: "cellar\n" });
  await scene.job.settled();
  const versions = async (): Promise<string[]> =>
    Promise.all(["b.md", "tree.md"].map(async (name) => (await scene.vault.get(name)).version));
  const before = await versions();
  expect(scene.read("b.md")).toMatch(STAMPED);
  expect(scene.reports).toEqual([{ changed: ["b.md"], created: ["b.md"], gone: [] }]);
  for (let echo = 0; echo < 3; echo += 1) {
    scene.job.mark(["b.md", "tree.md"], "quiet");
    await scene.job.settled();
  }
  expect(await versions()).toEqual(before);
  expect(scene.reports).toHaveLength(1);
});

it("reads a saved file twice, not again when its own write is reported, and reports it once", async () => {
  const scene = await jobOn({ "a.md": "pump\n" });
  scene.job.mark(["a.md"], "quiet");
  await scene.job.settled();
  const reads = countReads("a.md");
  writeFileSync(scene.place("a.md"), scene.read("a.md").replace("pump", "turbine"));
  const own = reads();
  for (let echo = 0; echo < 2; echo += 1) {
    scene.job.mark(["a.md"], "quiet");
    await scene.job.settled();
  }
  expect(reads() - own).toBe(2);
  expect((await scene.index.signatures()).get("a.md")).toBe(
    (await scene.vault.get("a.md")).version,
  );
  expect(scene.reports).toEqual([{ changed: ["a.md"], created: [], gone: [] }]);
});

it("notices a change right after its own write, of the same size and within one tick of the clock", async () => {
  const scene = await jobOn({ "a.md": "pump\n" });
  for (const updated of Array.from({ length: 50 }, (_, at) => `2030-01-01T00:00:${10 + at}`)) {
    const stamped = await scene.vault.stamp("a.md", () => ({ updated }));
    writeFileSync(scene.place("a.md"), scene.read("a.md").replace("pump", "tank"), { flag: "r+" });
    expect(stamped.hasOwnTime).toBe(true);
    expect((await scene.vault.get("a.md")).version).not.toBe(stamped.signature);
    writeFileSync(scene.place("a.md"), scene.read("a.md").replace("tank", "pump"));
  }
});

it("reports a file of which only the job's own keys were edited, and shows them in tree.md", async () => {
  const scene = await jobOn({ "a.md": "pump\n" });
  const text = scene.read("a.md").replace(/updated: .*/u, "updated: 2024-05-06T07:08:09");
  writeFileSync(scene.place("a.md"), text);
  scene.job.mark(["a.md"], "quiet");
  await scene.job.settled();
  expect(scene.read("a.md")).toBe(text);
  expect(scene.read("tree.md")).toContain("2024-05-06");
  expect(scene.reports).toEqual([{ changed: ["a.md"], created: [], gone: [] }]);
});

it("writes tree.md once for a burst of changes", async () => {
  const scene = await jobOn({ "a.md": "pump\n" });
  const written: string[] = [];
  const writeTree = scene.vault.writeTree.bind(scene.vault);
  scene.vault.writeTree = async (make) => {
    const isWritten = await writeTree(make);
    if (isWritten) written.push(scene.read("tree.md"));
    return isWritten;
  };
  for (let file = 0; file < 250; file += 1) {
    writeFiles(scene.vault.root, { [`d${file % 7}/n${file}.md`]: "cellar\n" });
    scene.job.mark([`d${file % 7}/n${file}.md`], "quiet");
    // Some arrive while others are processed.
    if (file % 50 === 0) await scene.job.indexed();
  }
  await scene.job.settled();
  expect(written).toHaveLength(1);
  expect(scene.read("tree.md")).toBe(written[0]);
});

it("raises an alarm when the vault turns empty, forgets nothing, and goes on when it is back", async () => {
  const onAlarm = vi.fn<() => void>();
  const scene = await jobOn({ "a.md": "pump\n", "d/b.md": "cellar\n" }, { onAlarm });
  const away = `${scene.vault.root}-away`;
  renameSync(scene.vault.root, away);
  mkdirSync(scene.vault.root);
  scene.job.mark(["a.md", "d"], "quiet");
  await scene.job.settled();
  expect(onAlarm).toHaveBeenCalledTimes(1);
  expect(scene.job.alarm).toContain("is empty or cannot be read, though 3 files are known");
  expect(await scene.job.rescan()).toEqual({ changed: 0, gone: 0 });
  await scene.job.settled();
  expect(scene.reports).toEqual([]);
  expect([scene.processed.size, (await scene.index.stats()).files]).toEqual([3, 2]);
  expect(await scene.vault.list("")).toEqual([]);
  renameSync(away, scene.vault.root);
  await scene.job.rescan();
  await scene.job.settled();
  expect(scene.job.alarm).toBeNull();
  expect(await scene.search("cellar")).toEqual(["d/b.md"]);
});

it("tries a file that fails a bounded number of times, and it blocks no other", async () => {
  let failures = 0;
  const scene = await jobOn({ "a.md": "pump\n" }, { retryDelay: 0 }, (index) => ({
    signatures: () => index.signatures(),
    stats: () => index.stats(),
    load: (files) => index.load(files),
    apply: async (changes) => {
      if (changes.put.every(({ path: file }) => file !== "bad.md")) return index.apply(changes);
      if (changes.put.length === 1) failures += 1;
      throw new Error("disk I/O error");
    },
  }));
  writeFiles(scene.vault.root, { "bad.md": "turbine\n", "good.md": "cellar\n" });
  scene.job.mark(["bad.md", "good.md"], "quiet");
  await vi.waitFor(() => expect(failures).toBeGreaterThanOrEqual(6));
  await scene.job.settled();
  expect(await scene.search("cellar")).toEqual(["good.md"]);
  expect(scene.read("good.md")).toMatch(STAMPED);
  expect(scene.job.lastError).toBe("disk I/O error");
  const tried = failures;
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve));
  await scene.job.settled();
  expect(failures).toBe(tried);
});

it("tries a file until there is room when another thread met a full disk", async () => {
  let failures = 0;
  const scene = await jobOn({ "a.md": "pump\n" }, { retryDelay: 0 }, (index) => ({
    signatures: () => index.signatures(),
    stats: () => index.stats(),
    load: (files) => index.load(files),
    apply: async (changes) => {
      const isFull = changes.put.some(({ path: file }) => file === "b.md") && failures < 20;
      if (!isFull) return index.apply(changes);
      failures += 1;
      throw errorOf({ message: "database or disk is full", isDiskFull: true });
    },
  }));
  writeFiles(scene.vault.root, { "b.md": "turbine\n" });
  scene.job.mark(["b.md"], "quiet");
  await vi.waitFor(async () => expect(await scene.search("turbine")).toEqual(["b.md"]));
  expect(failures).toBe(20);
});

it("keeps `updated` of a file that is moved", async () => {
  const scene = await jobOn({ "a.md": "pump\n" });
  const updated = plainValue(scene.read("a.md"), "updated");
  mkdirSync(scene.place("d"));
  renameSync(scene.place("a.md"), scene.place("d/b.md"));
  const later = new Date(2039, 0, 1);
  utimesSync(scene.place("d/b.md"), later, later);
  scene.job.mark(["a.md", "d"], "quiet");
  await scene.job.settled();
  expect(plainValue(scene.read("d/b.md"), "updated")).toBe(updated);
  expect(scene.reports).toEqual([{ changed: [], created: [], gone: ["a.md"] }, expect.anything()]);
  expect(await scene.search("pump")).toEqual(["d/b.md"]);
});

it("takes a file out of the index when its content stops being text", async () => {
  const { job, place, index, search } = await jobOn({ "a.md": "quercus\n" });
  expect(await search("quercus")).toEqual(["a.md"]);
  writeFileSync(place("a.md"), Buffer.from([0, 1, 2, 3]));
  job.mark(["a.md"], "now");
  await job.settled();
  expect(await search("quercus")).toEqual([]);
  expect((await index.stats()).files).toBe(0);
});

it("takes our tree.md out of the index, where it comes when it is read half written", async () => {
  const { job, index, processed } = await jobOn({ "a.md": "quercus\n" });
  const updated = "2025-07-14T18:30:00";
  const halfWritten = { path: "tree.md", text: "", updated, signature: "1:2:3" };
  await index.put(halfWritten);
  job.mark(["tree.md"], "now");
  processed.invalidate("tree.md");
  await job.settled();
  expect(await index.file("tree.md")).toBeNull();
  await index.put(halfWritten);
  await job.rescan();
  await job.settled();
  expect(await index.file("tree.md")).toBeNull();
});

it("reads a file again that the disk failed to give once, though nothing is stamped in it", async () => {
  const scene = await jobOn({ "b.md": "turbine\n" }, { retryDelay: 0 });
  const { totals } = scene.vault;
  const refresh = totals.refresh.bind(totals);
  let failures = 0;
  vi.spyOn(totals, "refresh").mockImplementation((file) => {
    const measured = refresh(file);
    if (file !== "b.md" || measured === null || failures > 0) return measured;
    failures += 1;
    const facts = { ...measured.facts, kind: "other", tokens: 0 } as const;
    totals.set(file, facts);
    return { facts, text: null, unread: new Error("disk I/O error") };
  });
  const later = new Date(2039, 0, 1);
  utimesSync(scene.place("b.md"), later, later);
  scene.job.mark(["b.md"], "quiet");
  await vi.waitFor(() => expect(totals.get("b.md")).toMatchObject({ facts: { kind: "text" } }));
  await scene.job.settled();
  expect(failures).toBe(1);
  expect(scene.processed.get("b.md")).toMatchObject({ facts: { kind: "text" } });
  expect(await scene.search("turbine")).toEqual(["b.md"]);
});

it("writes tree.md again after the disk refused it", async () => {
  const scene = await jobOn({ "a.md": "pump\n" }, { retryDelay: 0 });
  const write = scene.vault.writeTree.bind(scene.vault);
  let failures = 0;
  vi.spyOn(scene.vault, "writeTree").mockImplementation(async (make) => {
    failures += 1;
    if (failures <= 2) throw new Error("disk I/O error");
    return write(make);
  });
  writeFiles(scene.vault.root, { "turbine/b.md": "turbine\n" });
  scene.job.mark(["turbine"], "quiet");
  await vi.waitFor(() => expect(scene.read("tree.md")).toContain("turbine"));
});

it("writes tree.md after the frontmatter of a file that a tool writes while it is due", async () => {
  const scene = await jobOn({ "a.md": "pump\n" });
  const { vault, job } = scene;
  const { update } = callerOf(vault);
  const trees: string[] = [];
  const writeTree = vault.writeTree.bind(vault);
  vault.writeTree = async (make) => {
    // The folder was reported before the tool had put its file there.
    if (trees.length === 0 && !scene.vault.totals.has("d/b.md"))
      await update("write", { path: "d/b.md", content: "cellar" });
    const isWritten = await writeTree(make);
    if (isWritten) trees.push(scene.read("tree.md"));
    return isWritten;
  };
  mkdirSync(scene.place("d"));
  job.mark(["d"], "quiet");
  await job.settled();
  expect(trees).toHaveLength(1);
  expect(trees[0]).toContain(`[${plainValue(scene.read("d/b.md"), "tokens")} · `);
});

it("stamps a file again when there is room on a disk that was full, without a comparison", async () => {
  const { vault, place, job, read } = await jobOn({}, { retryDelay: 0 });
  const stamp = vault.stamp.bind(vault);
  let refusals = 0;
  vi.spyOn(vault, "stamp").mockImplementation(async (file, decide) => {
    refusals += 1;
    // More often than a file is tried that fails for another reason.
    if (refusals <= 10) throw new ExpectedError("disk_full", "The disk is full.");
    return stamp(file, decide);
  });
  writeFileSync(place("a.md"), "turbine\n");
  job.mark(["a.md"], "quiet");
  await vi.waitFor(() => expect(read("a.md")).toMatch(STAMPED));
  expect(refusals).toBe(11);
});
