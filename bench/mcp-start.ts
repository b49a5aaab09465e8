/** Start of an MCP server to its answer to `initialize`: `coffre mcp` next to a minimal server with the same SDK, both with the compile cache of Node and both without. Processor and elapsed time. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { milliseconds, report, summarise, type Times } from "./measure.ts";

const ROUNDS = 15;
const GOAL = 1.3;
const checkout = path.join(import.meta.dirname, "..");
const folder = mkdtempSync(path.join(tmpdir(), "coffre-mcp-start-"));
const place = ["--vault", folder, "--state", path.join(folder, "state")];

const INITIALIZE = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  },
})}\n`;

/** A cache of this run alone, filled by the rounds that do not count. */
const CACHE = { NODE_COMPILE_CACHE: path.join(folder, "compile-cache") };
const NO_CACHE = { NODE_DISABLE_COMPILE_CACHE: "1" };

interface Program {
  /** Empty for a minimal server. */
  readonly name: string;
  readonly argv: readonly string[];
  readonly isCached: boolean;
}

/** In milliseconds. */
interface Start {
  readonly took: number;
  /** Of the processor, as Linux counts it; null elsewhere. */
  readonly busy: number | null;
}

/** @param isWarmUp it ends by itself, since Node writes its compile cache at the end */
async function start({ argv, isCached }: Program, isWarmUp: boolean): Promise<Start> {
  const started = performance.now();
  const child = spawn(process.execPath, argv, {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, ...(isCached ? CACHE : NO_CACHE) },
  });
  child.stdin.write(INITIALIZE);
  await once(child.stdout, "data");
  const took = performance.now() - started;
  const busy = busyTime(child.pid ?? 0);
  if (isWarmUp) child.stdin.end();
  else child.kill("SIGKILL");
  await once(child, "close");
  return { took, busy };
}

function busyTime(pid: number): number | null {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return null;
  const times = readdirSync(threads).map((thread) => {
    const [nanoseconds = "0"] = readFileSync(path.join(threads, thread, "schedstat"), "utf8").split(
      " ",
    );
    return Number(nanoseconds);
  });
  return times.reduce((sum, time) => sum + time, 0) / 1e6;
}

const minimal = path.join(import.meta.dirname, "minimal-mcp.mjs");
const source = path.join(checkout, "bin", "coffre.js");
const built = path.join(checkout, "dist", "bin", "coffre.js");
const ours = ["mcp", ...place];
/** Each after the one that it is compared with. */
const programs: readonly Program[] = [
  {
    name: "",
    argv: [path.join(import.meta.dirname, "minimal-mcp-cached.mjs")],
    isCached: true,
  },
  { name: "coffre mcp, as built", argv: [built, ...ours], isCached: true },
  { name: "coffre mcp, from source", argv: [source, ...ours], isCached: true },
  { name: "", argv: [minimal], isCached: false },
  { name: "coffre mcp, as built, no compile cache", argv: [built, ...ours], isCached: false },
];

try {
  const there = programs.filter(({ argv: [file = ""] }) => existsSync(file));
  const starts = there.map((): Start[] => []);
  for (let round = -2; round < ROUNDS; round += 1) {
    for (const [at, program] of there.entries()) {
      const one = await start(program, round < 0);
      if (round >= 0) starts[at]?.push(one);
    }
  }
  const took = starts.map((each) => summarise(each.map((one) => one.took)));
  const busy = starts.map((each) => summarise(each.map((one) => one.busy ?? 0)));
  let bare = 0;
  for (const [at, { name }] of there.entries()) {
    if (name === "") {
      bare = at;
      continue;
    }
    show(`${name}: elapsed`, took[at], took[bare]);
    show(`${name}: processor`, busy[at], busy[bare]);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function show(what: string, times: Times | undefined, bare: Times | undefined): void {
  const [median, least] = [times?.median ?? 0, bare?.median ?? 1];
  const ratio = median / least;
  const figure = `${milliseconds(median)}, ${ratio.toFixed(2)}× of a minimal server`;
  report(what, figure, `≤ ${GOAL}× (${milliseconds(least)})`, ratio <= GOAL);
}
