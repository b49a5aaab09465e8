import { writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { openIndex } from "../index/create-index.ts";
import { places } from "../testing/suites/search-index-suite.ts";
import { temporaryVault } from "../testing/temporary-vault.ts";
import { BackgroundJob } from "./background-job.ts";
import { ProcessedFiles } from "./processed-files.ts";
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
