import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { afterAll } from "vitest";

import { mainFile } from "../../src/cli/testing/cli.ts";
import { startChild } from "../../src/testing/processes/child.ts";
import { writeFiles, type Files } from "../../src/testing/temporary-vault.ts";
import type { Place } from "./any-client.ts";

/** One `coffre serve` for all the tests of a file, on a vault with these files. Called while tests are collected: a hook that another hook adds is never called. */
export async function sharedService(files: Files): Promise<Place> {
  const folder = mkdtempSync(path.join(tmpdir(), "coffre-test-"));
  const [root, state] = [path.join(folder, "notes"), path.join(folder, "state")];
  mkdirSync(root);
  writeFiles(root, files);
  // As in a vault that coffre made.
  const own = ["--frontmatter", "all"];
  const argv = ["serve", "--port", "0", "--vault", root, "--state", state, ...own];
  const child = startChild(pathToFileURL(mainFile), argv);
  afterAll(async () => {
    await child.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  await child.printed("\n");
  return { root, state };
}
