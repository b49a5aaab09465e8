import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { Random } from "../../src/testing/random.ts";
import { vaultProblems } from "../../src/testing/vault-problems.ts";
import {
  cliDoor,
  eventsDoor,
  httpDoor,
  ingestDoor,
  mcpHttpDoor,
  mcpStdioDoor,
  updateDoor,
  type Door,
  type DoorOptions,
} from "./doors.ts";
import { Findings } from "./findings.ts";
import { HttpDoor, wrongWith } from "./http-door.ts";
import { anyBody, everyNote } from "./load.ts";
import { otherProgram } from "./other-program.ts";
import { Served, type Sample, type ServedPlace } from "./served.ts";
import { judge, type Judgement, type TimedSample } from "./judge.ts";

/** Milliseconds between two samples. */
const SAMPLING = 10_000;

export interface SoakOptions {
  readonly minutes: number;
  readonly seed: number;
  readonly onSample?: (sample: TimedSample, calls: number) => void;
}

export interface SoakResult extends Judgement {
  readonly calls: ReadonlyMap<string, number>;
  readonly problems: readonly string[];
  /** Kept when something is wrong. */
  readonly folder: string;
}

/** Serves a vault under mixed load from every door, and looks for what grows, hangs or drifts. */
export async function runSoak({ minutes, seed, onSample }: SoakOptions): Promise<SoakResult> {
  const folder = mkdtempSync(path.join(tmpdir(), "coffre-soak-"));
  const place: ServedPlace = {
    root: path.join(folder, "notes"),
    state: path.join(folder, "state"),
    registry: path.join(folder, "registry"),
  };
  const random = new Random(seed);
  const findings = new Findings();
  fill(place.root, random);
  const served = await Served.start(place);
  const http = new HttpDoor(place);
  await settle(http, findings);
  const before = await resting(served);
  const samples: TimedSample[] = [];
  const end = performance.now() + minutes * 60_000;
  const started = performance.now();
  const options = { place, findings, http };
  const loads = doorsOf(options, seed).map(async (door) => repeat(door, end, served, findings));
  while (performance.now() < end && served.isRunning) {
    await pause(Math.min(SAMPLING, Math.max(0, end - performance.now())));
    const sample = { ...(await served.sample()), at: performance.now() - started };
    samples.push(sample);
    onSample?.(sample, sum(findings.calls));
  }
  await Promise.all(loads);
  await settle(http, findings);
  http.close();
  const after = await resting(served);
  if (!served.isRunning) findings.add("service", `it ended by itself: ${served.complaint}`);
  for (const bug of served.bugs()) findings.add("log", bug);
  if (served.complaint !== "") findings.add("standard error", served.complaint);
  const judgement = judge({ samples, before, after, folders: foldersIn(place.root) });
  for (const finding of judgement.findings) findings.add("growth", finding);
  const code = await served.stop();
  if (code !== 0) findings.add("service", `stopped with ${code}: ${served.complaint}`);
  for (const problem of await vaultProblems(place.root, place.state))
    findings.add("drift", problem);
  const problems = findings.list;
  if (problems.length === 0) rmSync(folder, { recursive: true, force: true });
  return { ...judgement, calls: findings.calls, problems, folder };
}

function doorsOf(common: Omit<DoorOptions, "random">, seed: number): Door[] {
  const doors = [
    httpDoor,
    httpDoor,
    mcpHttpDoor,
    mcpStdioDoor,
    cliDoor,
    eventsDoor,
    otherProgram,
    ingestDoor,
    updateDoor,
  ];
  // Numbers of its own for each, so that what one does is not up to how fast another was.
  return doors.map((make, at) => make({ ...common, random: new Random(seed * 100 + at) }));
}

async function repeat(door: Door, end: number, served: Served, findings: Findings): Promise<void> {
  while (performance.now() < end && served.isRunning) {
    try {
      await door.act();
      findings.count(door.name);
    } catch (error) {
      findings.add(door.name, String(error));
    }
    await pause(door.every);
  }
  await door.close?.();
}

function fill(root: string, random: Random): void {
  const names = [...everyNote(), "overview.md", "disk/journal.md", "disk/folder/0.md"];
  for (const name of names) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, anyBody(random));
  }
}

/** What the system has not told of is found by comparing. */
async function settle(http: HttpDoor, findings: Findings): Promise<void> {
  for (const asked of ["/api/rescan", "/api/settle?all=true"]) {
    const wrong = wrongWith(await http.ask({ method: "POST", path: asked }, 120_000));
    if (wrong !== null) findings.add("settling", `${asked}: ${wrong}`);
  }
}

/** Connections, converters and replaced files are let go of some seconds after the last call: the sample at which no more are. */
async function resting(served: Served): Promise<Sample> {
  let sample = await served.sample();
  for (let turn = 0; turn < 20; turn += 1) {
    await pause(4000);
    const next = await served.sample();
    if (next.descriptors >= sample.descriptors) return next;
    sample = next;
  }
  return sample;
}

function foldersIn(root: string): number {
  return readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  ).length;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((all, count) => all + count, 0);
}
