/** `npm start`: the service on the vault that is named, or on a demo vault in this checkout, which is made first. */
import { existsSync } from "node:fs";
import path from "node:path";

import { processEnvironment } from "../src/config.ts";
import { runCli } from "../src/cli/run.ts";
import { ensurePage } from "./build-page.ts";

const given = process.argv.slice(2);
const environment = processEnvironment();
const demo = path.join(import.meta.dirname, "..", "demo");
const folders = ["--vault", path.join(demo, "vault"), "--state", path.join(demo, "state")];

async function coffre(...argv: readonly string[]): Promise<number> {
  const { stdout, stderr } = process;
  return runCli({
    argv,
    environment,
    stdin: () => process.stdin,
    stdout,
    stderr,
    now: () => new Date(),
  });
}

const isNamed =
  given.some((word) => word === "--vault" || word.startsWith("--vault=")) ||
  (environment["COFFRE_VAULT"] ?? "") !== "";

await ensurePage();
if (isNamed) process.exitCode = await coffre("serve", ...given);
else {
  const made = existsSync(path.join(demo, "vault"))
    ? 0
    : await coffre("init", "--demo", ...folders);
  process.exitCode = made === 0 ? await coffre("serve", ...folders, ...given) : made;
}
