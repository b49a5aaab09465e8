/**
 * All that people may ask for in one run of less than fifteen minutes, side by side with peers: `npm run bench`. `--full` goes on to 100,000
 * files and includes QMD; `--embed MODEL.gguf` adds deep search to the questions. Writes `bench/results/*.json` and `docs/benchmarks.md`.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { z } from "zod";

import { CleanUp } from "./clean-up.ts";
import type { Results, Row } from "./compare/figures.ts";
import { measureInstalls } from "./compare/install.ts";
import { writeReport } from "./compare/markdown.ts";
import { measureRetrieval } from "./compare/retrieval.ts";
import { measureSize } from "./compare/sizes.ts";
import { optionsOf } from "./measure.ts";

const SIZES = [1000, 3000, 10_000];
const LARGE_SIZES = [30_000, 100_000];
/** QMD takes minutes for more, so only `--full` waits for it. */
const MOST_FOR_QMD = 1000;

const { values } = parseArgs({
  args: optionsOf(process.argv.slice(2)),
  options: {
    full: { type: "boolean", default: false },
    /** Other sizes than the usual, in a row: 500,1000. */
    sizes: { type: "string" },
    /** For each comparison of calls. */
    seconds: { type: "string", default: "8" },
    questions: { type: "string", default: "60" },
    embed: { type: "string" },
    /** Where labelled questions are, when not in the usual place. */
    data: { type: "string" },
    /** Without these parts. */
    without: { type: "string", default: "" },
    /** Prints the results, and writes nothing. */
    dry: { type: "boolean", default: false },
  },
});
const sizes =
  values.sizes?.split(",").map(Number) ?? (values.full ? [...SIZES, ...LARGE_SIZES] : SIZES);
const left = values.without.split(",");

const Package = z.object({ version: z.string() });
const PEERS = {
  "server-filesystem": "@modelcontextprotocol/server-filesystem",
  mcpvault: "@bitbonsai/mcpvault",
  "obsidian-mcp": "obsidian-mcp",
  "server-memory": "@modelcontextprotocol/server-memory",
  QMD: "@tobilu/qmd",
};

/** Of the peers that are installed. */
function peerVersions(): Record<string, string> {
  const versions = Object.entries(PEERS).flatMap(([name, module]) => {
    const file = path.join(import.meta.dirname, "peers/node_modules", module, "package.json");
    if (!existsSync(file)) return [];
    return [[name, Package.parse(JSON.parse(readFileSync(file, "utf8"))).version] as const];
  });
  const { platform, arch } = process;
  const rg = path.join(
    import.meta.dirname,
    `peers/ripgrep/node_modules/@vscode/ripgrep-${platform}-${arch}/bin/rg`,
  );
  const grep = existsSync(rg)
    ? /\d+\.\d+\.\d+/u.exec(execFileSync(rg, ["--version"]).toString())
    : null;
  return { ...Object.fromEntries(versions), ...(grep === null ? {} : { ripgrep: grep[0] }) };
}

const started = performance.now();
// As people have it: from source, a start takes twice as long.
const checkout = path.join(import.meta.dirname, "..");
execFileSync("npm", ["run", "build"], { cwd: checkout, stdio: "ignore" });
const main = path.join(checkout, "dist/bin/coffre.js");
const machine = `${availableParallelism()} cores, Node ${process.version}, ${process.platform}, load ${loadavg()[0]?.toFixed(1)} at the start`;
const versions = peerVersions();
const folder = mkdtempSync(path.join(tmpdir(), "coffre-compare-"));
const rows: Row[] = [];

function resultsSoFar(): Results {
  return {
    at: new Date().toISOString().slice(0, 10),
    isFull: values.full,
    machine,
    minutes: (performance.now() - started) / 60_000,
    versions,
    rows,
  };
}

/** After each part, so that a run that is stopped has not been for nothing. */
function add(...more: readonly Row[]): void {
  rows.push(...more);
  if (values.dry) return;
  const place = path.join(import.meta.dirname, "results");
  mkdirSync(place, { recursive: true });
  const results = resultsSoFar();
  const file = path.join(place, `${values.full ? "full" : "usual"}.json`);
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  writeReport(results, path.join(import.meta.dirname, "../docs"));
}

try {
  for (const files of sizes) {
    const cleanUp = new CleanUp();
    const place = path.join(folder, String(files));
    mkdirSync(place);
    cleanUp.add(() => rmSync(place, { recursive: true, force: true }));
    try {
      const hasQmd = values.full || files <= MOST_FOR_QMD;
      add(
        ...(await measureSize(place, cleanUp, {
          main,
          files,
          seconds: Number(values.seconds),
          hasQmd,
        })),
      );
    } finally {
      await cleanUp.run();
    }
  }
  if (!left.includes("install")) {
    const installed = Object.entries(PEERS)
      .filter(([name]) => name in versions && (values.full || name !== "QMD"))
      .map(([name, module]) => ({ name, what: `${module}@${versions[name]}` }));
    add(...(await measureInstalls(folder, installed)));
  }
  if (!left.includes("retrieval")) {
    const embed = values.embed === undefined ? [] : ["--embed", values.embed];
    const some = values.full ? [] : ["--questions", values.questions];
    const data = values.data === undefined ? [] : ["--data", values.data];
    add(...(await measureRetrieval(folder, [...some, ...embed, ...data])));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (values.dry) console.log(JSON.stringify(resultsSoFar(), null, 2));
else
  console.log(
    `        ${resultsSoFar().minutes.toFixed(1)} minutes: bench/results, docs/benchmarks.md`,
  );
