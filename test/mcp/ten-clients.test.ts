import { readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { stampedPlace, type TemporaryPlace } from "../../src/cli/testing/cli.ts";
import { connectMcp, textOfResult, type McpClient } from "../../src/cli/testing/mcp-client.ts";
import { findOwner } from "../../src/jobs/owner/owner-lock.ts";
import { vaultProblems } from "../../src/testing/vault-problems.ts";

const CLIENTS = 10;
const LINES = 50;
/** The owner is killed each time so many lines are confirmed. */
const KILLS = [150, 300];
/** Each client looks for its last line after so many. */
const LOOKING = 10;
const FILE = "vault/log.md";
const UNKNOWN = "Whether append was done is not known";

/** What came of the lines that one client added. */
interface Added {
  readonly confirmed: string[];
  /** Nobody knows whether they were added. */
  readonly unknown: string[];
}

/** Ends the process that owns the vault as a power cut would. */
function killOwner({ state }: TemporaryPlace, among: readonly McpClient[]): McpClient {
  const owner = among.find(({ pid }) => pid === findOwner(state)?.pid);
  if (owner === undefined) throw new Error("none of the clients has the owner");
  process.kill(owner.pid, "SIGKILL");
  return owner;
}

/** Adds lines one after the other, and looks for the last now and then, until done or killed. */
async function addLines(
  { call, text }: McpClient,
  client: number,
  { onConfirmed, isKilled }: { onConfirmed: () => void; isKilled: () => boolean },
): Promise<Added> {
  const unlessKilled = async <T>(asked: Promise<T>): Promise<T | null> =>
    asked.catch((error: unknown) => {
      if (isKilled()) return null;
      throw error;
    });
  const added: Added = { confirmed: [], unknown: [] };
  for (let n = 0; n < LINES && !isKilled(); n += 1) {
    const line = `line ${client}.${n}: word${client}x${n}`;
    const append = { path: FILE, content: line, position: "bottom" };
    const result = await unlessKilled(call("append", append));
    if (result === null || result.isError === true) {
      const said = result === null ? UNKNOWN : textOfResult(result);
      expect(said).toContain(UNKNOWN);
      added.unknown.push(line);
      continue;
    }
    added.confirmed.push(line);
    onConfirmed();
    if (n % LOOKING !== 0) continue;
    const looks = [
      text("search", { queries: [`word${client}x${n}`], limit: 1 }),
      text("read", { paths: FILE, tail: 10_000 }),
    ];
    const seen = await unlessKilled(Promise.all(looks));
    for (const shown of seen ?? []) expect(shown).toContain(`${line}\n`);
  }
  return added;
}

it("ten clients at work lose no confirmed line when owners are killed among them", async () => {
  const place = stampedPlace({ "a.md": "The pump in the cellar\n" });
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, async (_, at) => connectMcp(place, { name: `client-${at}` })),
  );
  const killed = new Set<McpClient>();
  let confirmed = 0;
  const onConfirmed = (): void => {
    confirmed += 1;
    if (KILLS.includes(confirmed)) killed.add(killOwner(place, clients));
  };
  const all = await Promise.all(
    clients.map(async (client, at) =>
      addLines(client, at, { onConfirmed, isKilled: () => killed.has(client) }),
    ),
  );
  expect(killed.size).toBe(KILLS.length);

  const found = readFileSync(path.join(place.root, "log.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("line "));
  const sure = all.flatMap((each) => each.confirmed);
  const unsure = new Set(all.flatMap((each) => each.unknown));
  // Each once: also what nobody was told of, if it was done.
  expect(new Set(found).size).toBe(found.length);
  expect(found.filter((line) => !unsure.has(line)).toSorted()).toEqual(sure.toSorted());
  for (const [at, { unknown, confirmed: own }] of all.entries()) {
    const client = clients[at];
    expect(unknown.length, `client ${at}`).toBeLessThanOrEqual(KILLS.length);
    if (client === undefined || killed.has(client)) continue;
    expect(own.length + unknown.length, `client ${at}`).toBe(LINES);
    expect(await client.text("tree")).toContain("log.md");
  }
  const log = (await place.run(["log", "--limit", "1000"])).stdout;
  for (const at of clients.keys()) expect(log).toContain(` client-${at} `);

  await Promise.all(clients.map(async ({ client }) => client.close()));
  expect(await vaultProblems(place.root, place.state)).toEqual([]);
});
