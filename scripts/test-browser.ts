/** `npm run test:browser`: the page in a real browser, which is installed when it is missing. Arguments go to vitest. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

import { ensurePage } from "./build-page.ts";

const root = path.join(import.meta.dirname, "..");

function run(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { stdio: "inherit", cwd: root });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync("/usr/bin/chromium")) {
  run("apt-get", ["update"]);
  run("apt-get", ["install", "--yes", "--no-install-recommends", "chromium", "fonts-liberation"]);
}
await ensurePage();
const config = path.join("test", "browser", "vitest.config.ts");
const vitest = path.join("node_modules", "vitest", "vitest.mjs");
run(process.execPath, [vitest, "run", "--config", config, ...process.argv.slice(2)]);
