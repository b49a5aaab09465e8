/**
 * The service that keeps a vault right: how soon a change is found by a search, what it costs to start and to do nothing, and how long others
 * wait meanwhile: `npm run bench -- jobs [--files N] [--only first,start,…]`. The files are made with the frontmatter they should have: what
 * stamping them costs is the disk's time.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";

import { z } from "zod";

import { createService, type Service } from "../src/compose.ts";
import { callTool } from "../src/tools/call.ts";
import { createSession } from "../src/tools/session.ts";
import { bareIndex, bareWalk } from "./bare-index.ts";
import { firstAnswers } from "./first-answers.ts";
import { milliseconds, optionsOf, report, seconds, summarise, type Times } from "./measure.ts";
import { probeReads, type Waits } from "./read-probe.ts";
import { requestFor } from "./search-queries.ts";
import { writeStampedVault } from "./stamped-vault.ts";

const ROUNDS = 200;
const WARM_UP = 20;
const START_ROUNDS = 5;
const IDLE_SECONDS = 5;
const FLOOD = 20_000;
const RENAMED = 5000;
/** A file of every generated vault. */
const READ = "vault/projects/p0/state.md";

const { values } = parseArgs({
  args: optionsOf(process.argv.slice(2)),
  options: { files: { type: "string" }, only: { type: "string" } },
});
const PARTS = [
  "first",
  "answers",
  "adopt",
  "changes",
  "start",
  "missing",
  "flood",
  "large",
  "rest",
];
const only = values.only?.split(",") ?? PARTS;
const SMALLER = Math.min(10_000, Number(values.files ?? 10_000));
const LARGER = Number(values.files ?? 50_000);

interface Place {
  readonly root: string;
  readonly state: string;
}

/** A vault of so many files that a service has processed before: measures its first index next to a bare one. */
async function makeVault(folder: string, files: number): Promise<Place> {
  const place = {
    root: path.join(folder, `notes-${files}`),
    state: path.join(folder, `s-${files}`),
  };
  mkdirSync(place.root);
  writeStampedVault(place.root, files);
  if (only.includes("answers")) await benchAnswers(place, files);
  const resting = processorTime();
  const bare = bareIndex(place.root, path.join(folder, "bare.sqlite"));
  const bareWork = processorTime() - resting;
  const started = performance.now();
  const service = await createService({ ...place, frontmatter: "all", isComparingLater: true });
  let indexed = 0;
  const waits = await probeReads(service, READ, async () => {
    await allIndexed(service, files);
    indexed = performance.now() - started;
  });
  const work = processorTime() - resting - bareWork;
  await service.settled();
  if (only.includes("adopt")) await benchCounting(service, files);
  await service.close();
  if (!only.includes("first")) return place;
  report(
    `first index, ${files} files / bare read and insert`,
    `${(indexed / bare).toFixed(2)}x (${seconds(indexed)} / ${seconds(bare)})`,
    "≤ 1.5x",
    indexed / bare <= 1.5,
  );
  console.log(
    `        processor, with ${waits.calls} reads meanwhile: ${(work / bareWork).toFixed(2)}x (${seconds(work)} / ${seconds(bareWork)})`,
  );
  reportWaits(`read meanwhile, ${files} files`, waits);
  return place;
}

/** What others wait while every note is looked at for the card that asks who writes frontmatter. */
async function benchCounting(service: Service, files: number): Promise<void> {
  const started = performance.now();
  let took = 0;
  const waits = await probeReads(service, READ, async () => {
    await service.frontmatter.preview();
    took = performance.now() - started;
  });
  reportWaits(`read while /api/adopt counts, ${files} files`, waits);
  console.log(`        it counted for ${seconds(took)}`);
}

/** What is asked as soon as the service says where it is, with a state of its own: nothing is indexed yet. */
async function benchAnswers({ root, state }: Place, files: number): Promise<void> {
  const { serving, adopt, ...answers } = await firstAnswers(root, `${state}-answers`);
  for (const [what, took] of Object.entries(answers))
    report(
      `first ${what === "files" ? "/api/files" : what} after serve on ${files} unindexed files`,
      milliseconds(took),
      "< 1 s",
      took < 1000,
    );
  console.log(`        serve says where it is after ${milliseconds(serving)}`);
  console.log(`        /api/adopt, which reads every note, answers after ${seconds(adopt)}`);
}

/** Milliseconds of processor that this process has used, in all its threads: on a busy machine the better measure. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Resolves when the index has as many files as it should. */
async function allIndexed(service: Service, files: number): Promise<void> {
  while ((await service.index.stats()).files < files) await wait(20);
}

function reportWaits(what: string, { p99, longest, calls, bare, work }: Waits): void {
  const figure = `p99 ${milliseconds(p99)}, longest ${milliseconds(longest)} (${calls})`;
  report(what, figure, "p99 ≤ 50 ms, longest ≤ 250 ms", p99 <= 50 && longest <= 250);
  const shown = (each: Waits["bare"]): string =>
    `p99 ${milliseconds(each.p99)}, longest ${milliseconds(each.longest)}`;
  console.log(`        processor of the answering thread between two answers: ${shown(work)}`);
  console.log(`        a bare program that reads a file meanwhile: ${shown(bare)}`);
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

async function benchStart(place: Place): Promise<void> {
  const [ready, starts, walks]: [number[], number[], number[]] = [[], [], []];
  const ratios: number[] = [];
  for (let round = -1; round < START_ROUNDS; round += 1) {
    const before = performance.now();
    const worked = processorTime();
    const service = await createService({ ...place, frontmatter: "all", isComparingLater: true });
    const answering = performance.now() - before;
    await service.settled();
    const started = performance.now() - before;
    const work = processorTime() - worked;
    await service.close();
    const [walking, resting] = [performance.now(), processorTime()];
    bareWalk(place.root);
    const walked = performance.now() - walking;
    const ratio = work / (processorTime() - resting);
    // The first round only warms up.
    if (round < 0) continue;
    ready.push(answering);
    starts.push(started);
    walks.push(walked);
    ratios.push(ratio);
  }
  const [start, walk] = [summarise(starts).median, summarise(walks).median];
  report(
    `start, ${LARGER} unchanged files / bare walk`,
    `${(start / walk).toFixed(2)}x (${milliseconds(start)} / ${milliseconds(walk)})`,
    "≤ 2x",
    start / walk <= 2,
  );
  console.log(`        processor: ${summarise(ratios).median.toFixed(2)}x`);
  const answers = summarise(ready).median;
  report(`answers after, ${LARGER} files`, milliseconds(answers), "< 1 s", answers < 1000);
}

/** What a misspelt path costs, with its suggestions. */
async function benchMissing(service: Service): Promise<void> {
  await wait(500);
  const times: number[] = [];
  const worked = processorTime();
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    await service.vault.get(`projects/p${round}/staet.md`).catch(() => {});
    times.push(performance.now() - started);
  }
  const work = (processorTime() - worked) / ROUNDS;
  const { median, p95 } = summarise(times.slice(WARM_UP));
  const figure = `p50 ${milliseconds(median)}, p95 ${milliseconds(p95)}`;
  report(`a missing path, ${LARGER} files`, figure, "p95 ≤ 5 ms", p95 <= 5);
  console.log(`        processor: ${milliseconds(work)} each`);
}

/** Many files appear in one folder, which is then renamed in part, while others read. */
async function benchFlood(service: Service, root: string): Promise<void> {
  const before = (await service.index.stats()).files;
  const many = path.join(root, "many");
  const write = `const fs = require("node:fs"); fs.mkdirSync(process.argv[1]);
    for (let at = 0; at < ${FLOOD}; at += 1) fs.writeFileSync(process.argv[1] + "/note " + at + ".md", "# Note " + at + "\\n\\nturbine" + at + "\\n");`;
  const flood = await probeReads(service, READ, async () => {
    await once(spawn(process.execPath, ["-e", write, many], { stdio: "inherit" }), "exit");
    await allIndexed(service, before + FLOOD);
  });
  reportWaits(`read while ${FLOOD} files appear in one folder`, flood);
  const part = path.join(root, "part");
  mkdirSync(part);
  for (let at = 0; at < RENAMED; at += 1)
    writeFileSync(path.join(part, `part ${at}.md`), `# Part ${at}\n\ncellar${at}\n`);
  await allIndexed(service, before + FLOOD + RENAMED);
  const renamed = await probeReads(service, READ, async () => {
    renameSync(part, path.join(root, "renamed"));
    while (!(await isFoundUnder(service, `cellar${RENAMED - 1}`, "renamed/"))) await wait(20);
    await allIndexed(service, before + FLOOD + RENAMED);
  });
  reportWaits(`read while a folder of ${RENAMED} is renamed`, renamed);
}

async function isFoundUnder(service: Service, word: string, folder: string): Promise<boolean> {
  const { hits } = await service.index.search(requestFor(word));
  return hits.some(({ path: file }) => file.startsWith(folder));
}

/** Notes that are large in one way or another change, while others read. */
async function benchLarge(service: Service, root: string): Promise<void> {
  const call = callerOf(service);
  const notes = {
    "100,000 lines": Array.from({ length: 100_000 }, (_, at) => `line ${at} of the pump`).join(
      "\n",
    ),
    "one line of 3 MB": "turbine ".repeat(375_000),
  };
  for (const [what, text] of Object.entries(notes)) {
    const file = path.join(root, `${what.replaceAll(" ", "-")}.md`);
    const word = `grand${what.length}`;
    const waits = await probeReads(service, READ, async () => {
      writeFileSync(file, text);
      await wait(500);
      appendFileSync(file, `\n\n# ${word}\n`);
      while (!(await isFound(service, word))) await wait(50);
      await service.settled();
    });
    reportWaits(`read while a note of ${what} changes`, waits);
    let took = 0;
    const whileAppending = await probeReads(service, READ, async () => {
      const started = performance.now();
      const content = `# ${word}tool`;
      await call("append", { path: `vault/${path.basename(file)}`, content, position: "bottom" });
      took = performance.now() - started;
      while (!(await isFound(service, `${word}tool`))) await wait(50);
      await service.settled();
    });
    report(`a tool's append to a note of ${what}`, milliseconds(took), "< 1 s", took < 1000);
    reportWaits(`read during it, until it is found`, whileAppending);
  }
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

/** Runs `bench` with a service on a vault, when one of these parts is wanted. */
async function withService(
  place: Place,
  parts: readonly string[],
  bench: (service: Service) => Promise<void>,
): Promise<void> {
  if (!parts.some((part) => only.includes(part))) return;
  const service = await createService({ ...place, frontmatter: "all" });
  await service.settled();
  await bench(service);
  await service.close();
}

const folder = mkdtempSync(path.join(tmpdir(), "coffre-jobs-"));
try {
  const smaller = await makeVault(folder, SMALLER);
  await withService(smaller, ["changes"], async (service) => {
    await benchTools(service);
    await benchEdits(service, smaller.root);
  });
  const larger = SMALLER === LARGER ? smaller : await makeVault(folder, LARGER);
  if (only.includes("start")) await benchStart(larger);
  await withService(larger, ["missing"], benchMissing);
  if (only.includes("rest")) benchRest(larger, folder);
  await withService(smaller, ["flood"], async (service) => benchFlood(service, smaller.root));
  await withService(smaller, ["large"], async (service) => benchLarge(service, smaller.root));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
