#!/usr/bin/env node
import { enableCompileCache } from "node:module";

// Before anything else is loaded: what was compiled once is not compiled again.
enableCompileCache();
const { processEnvironment } = await import("../config.ts");
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
