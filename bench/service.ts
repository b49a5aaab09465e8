/**
 * The service as programs meet it: `npm run bench -- service [--files N] [--no-peers]`. Our MCP server, directly and through `coffre
 * serve`, beside others on the same notes, over stdio with the official client; and a thousand HTTP calls at once.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { z } from "zod";

import { createService } from "../src/compose.ts";
import { CleanUp } from "./clean-up.ts";
import { startMcp } from "./mcp-session.ts";
import { optionsOf, seconds } from "./measure.ts";
import { startServer, type ServerProcess } from "./server-process.ts";
import { benchCalls, type Running } from "./service-calls.ts";
import { benchHttp } from "./service-http.ts";
import {
  coffreMcp,
  coffreProgram,
  isInstalled,
  ours,
  peers,
  type CoffrePlace,
  type Contender,
  type PeerPlaces,
} from "./service-peers.ts";
import { makeQuestions, type Questions } from "./service-questions.ts";
import { benchThrough } from "./service-through.ts";
import { benchTools } from "./service-tools.ts";
import { writeStampedVault } from "./stamped-vault.ts";

const QUESTIONS = 50;

const { values } = parseArgs({
  args: optionsOf(process.argv.slice(2)),
  options: { files: { type: "string" }, peers: { type: "boolean", default: true } },
  allowNegative: true,
});
const FILES = Number(values.files ?? 2000);

interface Places extends PeerPlaces {
  /** For a `coffre mcp` that keeps the vault itself. */
  readonly own: CoffrePlace;
  /** For `coffre serve`. */
  readonly served: CoffrePlace;
}

async function makePlaces(folder: string): Promise<Places> {
  const home = path.join(folder, "home");
  mkdirSync(home);
  return {
    own: await makeVault(folder, "own"),
    served: await makeVault(folder, "served"),
    root: writeNotes(folder, "shared"),
    obsidian: writeNotes(folder, "obsidian"),
    home,
  };
}

/** With the frontmatter they should have, so that ours has no reason to write. */
function writeNotes(folder: string, name: string): string {
  const root = path.join(folder, name);
  mkdirSync(root);
  writeStampedVault(root, FILES);
  return root;
}

/** A vault that a service of ours has processed before: what is measured is daily use. */
async function makeVault(folder: string, name: string): Promise<CoffrePlace> {
  const place = { root: writeNotes(folder, name), state: path.join(folder, `${name}-state`) };
  const service = await createService({ ...place, frontmatter: "all" });
  await service.settled();
  await service.close();
  return place;
}

async function start(contender: Contender, cleanUp: CleanUp): Promise<Running> {
  const started = performance.now();
  await contender.prepare?.();
  const session = await startMcp(contender.program);
  cleanUp.add(async () => session.close());
  const took = seconds(performance.now() - started);
  const { name, manner } = contender;
  console.log(`        ${name}: MCP ${session.version}, ready in ${took}; ${manner}`);
  return { ...contender, session };
}

/** Those that run here; of the others it says why they do not. */
async function startPeers(places: PeerPlaces, cleanUp: CleanUp): Promise<Running[]> {
  const running: Running[] = [];
  for (const peer of peers(places)) {
    if (!isInstalled(peer)) {
      console.log(`        ${peer.name} is not here: npm ci --prefix bench/peers`);
      continue;
    }
    try {
      running.push(await start(peer, cleanUp));
    } catch (error) {
      console.log(`        ${peer.name} does not run here: ${String(error)}`);
    }
  }
  return running;
}

async function benchMcp(
  places: Places,
  questions: Questions,
  { serve, cleanUp }: { readonly serve: ServerProcess; readonly cleanUp: CleanUp },
): Promise<void> {
  const { own, served } = places;
  const first = await start(ours("ours", "coffre mcp, which keeps the vault itself", own), cleanUp);
  const second = await start(
    ours("through serve", "coffre mcp, which asks coffre serve over a socket", served),
    cleanUp,
  );
  await benchThrough(
    { session: first.session, processes: [first.session.pid] },
    { session: second.session, processes: [second.session.pid, serve.pid] },
    questions,
  );
  if (!values.peers) return;
  const others = await startPeers(places, cleanUp);
  await benchCalls(first, [second, ...others], questions);
  const search = await startMcp(coffreMcp(served, "--profile", "search"));
  cleanUp.add(async () => search.close());
  // After the calls: a client that knows what form of answer a tool promises checks it, and that time would count as the server's.
  const mine = [
    { name: "ours, update", tools: await first.session.tools() },
    { name: "ours, search", tools: await search.tools() },
  ];
  const theirs = others.map(async ({ name, session }) => ({ name, tools: await session.tools() }));
  benchTools(mine, await Promise.all(theirs));
}

const Served = z.object({ address: z.string() });

const cleanUp = new CleanUp();
try {
  const folder = mkdtempSync(path.join(tmpdir(), "coffre-service-"));
  cleanUp.add(() => rmSync(folder, { recursive: true, force: true }));
  const places = await makePlaces(folder);
  const { root, state } = places.served;
  const words = ["serve", "--json", "--port", "0", "--vault", root, "--state", state];
  const serve = await startServer([coffreProgram, ...words]);
  cleanUp.add(serve.stop);
  console.log(`        ${FILES} files`);
  const questions = makeQuestions(FILES, QUESTIONS);
  await benchMcp(places, questions, { serve, cleanUp });
  const bare = await startServer([path.join(import.meta.dirname, "bare-http.ts")]);
  cleanUp.add(bare.stop);
  const token = readFileSync(path.join(state, "token"), "utf8").trim();
  const coffre = { ...Served.parse(serve.ready), token };
  await benchHttp({ coffre, bare: Served.parse(bare.ready) }, questions);
} finally {
  await cleanUp.run();
}
