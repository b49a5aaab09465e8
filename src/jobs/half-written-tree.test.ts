import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { openIndex } from "../index/create-index.ts";
import type { SearchIndex } from "../index/search-index.ts";
import { temporaryVault } from "../testing/temporary-vault.ts";
import type { LocalVault } from "../vault/vault.ts";
import { BackgroundJob, type JobReport } from "./background-job.ts";
import { ProcessedFiles } from "./processed-files.ts";

/** Milliseconds: long enough for two steps of a test between a change and its stamp. */
const QUIET = 400;

interface Scene {
  readonly vault: LocalVault;
  readonly index: SearchIndex;
  readonly processed: ProcessedFiles;
  readonly job: BackgroundJob;
  readonly reports: JobReport[];
  readonly file: string;
  readonly text: () => string;
}

async function jobOn(): Promise<Scene> {
  const vault = temporaryVault({ "a.md": "turbine\n" });
  const index = openIndex(vault.state);
  const processed = new ProcessedFiles(vault.state);
  const options = { vault, index, processed, now: () => new Date(), quiet: QUIET };
  const reports: JobReport[] = [];
  const onDone = (report: JobReport): void => void reports.push(report);
  const job = new BackgroundJob({ ...options, policy: () => "all", onDone });
  onTestFinished(async () => {
    await job.close();
    processed.close();
    await index.close();
  });
  await job.rescan();
  await job.settled();
  const file = path.join(vault.root, "tree.md");
  return { vault, index, processed, job, reports, file, text: () => readFileSync(file, "utf8") };
}

it("stamps no tree.md that was empty when it was read, and is our listing when it is stamped", async () => {
  const { index, processed, job, reports, file, text } = await jobOn();
  const listing = text();
  // The second time, the history would take a listing that it had stamped for one whose stamp was undone.
  for (let time = 0; time < 2; time += 1) {
    // Another program writes the listing in place: for a moment the file is empty.
    writeFileSync(file, "");
    job.mark(["tree.md"], "quiet");
    await job.indexed();
    expect(await index.file("tree.md")).not.toBeNull();
    writeFileSync(file, listing);
    job.mark(["tree.md"], "quiet");
    await job.settled();
    expect(text()).toBe(listing);
    expect(await index.file("tree.md")).toBeNull();
    expect(processed.get("tree.md")?.facts.isGenerated).toBe(true);
  }
  expect(reports.flatMap(({ changed }) => changed)).not.toContain("tree.md");
});

it("generates tree.md again where an earlier version put frontmatter above the listing", async () => {
  const { index, job, file, text } = await jobOn();
  const listing = text();
  const keys = "---\ncreated: 2026-11-18T13:32:57\nupdated: 2026-11-18T13:32:57\ntokens: 50\n---\n";
  writeFileSync(file, `${keys}\n${listing}`);
  await job.rescan();
  await job.settled();
  expect(text()).toBe(listing);
  expect(await index.file("tree.md")).toBeNull();
});

it("leaves a tree.md of the person's, with frontmatter of ours", async () => {
  const { job, file, text } = await jobOn();
  writeFileSync(file, "# Trees\n\nThe oak is 200 years old.\n");
  await job.rescan();
  await job.settled();
  expect(text()).toMatch(/^---\ncreated: .*\n---\n\n# Trees\n\nThe oak is 200 years old\.\n$/su);
});
