import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished, vi } from "vitest";

import { openIndex } from "../index/create-index.ts";
import type { SearchIndex } from "../index/search-index.ts";
import { callerOf, temporaryVault, writeFiles, type Files } from "../testing/temporary-vault.ts";
import { plainValue } from "../vault/files/frontmatter.ts";
import type { LocalVault } from "../vault/vault.ts";
import { BackgroundJob, type BackgroundJobOptions, type JobReport } from "./background-job.ts";
import type { JobIndex } from "./file-batch.ts";
import { ProcessedFiles } from "./processed-files.ts";
import { countReads } from "./testing/file-reads.ts";

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

it("reads a saved file at most twice until its stamped version is indexed, and reports it once", async () => {
  const scene = await jobOn({ "a.md": "pump\n" });
  scene.job.mark(["a.md"], "quiet");
  await scene.job.settled();
  const reads = countReads("a.md");
  writeFileSync(scene.place("a.md"), scene.read("a.md").replace("pump", "turbine"));
  const own = reads();
  scene.job.mark(["a.md"], "quiet");
  await scene.job.settled();
  expect(reads() - own).toBe(2);
  expect((await scene.index.signatures()).get("a.md")).toBe(
    (await scene.vault.get("a.md")).version,
  );
  expect(scene.reports).toEqual([{ changed: ["a.md"], created: [], gone: [] }]);
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
  scene.vault.writeTree = async (text) => {
    const isWritten = await writeTree(text);
    if (isWritten) written.push(text);
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
