import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { onTestFinished } from "vitest";
import { z } from "zod";

import {
  startScriptedModel,
  type ScriptedRequest,
  type ScriptedTurn,
} from "../../src/testing/models/scripted-model.ts";
import { initVault } from "../../src/vault/init.ts";
import { createVault } from "../../src/vault/vault.ts";
import { temporaryFolder, writeFiles, type Files } from "../../src/testing/temporary-vault.ts";

const MAIN = path.join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");

const Served = z.object({ address: z.string(), link: z.string() });

/** A real service on a real vault, in a process of its own. */
export interface TestService {
  /** The vault's folder. */
  readonly root: string;
  readonly address: string;
  /** Lets the first browser in. */
  readonly link: string;
  /** A fresh link that lets one browser in. */
  readonly newLink: () => Promise<string>;
  readonly write: (name: string, content: string | Uint8Array) => void;
  readonly read: (name: string) => string;
  readonly remove: (name: string) => void;
  /** What is in a folder. */
  readonly names: (folder: string) => string[];
  readonly stop: () => Promise<void>;
  /** Ends it as SIGKILL does. */
  readonly kill: () => Promise<void>;
  /** At the same address as before. */
  readonly start: () => Promise<void>;
}

export interface TestServiceOptions {
  /** What is in the vault; left out, the demo of this language. */
  readonly files?: Files;
  readonly lang?: "en" | "fr";
  /** What the model does at each turn; left out, there is no model. */
  readonly model?: (request: ScriptedRequest) => ScriptedTurn;
  /** With `files`: nobody has chosen yet what may be written into them. */
  readonly isForeign?: boolean;
  /** The name of the vault's folder, as the page shows it. */
  readonly name?: string;
}

export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  const { files, lang = "en", name = "notes", isForeign = false } = options;
  const folder = temporaryFolder();
  const root = path.join(folder, name);
  const places = ["--vault", root, "--state", path.join(folder, "state")];
  const environment = { ...(await modelEnvironment(options)), HOME: folder, LANG: "C.UTF-8" };
  mkdirSync(root);
  if (files === undefined) await makeDemo(root, path.join(folder, "state"), lang);
  else {
    writeFiles(root, files);
    if (!isForeign)
      writeFiles(path.join(folder, "state"), { "coffre.json": '{ "frontmatter": "all" }' });
  }
  let child: ChildProcess | null = null;
  let served: z.infer<typeof Served> | null = null;
  const start = async (): Promise<void> => {
    const port = served === null ? "0" : new URL(served.address).port;
    child = launch(["serve", "--port", port, "--json", ...places], environment);
    served = Served.parse(JSON.parse(await firstJson(child)));
  };
  const end = async (signal: "SIGTERM" | "SIGKILL"): Promise<void> => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "close");
    child.kill(signal);
    await ended;
  };
  const stop = async (): Promise<void> => end("SIGTERM");
  onTestFinished(stop);
  await start();
  const at = (file: string): string => path.join(root, file);
  return {
    root,
    get address() {
      return served?.address ?? "";
    },
    get link() {
      return served?.link ?? "";
    },
    newLink: async () =>
      Served.parse(JSON.parse(await run(["open", "--json", ...places], environment))).link,
    write: (file, content) => {
      mkdirSync(path.dirname(at(file)), { recursive: true });
      writeFileSync(at(file), content);
    },
    read: (file) => readFileSync(at(file), "utf8"),
    remove: (file) => rmSync(at(file), { recursive: true }),
    names: (inside) => readdirSync(at(inside)),
    stop,
    kill: async () => end("SIGKILL"),
    start,
  };
}

async function makeDemo(root: string, state: string, lang: "en" | "fr"): Promise<void> {
  const now = new Date();
  const vault = createVault({ root, state, now: () => now });
  await initVault(vault, { lang, demo: true, now, actor: "cli" });
  vault.close();
}

type Environment = Readonly<Record<string, string>>;

async function modelEnvironment({ model }: TestServiceOptions): Promise<Environment> {
  if (model === undefined) return {};
  const scripted = await startScriptedModel("openai", model);
  onTestFinished(() => scripted.close());
  return { COFFRE_MODEL: "openai-compatible/scripted", COFFRE_BASE_URL: scripted.baseUrl };
}

function launch(args: readonly string[], environment: Environment): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Resolves with the first whole JSON that it prints. */
async function firstJson(child: ChildProcess): Promise<string> {
  let [out, complaint] = ["", ""];
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.stdout?.on("data", (data: Buffer) => {
    out += data.toString();
    if (isJson(out)) resolve(out);
  });
  child.stderr?.on("data", (data: Buffer) => (complaint += data.toString()));
  child.on("close", () => reject(new Error(`coffre ended: ${complaint}`)));
  return promise;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function run(args: readonly string[], environment: Environment): Promise<string> {
  const child = launch(args, environment);
  let [out, complaint] = ["", ""];
  child.stdout?.on("data", (data: Buffer) => (out += data.toString()));
  child.stderr?.on("data", (data: Buffer) => (complaint += data.toString()));
  await once(child, "close");
  if (child.exitCode !== 0) throw new Error(`coffre ${args.join(" ")} failed: ${complaint}`);
  return out;
}
