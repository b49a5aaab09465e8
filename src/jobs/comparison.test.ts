import { utimesSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { temporaryVault } from "../testing/temporary-vault.ts";
import { compareWithDisk } from "./comparison.ts";
import { ProcessedFiles } from "./processed-files.ts";

it("names the files to read with the newest first, whatever their folders", async () => {
  const names = ["a/old.md", "a/new.md", "b/deep/newest.md", "middle.md"];
  const vault = temporaryVault(Object.fromEntries(names.map((name) => [name, "text\n"])));
  for (const [day, name] of ["a/old.md", "middle.md", "a/new.md", "b/deep/newest.md"].entries()) {
    const time = new Date(2026, 0, 1 + day);
    utimesSync(path.join(vault.root, name), time, time);
  }
  const processed = new ProcessedFiles(vault.state);
  onTestFinished(() => processed.close());
  const found = await compareWithDisk(vault, processed, null);
  expect(found).toMatchObject({
    changed: ["b/deep/newest.md", "a/new.md", "middle.md", "a/old.md"],
  });
});
