import { setTimeout as sleep } from "node:timers/promises";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

import { createTeamIndex } from "../../src/index/create-index.ts";
import { fillIndex } from "../../src/index/fill-index.ts";
import { openPostgres, type Postgres } from "../../src/storage/postgres/postgres.ts";
import { versionHash } from "../../src/vault/files/version.ts";
import { PostgresVault } from "../../src/vault/postgres/postgres-vault.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { indexContents } from "./index-contents.ts";
import { PostgresServer } from "./postgres-server.ts";
import { Proxy } from "./proxy.ts";
import { runSql } from "./run-sql.ts";
import { ask, freePort, post, Replica, TOKEN } from "./replica.ts";

const VAULT = "shared";
const NOTES = 3;
/** Each of so many turns of a client writes into a note of its own, reads that and edits it. */
const EDITS = 3;
/** Acknowledged lines between two blows. */
const LINES = 15;
/** Milliseconds between two attempts of a client that was refused. */
const PAUSE = 50;
/** Milliseconds between two updates: each is a change of the inbox. */
const BETWEEN_UPDATES = 500;
const PATIENCE = 120_000;

export interface KillsOptions {
  /** How often a replica is killed, and the database stopped `immediate`. */
  readonly kills: number;
  readonly stops: number;
  readonly httpClients: number;
  readonly mcpClients: number;
  /** From 0 to 1: which replica, and when. */
  readonly random: () => number;
  readonly log: (line: string) => void;
}

/** What went wrong, and how long it took. */
export interface KillsReport {
  readonly problems: readonly string[];
  readonly acknowledged: number;
  readonly edits: number;
  /** How often a client had to read again what it had read, because a stop of the database had emptied the ledger. */
  readonly readAgain: number;
  readonly updates: number;
  /** Milliseconds from each kill, and each stop, to the next acknowledged line. */
  readonly afterKill: readonly number[];
  readonly afterStop: readonly number[];
}

/** Calls a tool through the proxy; null when it is not known what came of it. */
type CallTool = (
  name: string,
  args: Readonly<Record<string, unknown>>,
) => Promise<{ readonly text: string; readonly isError: boolean } | null>;

/** What a client is told that has to read, or ask, again. */
const NOT_READ = "was not read in this session";
const PASSING = /"(?:busy|unavailable)"|try again/iu;

/** Writers that append lines of their own through the proxy, read and edit some of them, and send updates. */
class Load {
  readonly lines: string[] = [];
  /** Lines that were edited: they end with `-e` then. */
  readonly edited: string[] = [];
  /** Refusals that nothing explains. */
  readonly refusals: string[] = [];
  readAgain = 0;
  /** Ids of accepted updates, with what they say. */
  readonly updates = new Map<string, string>();
  /** Those that were given up because they were cut off three times: only the last five hundred that ended are kept. */
  readonly givenUp = new Set<string>();
  readonly #vault: string;
  readonly #running: Promise<void>[] = [];
  #isOver = false;
  #onLine = (): void => {};

  constructor(address: string) {
    this.#vault = `${address}/v/${VAULT}`;
  }

  start(httpClients: number, mcpClients: number): void {
    for (let at = 0; at < httpClients; at += 1) this.#running.push(this.#http(`http${at}`));
    for (let at = 0; at < mcpClients; at += 1) this.#running.push(this.#mcp(`mcp${at}`));
    this.#running.push(this.#remember());
  }

  /** Resolves when so many more lines are acknowledged; with the milliseconds until the first of them. */
  async more(count: number): Promise<number> {
    const [before, started] = [this.lines.length, performance.now()];
    let first = 0;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("nothing was written any more")), PATIENCE);
      this.#onLine = () => {
        if (first === 0) first = performance.now() - started;
        if (this.lines.length < before + count) return;
        clearTimeout(timer);
        resolve();
      };
    });
    return first;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  #wrote(line: string): void {
    this.lines.push(line);
    this.#onLine();
  }

  /** A line that may or may not have been kept is never written again: the next one has another number. */
  async #turns(name: string, call: CallTool): Promise<void> {
    for (let turn = 0; !this.#isOver; turn += 1) {
      const content = `${name}-${turn}`;
      const isOwn = turn % EDITS === 0;
      const path = isOwn ? `vault/notes/own-${name}.md` : `vault/notes/${turn % NOTES}.md`;
      const answer = await call("append", { path, content, position: "bottom" });
      if (answer?.isError !== false) await sleep(PAUSE);
      else {
        this.#wrote(content);
        if (isOwn) await this.#edit(path, content, call);
      }
    }
  }

  /** Nobody else writes into this note. What one replica has shown counts for an edit by the other. */
  async #edit(path: string, line: string, call: CallTool): Promise<void> {
    while (!this.#isOver) {
      const read = await call("read", { paths: [path] });
      if (read?.isError !== false) {
        await sleep(PAUSE);
        continue;
      }
      const change = { path, old_content: `${line}\n`, new_content: `${line}-e\n` };
      const answer = await call("edit", change);
      if (answer?.isError === false) this.edited.push(line);
      // What may have been made is not tried again.
      if (answer?.isError !== true) return;
      if (answer.text.includes(NOT_READ)) this.readAgain += 1;
      else if (PASSING.test(answer.text)) return;
      else {
        this.refusals.push(`${line} could not be edited: ${answer.text}`);
        return;
      }
    }
  }

  async #http(name: string): Promise<void> {
    await this.#turns(name, async (tool, args) => {
      try {
        const headers = { "coffre-client": name };
        const answer = await post(`${this.#vault}/api/tools/${tool}`, args, headers);
        const text = await answer.text();
        if (!answer.ok) return null;
        return { text, isError: !text.includes('"isError":false') };
      } catch {
        return null;
      }
    });
  }

  async #mcp(name: string): Promise<void> {
    let client: Client | null = null;
    await this.#turns(name, async (tool, args) => {
      try {
        client ??= await this.#connect(name);
        const result = await client.callTool({ name: tool, arguments: args });
        return { text: JSON.stringify(result), isError: result.isError === true };
      } catch {
        await client?.close().catch(() => {});
        client = null;
        return null;
      }
    });
    await this.#closed(client);
  }

  async #closed(client: Client | null): Promise<void> {
    await client?.close().catch(() => {});
  }

  async #connect(name: string): Promise<Client> {
    const client = new Client({ name, version: "1" });
    const transport = new StreamableHTTPClientTransport(new URL(`${this.#vault}/mcp/update`), {
      requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
    });
    await client.connect(transport);
    return client;
  }

  async #remember(): Promise<void> {
    for (let turn = 0; !this.#isOver; turn += 1) {
      const content = `Remember number ${turn}.`;
      const answer = await post(`${this.#vault}/api/update`, { content }).catch(() => null);
      const text = answer?.status === 202 ? await answer.text().catch(() => "") : "";
      const [, id] = /"id":"([^"]+)"/u.exec(text) ?? [];
      if (id !== undefined) this.updates.set(id, content);
      await sleep(BETWEEN_UPDATES);
    }
  }
}

/** Two replicas behind a proxy under load; one is killed, or their database stopped, again and again. Then all that was acknowledged is looked for. */
export async function runKills(options: KillsOptions): Promise<KillsReport> {
  const server = new PostgresServer([]);
  const ports = [await freePort(), await freePort()] as const;
  const publicPort = await freePort();
  const publicUrl = `http://127.0.0.1:${publicPort}`;
  await server.start();
  const url = server.url("postgres");
  const start = (at: 0 | 1): Replica => new Replica({ url, port: ports[at], publicUrl });
  const replicas: [Replica, Replica] = [start(0), start(1)];
  const proxy = new Proxy(publicPort, ports);
  try {
    for (const replica of replicas) await replica.started();
    await proxy.started();
    await post(`${proxy.address}/api/vaults`, { name: VAULT });
    const load = new Load(proxy.address);
    load.start(options.httpClients, options.mcpClients);
    await load.more(LINES);
    const [afterKill, afterStop]: number[][] = [[], []];
    const { kills, stops } = options;
    const every = Math.ceil((kills + stops) / Math.max(stops, 1));
    for (let blow = 1; blow <= kills + stops; blow += 1) {
      await sleep(options.random() * 200);
      if (stops > 0 && blow % every === 0) {
        await server.stop("immediate");
        await server.start();
        afterStop?.push(await load.more(LINES));
        options.log(`stop: written again after ${Math.round(afterStop?.at(-1) ?? 0)} ms`);
      } else {
        const at = options.random() < 0.5 ? 0 : 1;
        await replicas[at].end("SIGKILL");
        const again = load.more(LINES);
        // The survivor must write alone before the other is back.
        afterKill?.push(await again);
        replicas[at] = start(at);
        await replicas[at].started();
        await noteGivenUp(url, load);
        options.log(`kill ${blow}: written again after ${Math.round(afterKill?.at(-1) ?? 0)} ms`);
      }
    }
    await load.stop();
    const problems = await problemsOf(url, proxy.address, load);
    for (const replica of replicas)
      if (replica.log.includes('"msg":"bug"')) problems.push(`a bug was logged: ${replica.log}`);
    return {
      problems,
      acknowledged: load.lines.length,
      edits: load.edited.length,
      readAgain: load.readAgain,
      updates: load.updates.size,
      afterKill: afterKill ?? [],
      afterStop: afterStop ?? [],
    };
  } finally {
    for (const replica of replicas) await replica.end("SIGKILL");
    await proxy.end();
    await server.remove();
  }
}

async function problemsOf(url: string, address: string, load: Load): Promise<string[]> {
  const database = await openPostgres({ url });
  try {
    await emptied(database);
    await noteGivenUp(url, load);
    const vault = new PostgresVault({ database, row: await makeVaultRow(database, VAULT) });
    return [
      ...load.refusals,
      ...(await lineProblems(vault, load)),
      ...(await historyProblems(vault)),
      ...(await updateProblems(address, vault, load)),
      ...(await indexProblems(url, database, vault)),
    ];
  } finally {
    await database.close();
  }
}

async function noteGivenUp(url: string, { givenUp }: Load): Promise<void> {
  const failed = "SELECT id FROM updates WHERE status = 'failed' AND error LIKE '%3 times%'";
  for (const { id } of await runSql(failed, url)) givenUp.add(String(id));
}

/** Waits until no update waits or runs. */
async function emptied(database: Postgres): Promise<void> {
  const open = "SELECT 1 FROM updates WHERE status IN ('waiting', 'running')";
  let [left, until] = [Number.POSITIVE_INFINITY, 0];
  while (left > 0) {
    const { length } = await database.query(open);
    if (length < left) until = performance.now() + PATIENCE;
    if (performance.now() > until) throw new Error(`${length} updates are never run`);
    left = length;
    if (left > 0) await sleep(200);
  }
}

async function lineProblems(vault: PostgresVault, load: Load): Promise<string[]> {
  const lines: string[] = [];
  for await (const { path } of vault.walk("notes")) {
    const { bytes } = await vault.readBytes(path, 100_000_000);
    const own = bytes.toString().split("\n");
    lines.push(...own.filter((line) => /^(?:http|mcp)\d+-\d+(?:-e)?$/u.test(line)));
  }
  const kept = new Set(lines.map((line) => line.replace(/-e$/u, "")));
  const edited = new Set(lines.filter((line) => line.endsWith("-e")));
  return [
    ...(kept.size === lines.length ? [] : ["a line is there twice"]),
    ...load.lines.filter((line) => !kept.has(line)).map((line) => `${line} was lost`),
    ...load.edited
      .filter((line) => !edited.has(`${line}-e`))
      .map((line) => `the edit of ${line} was lost`),
  ];
}

/** The history leads from each version to the next, up to the present; frontmatter that was added in between does not count. */
async function historyProblems(vault: PostgresVault): Promise<string[]> {
  const problems: string[] = [];
  const hashOf = async (kept: string): Promise<string> => versionHash(await vault.kept(kept));
  const entries = await vault.log({ path: "notes", limit: Number.MAX_SAFE_INTEGER });
  const last = new Map<string, string>();
  for (const change of entries.toReversed().flatMap((entry) => entry.changes)) {
    if (change.kind === "create") last.set(change.path, await hashOf(change.after ?? ""));
    if (change.kind !== "modify" || !("wholeBefore" in change.kept)) continue;
    if ((await hashOf(change.kept.wholeBefore)) !== last.get(change.path))
      problems.push(`the history of ${change.path} is broken`);
    last.set(change.path, await hashOf(change.kept.wholeAfter));
  }
  for (const [path, hash] of last) {
    const { bytes } = await vault.readBytes(path, 100_000_000);
    if (versionHash(bytes) !== hash) problems.push(`the history of ${path} ends too early`);
  }
  const notes = await Array.fromAsync(vault.walk("notes"), ({ path }) => path);
  return last.size === notes.length ? problems : [...problems, "notes are not in the history"];
}

/** Each accepted update has ended, and its text stands in the inbox once. */
async function updateProblems(
  address: string,
  vault: PostgresVault,
  load: Load,
): Promise<string[]> {
  const problems: string[] = [];
  const texts: string[] = [];
  for await (const { path, name } of vault.walk("inbox")) {
    if (name !== "original.md") continue;
    const { bytes } = await vault.readBytes(path, 1_000_000);
    texts.push(bytes.toString());
  }
  const all = texts.join("\n");
  for (const [id, content] of load.updates) {
    const answer = await ask(`${address}/v/${VAULT}/api/updates/${id}`);
    const text = await answer.text();
    const times = all.split(content).length - 1;
    const isGivenUp = load.givenUp.has(id);
    // Of those that ended only the last five hundred are kept; what they wrote is.
    if (times !== (isGivenUp ? 0 : 1)) problems.push(`${content} is there ${times} times: ${text}`);
  }
  return problems;
}

async function indexProblems(
  url: string,
  database: Postgres,
  vault: PostgresVault,
): Promise<string[]> {
  await fillIndex(vault, await createTeamIndex(database, await makeVaultRow(database, "fresh")));
  const [present, fresh] = [await indexContents(url, VAULT), await indexContents(url, "fresh")];
  return JSON.stringify(present) === JSON.stringify(fresh) ? [] : ["the index is stale"];
}
