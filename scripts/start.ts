/** `npm start`: the service on the vault that is named, or on a demo vault in this checkout, which is made first. */
import { cpSync, existsSync, realpathSync, rmSync } from "node:fs";
import path from "node:path";

import { callersFolder, languageOf, processEnvironment, stateFolder } from "../src/config.ts";
import { runCli } from "../src/cli/run.ts";
import { shellQuote } from "../src/cli/system/shell-quote.ts";
import { ensurePage } from "./build-page.ts";

const given = process.argv.slice(2);
const environment = processEnvironment();
const checkout = path.join(import.meta.dirname, "..");
const demo = path.join(checkout, "demo", "vault");

async function coffre(argv: readonly string[], { isQuiet = false } = {}): Promise<number> {
  const { stdout, stderr } = process;
  return runCli({
    argv,
    environment,
    stdin: () => process.stdin,
    stdout: isQuiet ? { write: () => true } : stdout,
    stderr,
    now: () => new Date(),
  });
}

/** Makes the demo vault the first time, and says how to reach it from another terminal. */
async function prepareDemo(): Promise<number> {
  const made = existsSync(demo)
    ? 0
    : await coffre(["init", "--demo", "--vault", demo], { isQuiet: true });
  if (made !== 0) return made;
  moveOldState();
  const vault = shellQuote(demo);
  process.stdout.write(
    [
      languageOf(environment) === "fr"
        ? "Le coffre de démonstration. Dans un autre terminal :"
        : "The demo vault. In another terminal:",
      `  alias coffre=${shellQuote(path.join(checkout, "bin", "coffre"))}`,
      `  coffre tree --vault ${vault}`,
      `  coffre read overview.md --vault ${vault}`,
      `  coffre remember "Try coffre this week" --vault ${vault}`,
      `  coffre undo last --vault ${vault}`,
      `  coffre open --vault ${vault}`,
      "",
      "",
    ].join("\n"),
  );
  return 0;
}

/** Release 0.1 kept the demo's history in the checkout, where no plain command found it. */
function moveOldState(): void {
  const old = path.join(checkout, "demo", "state");
  const state = stateFolder(realpathSync.native(demo), undefined, environment);
  if (!existsSync(old) || existsSync(state)) return;
  cpSync(old, state, { recursive: true });
  rmSync(old, { recursive: true });
}

const isNamed =
  given.some((word) => word === "--vault" || word.startsWith("--vault=")) ||
  (environment["COFFRE_VAULT"] ?? "") !== "";

// Folders that are named lie where npm was called, and not in the checkout.
process.chdir(callersFolder());
await ensurePage();
if (isNamed) process.exitCode = await coffre(["serve", ...given]);
else {
  const prepared = await prepareDemo();
  process.exitCode = prepared === 0 ? await coffre(["serve", "--vault", demo, ...given]) : prepared;
}
