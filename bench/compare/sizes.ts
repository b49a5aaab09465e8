/** One vault of a size, and what it costs to use it: every server is started as its manual says, over MCP with the official client. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import type { CleanUp } from "../clean-up.ts";
import type { Running } from "../service-calls.ts";
import { ours, peers, type Contender, type PeerPlaces } from "../service-peers.ts";
import { answers, holdsNote, makeQuestions, type Question } from "../service-questions.ts";
import { writeStampedVault } from "../stamped-vault.ts";
import { type Row, type Spread, type Unit, one } from "./figures.ts";
import { measureFirstIndex, MEMORY_GOAL } from "./first-index.ts";
import { inTurn, type Timed } from "./in-turn.ts";
import { memoryOf, startAll, timeStart } from "./servers.ts";

const QUESTIONS = 50;
const US = "coffre";
const GREP = "ripgrep, a process each";
/** Everybody has this folder. */
const BUCKET = "projects/p0/bucket";
/** Searches until another program's edit counts as never found. */
const PATIENCE = 5000;

export interface SizeOptions {
  /** The program of coffre. */
  readonly main: string;
  readonly files: number;
  /** For each comparison of calls. */
  readonly seconds: number;
  readonly hasQmd: boolean;
}

interface Goal {
  readonly text: string;
  readonly isMet: (ours: number, beside: ReadonlyMap<string, Spread>) => boolean;
}

const atMost = (text: string, most: number): Goal => ({ text, isMet: (mine) => mine <= most });
const timesFaster = (names: readonly string[], times: number): Goal => ({
  text: `${times === 1 ? "as fast as" : `${times}× as fast as`} ${names.join(" and ")}`,
  isMet: (mine, beside) =>
    names.every((name) => (beside.get(name)?.median ?? Number.POSITIVE_INFINITY) >= times * mine),
});

/** All rows of a vault of so many files. @param folder an empty one, removed by the caller */
export async function measureSize(
  folder: string,
  cleanUp: CleanUp,
  { main, files, seconds, hasQmd }: SizeOptions,
): Promise<Row[]> {
  const places = makePlaces(folder, files);
  const own = { root: notesIn(folder, "own", files), state: path.join(folder, "own-state") };
  const us = ours(US, "coffre mcp, which keeps the vault itself", own, main);
  const others = peers(places).filter(({ name }) => name !== "QMD" || hasQmd);
  const qmd = others.find(({ name }) => name === "QMD") ?? null;
  const rounds = files > 10_000 ? 1 : 3;
  const rows = await measureFirstIndex(own, folder, { main, files, rounds, qmd });
  for (const each of others) if (each !== qmd) await each.prepare?.();

  const questions = makeQuestions(files, QUESTIONS);
  rows.push(await measureStarts([us, ...others], questions.rare, files));
  const running = await startAll([us, ...others], cleanUp);
  const row = async (
    what: string,
    goal: Goal | null,
    all: readonly Timed[],
    most: number,
  ): Promise<void> => {
    console.log(`        ${files} files: ${what}`);
    const times = await inTurn(all, { rounds: most, seconds, warmUp: Math.ceil(most / 10) });
    rows.push(rowOf({ what, files, unit: "ms" }, times, goal));
  };
  const each = (call: (server: Running, round: number) => Promise<number>): Timed[] =>
    running.map((server) => ({ name: server.name, run: async (round) => call(server, round) }));

  const readGoal = timesFaster(["server-filesystem"], 1);
  await row(
    "read a note",
    readGoal,
    each(async (server, round) => {
      const note = pick(questions.notes, round);
      const { text, took } = await server.session.call(server.read(note.path));
      if (!holdsNote(text, note)) throw new Error(`no right answer for ${note.path}`);
      return took;
    }),
    300,
  );
  const searchGoal = timesFaster(["mcpvault", "obsidian-mcp"], 20);
  for (const [kind, asked] of Object.entries({ rare: questions.rare, common: questions.common })) {
    const calls = each(async (server, round) => search(server, pick(asked, round)));
    const grep = ripgrep(places.root, asked);
    await row(`search, ${kind} words`, searchGoal, [...calls, ...grep], 60);
  }
  const writers = running.filter(({ write }) => write !== undefined);
  await row(
    "a tool's write until a search finds it",
    atMost("5 ms", 5),
    writers.map((server) => ({ name: server.name, run: async (round) => written(server, round) })),
    40,
  );
  const followers = running.filter(({ folder: notes }) => notes !== undefined);
  await row(
    "another program's write until a search finds it",
    atMost("30 ms", 30),
    followers.map((server) => ({ name: server.name, run: async (round) => edited(server, round) })),
    40,
  );
  const listing = running.filter(({ tree }) => tree !== undefined);
  await row(
    "tree of the whole vault",
    timesFaster(["server-filesystem"], 1),
    listing.map(({ name, session, tree }) => ({
      name,
      run: async () => (tree === undefined ? Number.NaN : (await session.call(tree)).took),
    })),
    30,
  );
  rows.push(...memoryRow(running, files));
  return rows;
}

function makePlaces(folder: string, files: number): PeerPlaces {
  const home = path.join(folder, "home");
  mkdirSync(home);
  return {
    root: notesIn(folder, "shared", files),
    obsidian: notesIn(folder, "obsidian", files),
    home,
  };
}

function notesIn(folder: string, name: string, files: number): string {
  const root = path.join(folder, name);
  mkdirSync(root);
  writeStampedVault(root, files);
  return root;
}

async function measureStarts(
  all: readonly Contender[],
  questions: readonly Question[],
  files: number,
): Promise<Row> {
  console.log(`        ${files} files: start`);
  const { words = "" } = questions[0] ?? {};
  const times = await inTurn(
    all.map((each) => ({ name: each.name, run: async () => timeStart(each, words) })),
    { rounds: 5, seconds: 40, warmUp: 1 },
  );
  const what = "start of the MCP server until a first search is answered";
  return rowOf({ what, files, unit: "ms" }, times, atMost("1 s", 1000));
}

async function search(server: Running, question: Question): Promise<number> {
  const { text, took } = await server.session.call(server.search(question));
  if (!answers(text, question)) throw new Error(`no right answer for ${question.words}`);
  return took;
}

/** Makes a note, and returns the milliseconds from then until a search has found it. */
async function written(server: Running, round: number): Promise<number> {
  const [word, note] = [`outilmot${round}`, `${BUCKET}/outil-${round}.md`];
  const request = server.write?.(note, `# Note\n\n${word}\n`);
  if (request === undefined) throw new Error("it cannot write");
  await server.session.call(request);
  return untilFound(server, word, note);
}

async function edited(server: Running, round: number): Promise<number> {
  const [word, note] = [`disquemot${round}`, `${BUCKET}/disque-${round}.md`];
  writeFileSync(path.join(server.folder ?? "", note), `# Note\n\n${word}\n`);
  return untilFound(server, word, note);
}

async function untilFound(server: Running, word: string, note: string): Promise<number> {
  const started = performance.now();
  while (performance.now() - started < PATIENCE) {
    const { text } = await server.session.call(server.search({ words: word, name: note }));
    if (text.includes(path.basename(note, ".md"))) return performance.now() - started;
  }
  throw new Error(`${word} was not found`);
}

/** The files that have the words, when ripgrep is installed. */
function ripgrep(root: string, asked: readonly Question[]): Timed[] {
  const { platform, arch } = process;
  const program = path.join(
    import.meta.dirname,
    `../peers/ripgrep/node_modules/@vscode/ripgrep-${platform}-${arch}/bin/rg`,
  );
  if (!existsSync(program)) {
    console.log("        ripgrep is not here: npm ci --prefix bench/peers/ripgrep");
    return [];
  }
  const run = async (round: number): Promise<number> => {
    const { words, notes } = pick(asked, round);
    const started = performance.now();
    const { stdout } = await promisify(execFile)(program, ["-lF", "--", words, root], {
      maxBuffer: 1e8,
    });
    const took = performance.now() - started;
    if (stdout.split("\n").length - 1 < notes.size) throw new Error(`too few files for ${words}`);
    return took;
  };
  return [{ name: GREP, run }];
}

function memoryRow(running: readonly Running[], files: number): Row[] {
  const held = new Map(
    running.flatMap(({ name, session }) => {
      const memory = memoryOf(session.pid);
      return memory === null ? [] : [[name, one(memory.now)] as const];
    }),
  );
  if (!held.has(US)) return [];
  return [
    rowOf(
      { what: "memory of the MCP server after all of this", files, unit: "MB" },
      held,
      atMost(`${MEMORY_GOAL} MB`, MEMORY_GOAL),
    ),
  ];
}

function rowOf(
  { what, files, unit }: { what: string; files: number; unit: Unit },
  figures: ReadonlyMap<string, Spread>,
  goal: Goal | null,
): Row {
  const mine = figures.get(US);
  if (mine === undefined) throw new Error(`${what}: ours was not measured`);
  const beside = [...figures].filter(([name]) => name !== US);
  return {
    what,
    files,
    unit,
    goal: goal?.text ?? null,
    isMet: goal?.isMet(mine.median, figures) ?? null,
    ours: mine,
    beside: beside.map(([name, figure]) => ({ name, figure })),
  };
}

function pick<T>(all: readonly T[], at: number): T {
  const found = all[at % all.length];
  if (found === undefined) throw new Error("There is nothing to ask for.");
  return found;
}
