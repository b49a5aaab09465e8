import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { findOwner } from "../../src/jobs/owner/owner-lock.ts";
import { startChild, type Child } from "../../src/testing/processes/child.ts";
import type { Random } from "../../src/testing/random.ts";
import { snapshotOf } from "../../src/testing/tree-snapshot.ts";
import { HIDDEN_MARK } from "./foreign-vault.ts";

/** The folders of a vault and of its state. */
export interface Place {
  readonly root: string;
  readonly state: string;
}

const MAIN = path.join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");

const QUERIES = [
  "walrus",
  "kiln glaze",
  '"harbour lantern"',
  "école -budget",
  "oak",
  "会議",
  "left-pad",
];
const QUESTIONS = ["What did I write about the harbour?", "Who is the walrus?", "idée façade ?"];

/** Runs a command on a place, in a process of its own. What it prints; a refusal is an answer too. */
export async function command(place: Place, ...args: readonly string[]): Promise<string> {
  const child = startChild(pathToFileURL(MAIN), [...args, ...optionsOf(place)]);
  return child.finished().catch(String);
}

/** `coffre serve`, when it answers. */
export async function serveForeign(place: Place, ...args: readonly string[]): Promise<Child> {
  const argv = ["serve", "--port", "0", ...args, ...optionsOf(place)];
  const child = startChild(pathToFileURL(MAIN), argv);
  await child.printed("\n");
  return child;
}

/** Ends a service as a person does, and waits for it. */
export async function endService(child: Child): Promise<void> {
  child.process.kill("SIGTERM");
  await child.finished();
}

function optionsOf({ root, state }: Place): string[] {
  return ["--vault", root, "--state", state];
}

type Ask = (name: string, random: Random) => Promise<string>;

/** How many questions were asked, and those whose answer showed something hidden. */
export interface Looked {
  readonly asked: number;
  readonly leaks: readonly string[];
}

export interface LookOptions {
  /** Asked after each question, with how many there were. */
  readonly isOver: (asked: number) => boolean;
  /** Milliseconds between two questions; none when left out. */
  readonly pause?: number;
}

/** Looks, searches and asks through every door of a running service: HTTP, MCP over HTTP and stdio, the command line. */
export async function lookAround(
  place: Place,
  random: Random,
  { isOver, pause = 0 }: LookOptions,
): Promise<Looked> {
  const names = Object.keys(snapshotOf(place.root)).filter((name) => !name.startsWith(".git/"));
  const doors = await openDoors(place);
  const leaks: string[] = [];
  let asked = 0;
  try {
    while (!isOver(asked)) {
      const [door, ask] = random.weighed(doors.ways) ?? ["", async () => ""];
      const name = random.pick(names) ?? "";
      const answer = await ask(name, random);
      if (answer.includes(HIDDEN_MARK)) leaks.push(`${door} ${name}`);
      asked += 1;
      await setTimeout(pause);
    }
  } finally {
    await doors.close();
  }
  return { asked, leaks };
}

type Ways = readonly (readonly [weight: number, way: readonly [door: string, ask: Ask]])[];

async function openDoors(place: Place): Promise<{ ways: Ways; close: () => Promise<void> }> {
  const address = findOwner(place.state)?.address;
  if (address === undefined) throw new Error("nobody serves this vault over HTTP");
  const token = readFileSync(path.join(place.state, "token"), "utf8").trim();
  const headers = { authorization: `Bearer ${token}` };
  const overHttp = new Client({ name: "looker", version: "1.0.0" });
  const url = new URL("/mcp/search", address);
  await overHttp.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  const overStdio = new Client({ name: "looker", version: "1.0.0" });
  const args = [MAIN, "mcp", "--profile", "search", ...optionsOf(place)];
  await overStdio.connect(new StdioClientTransport({ command: process.execPath, args }));
  const get = async (where: string): Promise<string> =>
    (await fetch(new URL(where, address), { headers })).text();
  const post = async (where: string, body: unknown): Promise<string> => {
    const json = { ...headers, "content-type": "application/json" };
    const init = { method: "POST", headers: json, body: JSON.stringify(body) };
    return (await fetch(new URL(where, address), init)).text();
  };
  const query = (where: string, name: string): string =>
    `${where}?path=${encodeURIComponent(`vault/${name}`)}`;
  const ways: Ways = [
    [4, ["GET /api/file", async (name) => get(query("/api/file", name))]],
    [2, ["GET /api/raw", async (name) => get(query("/api/raw", name))]],
    [1, ["GET /api/tree", async () => get("/api/tree")]],
    [1, ["GET /api/files", async () => get("/api/files")]],
    [1, ["GET /api/status", async () => get("/api/status")]],
    [1, ["GET /api/history", async () => get("/api/history")]],
    [1, ["GET /api/inbox", async () => get("/api/inbox")]],
    [
      4,
      [
        "POST /api/tools",
        async (name, random) => {
          const [tool, input] = toolCall(name, random);
          return post(`/api/tools/${tool}?profile=search`, input);
        },
      ],
    ],
    [
      2,
      [
        "POST /api/search",
        async (_, random) => post("/api/search", { question: random.pick(QUESTIONS) }),
      ],
    ],
    [4, ["MCP over HTTP", async (name, random) => called(overHttp, toolCall(name, random))]],
    [3, ["MCP over stdio", async (name, random) => called(overStdio, toolCall(name, random))]],
    [1, ["MCP resources", async (name) => resources(overHttp, name)]],
    [0.2, ["coffre", async (name, random) => command(place, ...commandLine(name, random))]],
  ];
  return {
    ways,
    close: async () => {
      await overHttp.close();
      await overStdio.close();
    },
  };
}

function toolCall(name: string, random: Random): readonly [string, Record<string, unknown>] {
  const target = `vault/${name}`;
  return (
    random.pick<readonly [string, Record<string, unknown>]>([
      ["read", { paths: [target] }],
      ["read", { paths: [target], head: 50 }],
      ["read", { paths: ["vault/tree.md", target], folded: true }],
      ["concat", { files: [{ path: target }, { path: "vault/README.md" }] }],
      ["tree", { path: path.posix.dirname(target) }],
      ["tree", { depth: 2 }],
      ["search", { queries: [random.pick(QUERIES) ?? ""] }],
      ["search", { queries: [random.pick(QUERIES) ?? ""], mode: "deep" }],
    ]) ?? ["tree", {}]
  );
}

async function called(
  client: Client,
  [name, input]: readonly [string, Record<string, unknown>],
): Promise<string> {
  return JSON.stringify(await client.callTool({ name, arguments: input }));
}

async function resources(client: Client, name: string): Promise<string> {
  const { resources: listed } = await client.listResources();
  const uri = `vault:///${name.split("/").map(encodeURIComponent).join("/")}`;
  const read = await client.readResource({ uri }).catch(String);
  return JSON.stringify([listed, read]);
}

function commandLine(name: string, random: Random): readonly string[] {
  return (
    random.pick([
      ["tree"],
      ["read", `vault/${name}`],
      ["search", random.pick(QUERIES) ?? ""],
      ["recall", random.pick(QUESTIONS) ?? ""],
      ["status"],
      ["log"],
      ["doctor"],
    ]) ?? ["status"]
  );
}
