/** `npm run test:browser`: the page in real browsers, which are installed when they are missing. Arguments go to vitest. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

import { ensurePage } from "./build-page.ts";

const root = path.join(import.meta.dirname, "..");

function run(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { stdio: "inherit", cwd: root });
  if (status !== 0) process.exit(status ?? 1);
}

const missing = ["chromium", "firefox-esr"].filter((name) => !existsSync(`/usr/bin/${name}`));
if (missing.length > 0) {
  run("apt-get", ["update"]);
  const flags = ["--yes", "--no-install-recommends"];
  run("apt-get", ["install", ...flags, ...missing, "fonts-liberation"]);
}
await ensurePage();
const config = path.join("test", "browser", "vitest.config.ts");
const vitest = path.join("node_modules", "vitest", "vitest.mjs");
run(process.execPath, [vitest, "run", "--config", config, ...process.argv.slice(2)]);
