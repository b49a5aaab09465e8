/** Start of an MCP server to its answer to `initialize`: `coffre mcp` next to a minimal server with the same SDK. Processor and elapsed time. */
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

/** In milliseconds. */
interface Start {
  readonly took: number;
  /** Of the processor, as Linux counts it; null elsewhere. */
  readonly busy: number | null;
}

async function start(argv: readonly string[]): Promise<Start> {
  const started = performance.now();
  const child = spawn(process.execPath, argv, { stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.write(INITIALIZE);
  await once(child.stdout, "data");
  const took = performance.now() - started;
  const busy = busyTime(child.pid ?? 0);
  child.kill("SIGKILL");
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

const minimal = path.join(import.meta.dirname, "minimal-mcp.ts");
const programs: (readonly [string, readonly string[]])[] = [
  ["a minimal server", [minimal]],
  ["coffre mcp, from source", [path.join(checkout, "bin", "coffre.js"), "mcp", ...place]],
  ["coffre mcp, as built", [path.join(checkout, "dist", "bin", "coffre.js"), "mcp", ...place]],
];

try {
  const there = programs.filter(([, [file = ""]]) => existsSync(file));
  const starts = there.map((): Start[] => []);
  for (let round = -2; round < ROUNDS; round += 1) {
    for (const [at, [, argv]] of there.entries()) {
      const one = await start(argv);
      if (round >= 0) starts[at]?.push(one);
    }
  }
  const took = starts.map((each) => summarise(each.map((one) => one.took)));
  const busy = starts.map((each) => summarise(each.map((one) => one.busy ?? 0)));
  for (const [at, [name]] of there.entries()) {
    if (at === 0) continue;
    show(`${name}: elapsed`, took[at], took[0]);
    show(`${name}: processor`, busy[at], busy[0]);
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
