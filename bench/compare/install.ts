/** What an installation takes: ours as packed, the peers from the registry, each into an empty folder. */
import { execFile } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import { one, type Row, type Spread } from "./figures.ts";

const run = promisify(execFile);
const GOAL = 60;

interface Installed {
  readonly name: string;
  readonly took: Spread;
  readonly size: Spread;
}

/** @param peers name and version of each, as npm takes them */
export async function measureInstalls(
  folder: string,
  peers: readonly { readonly name: string; readonly what: string }[],
): Promise<Row[]> {
  const checkout = path.join(import.meta.dirname, "../..");
  const packed = path.join(folder, "packed");
  mkdirSync(packed);
  console.log("        packing and installing");
  // Built already.
  const words = ["pack", "--ignore-scripts", "--pack-destination", packed];
  await run("npm", words, { cwd: checkout, maxBuffer: 1e8 });
  const tarball = path.join(packed, readdirSync(packed)[0] ?? "");
  const mine = await install("coffre", tarball, folder);
  const theirs: Installed[] = [];
  for (const { name, what } of peers) {
    try {
      theirs.push(await install(name, what, folder));
    } catch (error) {
      console.log(`        ${name} is left out: ${String(error).slice(0, 300)}`);
    }
  }
  const common = { files: null, beside: [] };
  return [
    {
      ...common,
      what: "size of an installation",
      unit: "MB",
      goal: `${GOAL} MB`,
      isMet: mine.size.median <= GOAL,
      ours: mine.size,
      beside: theirs.map(({ name, size }) => ({ name, figure: size })),
    },
    {
      ...common,
      what: "time of an installation, with what npm has kept",
      unit: "ms",
      goal: null,
      isMet: null,
      ours: mine.took,
      beside: theirs.map(({ name, took }) => ({ name, figure: took })),
    },
  ];
}

/** Twice, since the first fills npm's cache: the second is counted. */
async function install(name: string, what: string, folder: string): Promise<Installed> {
  let [took, size] = [Number.NaN, Number.NaN];
  for (let round = 0; round < 2; round += 1) {
    const place = mkdtempSync(path.join(folder, "install-"));
    writeFileSync(path.join(place, "package.json"), "{}");
    const started = performance.now();
    const words = [
      "install",
      "--prefix",
      place,
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      what,
    ];
    await run("npm", words, { maxBuffer: 1e8 });
    took = performance.now() - started;
    size = sizeOnDisk(place) / 1e6;
  }
  return { name, took: one(took), size: one(size) };
}

/** In whole blocks, as `du` counts. */
function sizeOnDisk(at: string): number {
  const stat = lstatSync(at);
  const inside = stat.isDirectory() ? readdirSync(at) : [];
  return inside.reduce((sum, name) => sum + sizeOnDisk(path.join(at, name)), stat.blocks * 512);
}
