import { rmSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished, vi } from "vitest";

import { openIndex } from "../../index/create-index.ts";
import type { SearchIndex } from "../../index/search-index.ts";
import { places } from "../../testing/suites/search-index-suite.ts";
import { temporaryVault, writeFiles, type Files } from "../../testing/temporary-vault.ts";
import type { LocalVault } from "../../vault/vault.ts";
import { BackgroundJob } from "../background-job.ts";
import { ProcessedFiles } from "../processed-files.ts";
import { BulkIndexer } from "./bulk-indexer.ts";
import type { BulkFile } from "./bulk-messages.ts";
import { SharedIndex } from "./shared-index.ts";

const numbered = (count: number): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`d/n${at}.md`, `turbine${at}\n`]));

interface Scene {
  readonly vault: LocalVault;
  readonly index: SearchIndex;
  readonly bulk: BulkIndexer;
  readonly files: BulkFile[];
  readonly deaths: Error[];
}

function scene(files: Files): Scene {
  const vault = temporaryVault(files);
  const read: BulkFile[] = [];
  const deaths: Error[] = [];
  const bulk: BulkIndexer = new BulkIndexer({
    root: vault.root,
    state: vault.state,
    onFiles: (some) => void read.push(...some),
    onIdle: () => {},
    onDeath: (error) => void deaths.push(error),
  });
  const index = new SharedIndex(openIndex(vault.state), bulk);
  onTestFinished(async () => {
    await bulk.close();
    await index.close();
  });
  return { vault, index, bulk, files: read, deaths };
}

const file = (name: string, text: string): Parameters<SearchIndex["put"]>[0] => ({
  path: name,
  text,
  updated: null,
  signature: "1",
});

it.each([false, true])(
  "reads files in another thread, and puts those into the index that belong there (first: %s)",
  async (isFirst) => {
    const { vault, index, bulk, files } = scene({ "a.md": "pump\n", "b.txt": "x", "e.md": "" });
    bulk.read(["a.md", "b.txt", "e.md", "gone.md"], isFirst);
    await vi.waitFor(() => expect(files).toHaveLength(4), 20_000);
    expect(await places(index, "pump")).toEqual(["a.md:1-1"]);
    const { version } = await vault.get("a.md");
    expect(files.map((each) => [each.path, each.isPut, each.item?.version ?? null])).toEqual([
      ["a.md", true, version],
      ["b.txt", false, (await vault.get("b.txt")).version],
      ["e.md", true, (await vault.get("e.md")).version],
      ["gone.md", false, null],
    ]);
    expect(files[0]?.facts).toMatchObject({ kind: "text", tokens: 2, signature: version });
  },
);

it.each([false, true])(
  "makes small changes of the index while it reads many files (first: %s)",
  async (isFirst) => {
    const { index, bulk, files } = scene(numbered(500));
    bulk.read(Object.keys(numbered(500)), isFirst);
    expect(bulk.isOpen).toBe(true);
    await index.put(file("tool.md", "cellar\n"));
    expect(await places(index, "cellar")).toEqual(["tool.md:1-1"]);
    await index.remove("tool.md");
    expect(await places(index, "cellar")).toEqual([]);
    await vi.waitFor(() => expect(files).toHaveLength(500), 20_000);
    expect((await index.stats()).files).toBe(500);
  },
);

it("indexes a large text in the other thread, and small ones here when that has ended", async () => {
  const { index, bulk } = scene({});
  await index.put(file("small.md", "cellar\n"));
  expect(bulk.isOpen).toBe(false);
  await index.put(file("large.md", "turbine cellar\n".repeat(20_000)));
  expect(bulk.isOpen).toBe(true);
  expect((await index.stats()).files).toBe(2);
  await vi.waitFor(() => expect(bulk.isOpen).toBe(false), 10_000);
  await index.put(file("other.md", "pump\n"));
  expect(bulk.isOpen).toBe(false);
});

it("reports its death, and fails what it was to change", async () => {
  const { vault, index, bulk, deaths } = scene({ "a.md": "pump\n" });
  rmSync(vault.root, { recursive: true });
  bulk.read(["a.md"], false);
  await expect(index.put(file("x.md", "cellar\n"))).rejects.toThrow(path.basename(vault.root));
  expect(deaths).toHaveLength(1);
  expect(bulk.isOpen).toBe(false);
  await index.put(file("x.md", "cellar\n"));
  expect(await places(index, "cellar")).toEqual(["x.md:1-1"]);
});

it("when the thread dies, all it was to read is read here", async () => {
  const vault = temporaryVault(numbered(300));
  const index = openIndex(vault.state);
  const processed = new ProcessedFiles(vault.state);
  const ordered: number[] = [];
  const job: BackgroundJob = new BackgroundJob({
    vault,
    index,
    processed,
    now: () => new Date(),
    policy: () => "all",
    quiet: 0,
    bulk: {
      read: (paths) => {
        ordered.push(paths.length);
        queueMicrotask(() => job.bulkDied(new Error("out of memory")));
      },
    },
  });
  onTestFinished(async () => {
    await job.close();
    processed.close();
    await index.close();
  });
  await job.rescan();
  await job.settled();
  expect(ordered[0]).toBe(300);
  expect((await index.stats()).files).toBe(300);
  expect(job.lastError).toBe("out of memory");
  expect(vault.totals.get("d")).toMatchObject({ files: 300 });
});

it("forgets a file, or a folder, that is removed after the thread has read it", async () => {
  const large = "turbine\n".repeat(30_000);
  const vault = temporaryVault({ "small.md": "pump\n" });
  const index = openIndex(vault.state);
  const processed = new ProcessedFiles(vault.state);
  const thread: { asked: string[] } = { asked: [] };
  const options = { now: () => new Date(), policy: () => "none" as const, quiet: 0 };
  const bulk = { read: (paths: readonly string[]) => void thread.asked.push(...paths) };
  const job = new BackgroundJob({ vault, index, processed, ...options, bulk });
  onTestFinished(async () => {
    await job.close();
    processed.close();
    await index.close();
  });
  await job.rescan();
  await job.settled();
  writeFiles(vault.root, { "large.md": large, "d/e/inside.md": large });
  job.mark(["large.md", "d"], "quiet");
  await vi.waitFor(() => expect(thread.asked).toHaveLength(2));
  const read = await Promise.all(
    thread.asked.map(async (name): Promise<BulkFile> => {
      const item = await vault.get(name);
      const facts = vault.totals.refresh(name)?.facts ?? null;
      const note = { hash: "x", carriesKeys: false, isOther: false, left: null, created: "" };
      return { path: name, item, facts, note, isPut: true, failure: null };
    }),
  );
  for (const name of ["large.md", "d"]) rmSync(path.join(vault.root, name), { recursive: true });
  job.mark(["large.md", "d"], "quiet");
  await job.indexed();
  job.takeRead(read);
  await job.settled();
  expect(vault.totals.get("")).toMatchObject({ files: 1 });
  expect([...processed.paths()]).toEqual(["small.md"]);
});
