import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";

import { onTestFinished } from "vitest";

import { startOwner, type TestOwner } from "../../server/testing/owner.ts";
import { startChild, type Child } from "../../testing/processes/child.ts";
import { temporaryFolder, writeFiles, type Files } from "../../testing/temporary-vault.ts";
import { createVault } from "../../vault/vault.ts";
import type { ExitCode } from "../table/command.ts";
import { runCli } from "../run.ts";
import type { InputStream } from "../table/stdin.ts";

export interface Ran {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** What is piped in. */
  readonly stdin?: string | Uint8Array;
  /** Standard input, output and error are a terminal. */
  readonly terminal?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly now?: () => Date;
}

/** Runs a command line in this process, with nothing of this machine's environment. */
export async function coffre(argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const written = { stdout: "", stderr: "" };
  const isTTY = options.terminal === true;
  const stdin: InputStream = Object.assign(Readable.from(inPieces(options.stdin ?? "")), { isTTY });
  const code = await runCli({
    argv,
    environment: options.environment ?? {},
    stdin: () => stdin,
    stdout: { isTTY, write: (text) => (written.stdout += text) },
    stderr: { isTTY, write: (text) => (written.stderr += text) },
    now: options.now ?? (() => new Date()),
  });
  return { code, ...written };
}

/** A pipe cuts where it likes, inside characters too. */
function inPieces(text: string | Uint8Array): Buffer[] {
  const bytes = Buffer.from(text);
  const count = Math.ceil(bytes.length / 3);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * 3, at * 3 + 3));
}

/** A vault's two folders, and how to run commands on them. */
export interface TemporaryPlace {
  readonly root: string;
  readonly state: string;
  readonly run: (argv: readonly string[], options?: RunOptions) => Promise<Ran>;
  /** Runs with `--json` and gives what was printed on stdout. Fails when the command does. */
  readonly json: (argv: readonly string[], options?: RunOptions) => Promise<unknown>;
}

/** A vault in which every note gets frontmatter, as in one that `init` made. */
export function stampedPlace(files: Files = {}): TemporaryPlace {
  const place = temporaryPlace(files);
  writeFiles(place.state, { "coffre.json": '{ "frontmatter": "all" }' });
  return place;
}

export function temporaryPlace(files: Files = {}): TemporaryPlace {
  const folder = temporaryFolder();
  const [root, state] = [path.join(folder, "notes"), path.join(folder, "state")];
  mkdirSync(root);
  writeFiles(root, files);
  const run = async (argv: readonly string[], options?: RunOptions): Promise<Ran> =>
    coffre(["--vault", root, "--state", state, ...argv], options);
  return {
    root,
    state,
    run,
    json: async (argv, options) => {
      const { code, stdout, stderr } = await run(["--json", ...argv], options);
      if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
  };
}

export const mainFile = fileURLToPath(new URL("../main.ts", import.meta.url));

/** Runs a command line as a process of its own. */
export async function spawnCoffre(argv: readonly string[], stdin = ""): Promise<Ran> {
  const child = spawn(process.execPath, [mainFile, ...argv], { stdio: "pipe" });
  const written = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (written.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (written.stderr += text));
  child.stdin.end(stdin);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ code: code === 0 ? 0 : code === 2 ? 2 : 1, ...written });
    });
  });
}

/** A field of parsed JSON, however deep: `field(reply, "files", 0, "hash")`. Fails when it is not text. */
export function field(value: unknown, ...names: readonly (string | number)[]): string {
  let found: unknown = value;
  for (const name of names) {
    const inside = new Map(
      typeof found === "object" && found !== null ? Object.entries(found) : [],
    );
    found = inside.get(String(name));
  }
  if (typeof found !== "string") throw new Error(`no text at ${names.join(".")}`);
  return found;
}

/** Makes this process the running service of a place, as commands find it. */
export async function startService(
  { root, state }: TemporaryPlace,
  { now = () => new Date() } = {},
): Promise<TestOwner> {
  const vault = createVault({ root, state, now });
  onTestFinished(() => vault.close());
  return startOwner(vault, now);
}

/** `coffre serve` in a process of its own, on a port of its own, when it is ready. */
export async function serve(
  { root, state }: Pick<TemporaryPlace, "root" | "state">,
  ...more: string[]
): Promise<Child> {
  const argv = ["serve", "--port", "0", "--vault", root, "--state", state, ...more];
  const child = startChild(pathToFileURL(mainFile), argv);
  onTestFinished(async () => child.kill());
  await child.printed("\n");
  return child;
}
