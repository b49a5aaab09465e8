/**
 * Run as a process, in a mount namespace of its own: a whole service whose state folder is on a small disk that fills up, and then has room
 * again. Prints what was seen as JSON. Argument: an empty folder on an ordinary disk.
 */
import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { ownVault } from "../vault/own-vault.ts";
import { Screen } from "../output/screen.ts";

/** One answer of the service: its status, its type, and the error in it. */
export interface SeenAnswer {
  readonly asked: string;
  readonly status: number;
  readonly isJson: boolean;
  readonly code: string | null;
  readonly message: string | null;
}

export interface SeenService {
  readonly full: readonly SeenAnswer[];
  /** Whether a refused write left anything in the vault. */
  readonly isTouched: boolean;
  readonly after: readonly SeenAnswer[];
  /** Whether what another program wrote while the disk was full is found afterwards. */
  readonly isFound: boolean;
  readonly crashes: readonly string[];
}

const [folder = ""] = process.argv.slice(2);
const root = path.join(folder, "notes");
const state = path.join(folder, "state");
const TOKEN = "a-token-for-this-test-alone";

const crashes: string[] = [];
process.on("uncaughtException", (error) => crashes.push(String(error.stack)));
process.on("unhandledRejection", (error) => crashes.push(`rejection: ${String(error)}`));

mkdirSync(root);
mkdirSync(state);
execFileSync("mount", ["-t", "tmpfs", "-o", "size=6m,mode=700", "tmpfs", state]);
writeFileSync(path.join(root, "a.md"), "first\n");

const screen = new Screen({
  stdout: { write: () => true },
  stderr: { write: () => true },
  environment: {},
  json: false,
});
const owned = await ownVault(
  { root, state },
  { now: () => new Date(), screen, environment: { XDG_STATE_HOME: path.join(folder, "states") } },
  { page: { at: { host: "127.0.0.1", port: 0 }, token: TOKEN } },
);
const address = owned?.page?.address ?? "";

async function ask(asked: string, body?: unknown): Promise<SeenAnswer> {
  const response = await fetch(new URL(asked, address), {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const found = /"code":\s*"(\w+)"/u.exec(text)?.[1] ?? null;
  const message = /"(?:message|detail)":\s*"([^"]*)"/u.exec(text)?.[1] ?? null;
  return { asked, status: response.status, isJson: isJson(text), code: found, message };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Fills the disk to its last byte. */
function fill(): string {
  const ballast = path.join(state, ".ballast");
  const fd = openSync(ballast, "a");
  for (let size = 64 * 1024; size >= 1;) {
    try {
      writeSync(fd, Buffer.alloc(size));
    } catch {
      size = Math.floor(size / 2);
    }
  }
  closeSync(fd);
  return ballast;
}

const NOTE = { path: "refused.md", content: `${"words ".repeat(50_000)}\n` };

await ask("/api/tools/write", { path: "before.md", content: "before\n" });
let ballast = fill();
const full: SeenAnswer[] = [];
// Several rounds, so that every timer of the service runs on the full disk.
for (let round = 0; round < 12; round += 1) {
  ballast = fill();
  full.push(await ask("/api/tools/write", NOTE));
  full.push(await ask("/api/tools/delete", { path: "before.md" }));
  full.push(await ask("/api/update", { content: "a thought ".repeat(20_000) }));
  full.push(await ask("/api/tools/read", { paths: "a.md" }));
  full.push(await ask("/api/status"));
  full.push(await ask("/api/nowhere"));
  const text = `meanwhile ${round} ${"quartz ".repeat(round * 2000)}\n`;
  writeFileSync(path.join(root, `other-${round}.md`), text);
  await pause(150);
}
const isTouched =
  existsSync(path.join(root, "refused.md")) ||
  !readFileSync(path.join(root, "before.md"), "utf8").includes("before");

rmSync(ballast);
let isFound = false;
for (let attempt = 0; attempt < 300 && !isFound; attempt += 1) {
  const { hits } = (await owned?.service.index.search({
    queries: ["quartz"],
    mode: "fast",
    scope: null,
    limit: 50,
    from: null,
    to: null,
  })) ?? { hits: [] };
  isFound = new Set(hits.map((hit) => hit.path)).size === 11;
  await pause(50);
}
const after = [
  await ask("/api/tools/write", { path: "after.md", content: "after\n" }),
  await ask("/api/tools/delete", { path: "before.md" }),
  await ask("/api/update", { content: "a thought" }),
];
await owned?.close();
const seen: SeenService = { full, isTouched, after, isFound, crashes };
process.stdout.write(JSON.stringify(seen));
