import { writeFileSync } from "node:fs";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";

import { openIndex } from "../index/create-index.ts";
import { places } from "../testing/suites/search-index-suite.ts";
import { temporaryVault } from "../testing/temporary-vault.ts";
import { BackgroundJob } from "./background-job.ts";
import { ProcessedFiles } from "./processed-files.ts";
import { MarkedPaths } from "./marked-paths.ts";
import { untilIndexed } from "./until-indexed.ts";

it("a search waits for what tools wrote, and says how many of the others another thread is still to read", async () => {
  const names = Array.from({ length: 300 }, (_, at) => `n${at}.md`);
  const vault = temporaryVault(Object.fromEntries(names.map((name) => [name, "turbine\n"])));
  const index = openIndex(vault.state);
  const processed = new ProcessedFiles(vault.state);
  const job = new BackgroundJob({
    vault,
    index,
    processed,
    now: () => new Date(),
    policy: () => "none",
    // A thread that has not come to any of them yet.
    bulk: { read: () => {} },
  });
  onTestFinished(async () => {
    job.bulkDied(new Error("the test is over"));
    await job.close();
    processed.close();
    await index.close();
  });
  await job.rescan();
  writeFileSync(path.join(vault.root, "tool.md"), "cellar\n");
  job.mark(["tool.md"], "soon");
  expect(await untilIndexed(job, false, Promise.resolve())).toBe(
    "300 files are still being indexed: search again for what they say",
  );
  expect(await places(index, "cellar")).toEqual(["tool.md:1-1"]);
});

describe("while the service starts", () => {
  const never = new Promise<void>(() => {});
  const busy = { indexed: async () => never, inBulk: 0, unindexed: 7 };

  afterEach(() => void vi.useRealTimers());

  /** What is answered within so many milliseconds of a clock that the test moves; null for nothing yet. */
  async function after(milliseconds: number, asked: Promise<string | null>): Promise<unknown> {
    let answer: unknown = null;
    void asked.then((said) => (answer = said));
    await vi.advanceTimersByTimeAsync(milliseconds);
    return answer;
  }

  it.each([
    ["is compared", never],
    ["is read", Promise.resolve()],
  ])("a search answers within a second, however long the vault %s", async (_, starting) => {
    vi.useFakeTimers();
    const job = { ...busy, toolsIndexed: async () => {} };
    expect(await after(999, untilIndexed(job, true, starting))).toBe(
      "7 files are still being indexed: search again for what they say",
    );
  });

  it("a search waits longer for what a tool wrote", async () => {
    vi.useFakeTimers();
    const written = Promise.withResolvers<void>();
    const job = { ...busy, toolsIndexed: async () => written.promise };
    const asked = untilIndexed(job, true, never);
    expect(await after(5000, asked)).toBeNull();
    written.resolve();
    expect(await after(0, asked)).toMatch(/^7 files/u);
  });
});

it("only what tools wrote is waited for as theirs, in the batch that is indexed and in the next", async () => {
  const marked = new MarkedPaths();
  /** As it is when all that can happen at once has happened. */
  const state = async (): Promise<string> => {
    let found = "waits";
    void marked.toolsIndexed().then(() => (found = "done"));
    await nextTurn();
    return found;
  };
  marked.add(["a.md"], "quiet");
  expect(await state()).toBe("done");
  marked.takeBatch();
  marked.add(["b.md"], "soon");
  expect(await state()).toBe("waits");
  marked.finishBatch();
  marked.takeBatch();
  expect(await state()).toBe("waits");
  marked.add(["c.md"], "quiet");
  marked.finishBatch();
  expect(await state()).toBe("done");
});
