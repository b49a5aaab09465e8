/**
 * The service that keeps a vault right: how soon a change is found by a search, and what it costs to start and to do nothing:
 * `npm run bench -- jobs [--files N]`. The files are made with the frontmatter they should have, since a first start would write every
 * one of them: what is measured is the daily use after it.
 */
import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";

import { z } from "zod";

import { createService, type Service } from "../src/compose.ts";
import { callTool } from "../src/tools/call.ts";
import { createSession } from "../src/tools/session.ts";
import { milliseconds, optionsOf, report, seconds, summarise, type Times } from "./measure.ts";
import { requestFor } from "./search-queries.ts";
import { writeStampedVault } from "./stamped-vault.ts";

const ROUNDS = 200;
const WARM_UP = 20;
const START_ROUNDS = 5;
const IDLE_SECONDS = 5;

const { values } = parseArgs({
  args: optionsOf(process.argv.slice(2)),
  options: { files: { type: "string" } },
});
const SMALLER = Math.min(10_000, Number(values.files ?? 10_000));
const LARGER = Number(values.files ?? 50_000);

interface Place {
  readonly root: string;
  readonly state: string;
}

/** A vault of so many files that a service has processed before. */
async function makeVault(folder: string, files: number): Promise<Place> {
  const place = {
    root: path.join(folder, `notes-${files}`),
    state: path.join(folder, `s-${files}`),
  };
  mkdirSync(place.root);
  writeStampedVault(place.root, files);
  const started = performance.now();
  const service = await createService(place);
  await service.settled();
  console.log(`        ${files} files, first start ${seconds(performance.now() - started)}`);
  await service.close();
  return place;
}

async function isFound(service: Service, word: string): Promise<boolean> {
  return (await service.index.search(requestFor(word))).hits.length > 0;
}

function callerOf({ vault, index }: Service): (name: string, args: unknown) => Promise<void> {
  const common = { vault, index, session: createSession("bench"), now: () => new Date() };
  return async (name, args) => {
    const result = await callTool(name, args, { ...common, profile: "update", batch: null });
    if (result.isError) throw new Error(JSON.stringify(result.structured));
  };
}

/** From the moment a tool has returned until a search that finds what it wrote has. Beside it, a search with nothing to wait for. */
async function benchTools(service: Service): Promise<void> {
  const call = callerOf(service);
  const [found, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const word = `outilmot${round}`;
    const bucket = `vault/projects/p${round % 50}/bucket/outil`;
    if (round % 2 === 0)
      await call("write", { path: `${bucket}-${round}.md`, content: `# Note\n\n${word}\n` });
    else await call("append", { path: `${bucket}.md`, content: `## ${word}`, position: "top" });
    const written = performance.now();
    if (!(await isFound(service, word))) throw new Error(`${word} was not found`);
    found.push(performance.now() - written);
    await service.settled();
    const rested = performance.now();
    await isFound(service, word);
    bare.push(performance.now() - rested);
  }
  const [ours, least] = [found, bare].map((times) => summarise(times.slice(WARM_UP)));
  reportTimes("a tool's write → searchable", ours, 5);
  console.log(`        the same search at rest: p50 ${milliseconds(least?.median ?? 0)}`);
}

/** From the moment another program has written a file until a search has found it. */
async function benchEdits(service: Service, root: string): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const word = `disquemot${round}`;
    const file = path.join(root, `projects/p${round % 50}/bucket/disque-${round % 100}.md`);
    writeFileSync(file, `# Note\n\n${word}\n`);
    const written = performance.now();
    while (!(await isFound(service, word))) await nextTurn();
    times.push(performance.now() - written);
    // What the stamping makes of it must not fall on the next.
    await service.settled();
    await wait(20);
  }
  reportTimes("another program's write → searchable", summarise(times.slice(WARM_UP)), 30);
}

function reportTimes(what: string, times: Times | undefined, goal: number): void {
  const { median, p95 } = times ?? { median: Number.NaN, p95: Number.NaN };
  const figure = `p50 ${milliseconds(median)}, p95 ${milliseconds(p95)}`;
  report(`${what}, ${SMALLER} files`, figure, `p95 < ${goal} ms`, p95 < goal);
}

/** The least that looking at every file can cost. */
function bareWalk(folder: string): number {
  let files = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = `${folder}/${entry.name}`;
    if (entry.isDirectory()) files += bareWalk(place);
    else files += lstatSync(place, { bigint: true }).size > 0n ? 1 : 0;
  }
  return files;
}

async function benchStart(place: Place): Promise<void> {
  const [starts, walks]: [number[], number[]] = [[], []];
  for (let round = -1; round < START_ROUNDS; round += 1) {
    const before = performance.now();
    const service = await createService(place);
    const started = performance.now() - before;
    await service.settled();
    await service.close();
    const walking = performance.now();
    bareWalk(place.root);
    const walked = performance.now() - walking;
    // The first round only warms up.
    if (round < 0) continue;
    starts.push(started);
    walks.push(walked);
  }
  const [start, walk] = [summarise(starts).median, summarise(walks).median];
  report(
    `start, ${LARGER} unchanged files / bare walk`,
    `${(start / walk).toFixed(2)}x (${milliseconds(start)} / ${milliseconds(walk)})`,
    "≤ 2x",
    start / walk <= 2,
  );
}

const Rest = z.object({ memory: z.number(), share: z.number() });

/** Memory and processor time of a service at rest, in a process of its own. */
function measureRest({ root, state }: Place, idle: number): z.infer<typeof Rest> {
  const program = path.join(import.meta.dirname, "jobs-rest.ts");
  const words = ["--expose-gc", program, root, state, String(idle)];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`the service failed: ${stderr}`);
  return Rest.parse(JSON.parse(stdout));
}

function benchRest(place: Place, folder: string): void {
  const empty = { root: path.join(folder, "empty"), state: path.join(folder, "empty-state") };
  mkdirSync(empty.root);
  const [full, least] = [measureRest(place, IDLE_SECONDS), measureRest(empty, 0)];
  const perFile = (full.memory - least.memory) / LARGER;
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
  report(
    `memory per file at rest, ${LARGER} files`,
    `${perFile.toFixed(0)} B (${megabytes(full.memory)} - ${megabytes(least.memory)} MB)`,
    "< 2000 B",
    perFile < 2000,
  );
  const share = full.share * 100;
  report(`processor at rest over ${IDLE_SECONDS} s`, `${share.toFixed(2)} %`, "< 1 %", share < 1);
}

const folder = mkdtempSync(path.join(tmpdir(), "coffre-jobs-"));
try {
  const smaller = await makeVault(folder, SMALLER);
  const service = await createService(smaller);
  await service.settled();
  await benchTools(service);
  await benchEdits(service, smaller.root);
  await service.close();
  const larger = SMALLER === LARGER ? smaller : await makeVault(folder, LARGER);
  await benchStart(larger);
  benchRest(larger, folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
