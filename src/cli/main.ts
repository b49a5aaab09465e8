#!/usr/bin/env node
import { enableCompileCache } from "node:module";

import { processEnvironment } from "../config.ts";

// Before anything large is loaded: it halves the time to the first line.
enableCompileCache();
const { runCli } = await import("./run.ts");

// Node 22 warns that its SQLite is experimental, which is of no use here. Other warnings stay.
process.removeAllListeners("warning");
process.on("warning", (warning) => {
  if (warning.name !== "ExperimentalWarning")
    process.stderr.write(`${warning.stack ?? warning.message}\n`);
});

// `coffre read x | head -1`: the reader closed the pipe, which is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});
process.stderr.on("error", () => {});

process.exitCode = await runCli({
  argv: process.argv.slice(2),
  environment: processEnvironment(),
  stdin: () => process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  now: () => new Date(),
});
