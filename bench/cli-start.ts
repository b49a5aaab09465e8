/** What a short command costs before it does anything: `coffre tree` next to a Node that runs nothing, from source and as built. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { compare, milliseconds, report, type Times } from "./measure.ts";

const ROUNDS = 20;
const GOAL = 3;
const checkout = path.join(import.meta.dirname, "..");
const folder = mkdtempSync(path.join(tmpdir(), "coffre-start-"));
const place = ["--vault", path.join(folder, "vault"), "--state", path.join(folder, "state")];

function node(...argv: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${argv.join(" ")}: ${stderr}`);
}

const mains = [
  ["from source (bin/coffre)", path.join(checkout, "bin", "coffre.js")],
  ["as built (npm run build)", path.join(checkout, "dist", "bin", "coffre.js")],
].filter(([, file = ""]) => existsSync(file));

try {
  node(path.join(checkout, "src", "cli", "main.ts"), "init", "--demo", ...place);
  const works = mains.flatMap(([, file = ""]) => [
    () => node(file, "tree", "--depth", "1", ...place),
    () => node(file, "--version"),
  ]);
  const [bare, ...times] = await compare([() => node("-e", "0"), ...works], { rounds: ROUNDS });
  for (const [at, [name = ""]] of mains.entries()) {
    show(`coffre tree, ${name}`, times[2 * at], bare);
    show(`coffre --version, ${name}`, times[2 * at + 1], bare);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function show(what: string, times: Times | undefined, bare: Times | undefined): void {
  const [median, least] = [times?.median ?? 0, bare?.median ?? 1];
  const ratio = median / least;
  const figure = `${milliseconds(median)}, ${ratio.toFixed(1)}× of bare Node`;
  report(what, figure, `≤ ${GOAL}× (${milliseconds(least)})`, ratio <= GOAL);
}
