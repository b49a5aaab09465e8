import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";

import { openTeamVault } from "../../src/compose-team.ts";
import { createTeamIndex } from "../../src/index/create-index.ts";
import { fillIndex } from "../../src/index/fill-index.ts";
import {
  scriptedSettings,
  startScriptedModel,
  type ScriptedRequest,
  type ScriptedTurn,
} from "../../src/testing/models/scripted-model.ts";
import { PostgresVault } from "../../src/vault/postgres/postgres-vault.ts";
import { SCOPES } from "../../src/team/rights/rights.ts";
import { move, remove } from "../../src/testing/suites/changes.ts";
import { makeVaultRow, type VaultRow } from "../../src/vault/postgres/vault-row.ts";
import { doorCount, doorFor } from "./doors/doors.ts";
import { http, type Reader } from "./doors/reader.ts";
import { FOLDERS, MarkedVault, planOf, WORDS, type Plan } from "./doors/marked-vault.ts";
import { TOKEN } from "./replica.ts";
import { servedTeam, type ServedTeam } from "./served-team.ts";
import { fill } from "./team-vault.ts";

const CALLS = 140;
/** When everything was put into both vaults. */
const THEN = Date.now() - 86_400_000;

/** Without what no two vaults share: ids, times, and what is made of them. */
function plain(text: string): string {
  return text
    .replaceAll(/whole\d+|other\d+/gu, "VAULT")
    .replaceAll(/\bm[a-z0-9]{11}\b/gu, "ID")
    .replaceAll(/\b[0-9a-f]{16}\b/gu, "PERSON")
    .replaceAll(/\b[0-9a-f]{64}\b|\b2-[0-9a-f]{8}\b/gu, "HASH")
    .replaceAll(/\bcall-\d+-\d+\b/gu, "CALL")
    .replaceAll(/"(version|hash|since|sha256|dependsOn)":"[^"]*"/gu, '"$1":"HASH"')
    .replaceAll(/\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+Z?)?)?)?/gu, "TIME");
}

async function mcpClient(vault: string, token: string, profile: string, isOld: boolean) {
  const options = isOld ? {} : { versionNegotiation: { mode: { pin: "2026-07-28" } } };
  const client = new Client({ name: "reader", version: "1" }, options);
  onTestFinished(async () => client.close());
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${vault}/mcp/${profile}`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return client;
}

/** A move of a folder takes the rights to it along, and a stream ends when its reader's rights are others. */
const ENDED = "the stream was ended";

/** What a stream of events brings, until the test ends. */
async function eventsOf({ vault, token }: Pick<Reader, "vault" | "token">) {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${vault}/api/events`, { headers, signal: abort.signal });
  let text = "";
  void (async () => {
    try {
      for await (const piece of answer.body ?? []) text += Buffer.from(piece).toString();
      text += ENDED;
    } catch {
      // Aborted.
    }
  })();
  return () => text;
}

/** What events of a name brought. */
function dataOf(events: string, name: string): string[] {
  return [...events.matchAll(/event: (\w+)\ndata: (.*)/gu)]
    .filter(([, found]) => found === name)
    .map(([, , data = ""]) => data);
}

let made = 0;

/** A vault with these files, and somebody with these rights in it. */
async function readerOf(
  { database, team, addresses }: ServedTeam,
  kind: string,
  files: ReadonlyMap<string, string>,
  { grants }: Plan,
): Promise<Ruled> {
  made += 1;
  const name = `${kind}${made}`;
  const row = await makeVaultRow(database, name);
  await fill(database, row, Object.fromEntries(files), THEN);
  await fillIndex(new PostgresVault({ database, row }), await createTeamIndex(database, row));
  await team.firstOwner(row.id, "Olga", "olga@example.org");
  const person = await team.people.add("Ria", null);
  for (const { folder, role } of grants) await team.grants.set(person.id, row.id, folder, role);
  const { text: token } = await team.tokens.create({
    person: person.id,
    name: "test",
    scopes: ["vault:read", "vault:write"],
    expires: new Date(Date.now() + 3_600_000),
  });
  const vault = `${addresses[0]}/v/${name}`;
  const mcp = {
    update: await mcpClient(vault, token, "update", false),
    search: await mcpClient(vault, token, "search", false),
    oldUpdate: await mcpClient(vault, token, "update", true),
    memory: await mcpClient(vault, token, "memory", false),
  };
  const expires = new Date(Date.now() + 3_600_000);
  const some = { person: person.id, name: "lesser", expires };
  const folder = grants.find((each) => each.folder !== "")?.folder ?? "work";
  const lesser = [
    (await team.tokens.create({ ...some, scopes: ["vault:read"] })).text,
    (await team.tokens.create({ ...some, scopes: SCOPES, vault: row.id, folder })).text,
  ];
  const other = await otherIn(team, row);
  const othersUpdate = await updateOf(other, vault);
  return { vault, token, mcp, lesser, othersUpdate, other, row, person: person.id };
}

/** A reader, and what somebody does who administers their vault. */
interface Ruled extends Reader {
  readonly row: VaultRow;
  readonly person: string;
  /** The token of somebody else, who sees all. */
  readonly other: string;
}

/** A token of somebody else, who may do more. */
async function otherIn(team: ServedTeam["team"], row: VaultRow): Promise<string> {
  const other = await team.people.add("Sam", null);
  await team.grants.set(other.id, row.id, "", "editor");
  const scopes = ["vault:read", "vault:write"] as const;
  const expires = new Date(Date.now() + 3_600_000);
  return (await team.tokens.create({ person: other.id, name: "sam", scopes, expires })).text;
}

/** What Sam handed over is filed when this resolves. */
async function updateOf(token: string, vault: string): Promise<string> {
  const sam = { vault, token };
  const given = { content: "The kettle is of no use.", said_by_person: true };
  const accepted = await http(sam, "POST", "/api/update", given);
  const [, id = ""] = /"id":"([^"]+)"/u.exec(accepted) ?? [];
  const filed = async (): Promise<string> => http(sam, "GET", `/api/updates/${id}`);
  await expect.poll(filed, { timeout: 60_000 }).not.toMatch(/"status":"(?:waiting|running)"/u);
  return id;
}

/** Somebody who sees all moves or deletes a folder that has a role of its own, in both vaults what is seen of it. */
async function actOnFolder(
  { database, team }: ServedTeam,
  marked: MarkedVault,
  vaults: { readonly whole: Ruled; readonly twin: Ruled },
  numbers: readonly number[],
): Promise<void> {
  const [one = 0, two = 0] = numbers;
  const grant = marked.ruled[one % Math.max(1, marked.ruled.length)];
  if (grant === undefined) return;
  const { folder } = grant;
  const isHidden = !marked.rights.mayPass(folder);
  const opened = async ({ row }: Ruled) =>
    (
      await openTeamVault({
        database,
        row,
        now: () => new Date(),
        policy: () => "none",
        onMove: async (moves) => team.grants.move(row.id, moves),
      })
    ).vault;
  const [whole, twin] = [await opened(vaults.whole), await opened(vaults.twin)];
  const both: PostgresVault[] = [];
  for (const vault of [whole, twin])
    if ((await vault.find(folder)).kind === "folder") both.push(vault);
  // Of what is hidden, the other vault has only what Sam's agent put there.
  if (!both.includes(whole) || (!isHidden && !both.includes(twin))) return;
  if (two % 2 === 0) {
    const to = `${folder}-${two % 1000}`;
    for (const vault of both) await move(vault, folder, to);
    if (!both.includes(twin)) await team.grants.move(vaults.twin.row.id, [{ path: folder, to }]);
    marked.move(folder, to);
  } else if (isHidden || !marked.rights.hidesUnder(folder)) {
    for (const vault of both) await remove(vault, folder);
    for (const path of Array.from(marked.hidden.keys()))
      if (path.startsWith(`${folder}/`)) marked.hidden.delete(path);
  }
}

/** A model that looks for everything, and says what it has seen; for nobody's sake, for nothing. */
function curious(lookedAt: () => MarkedVault | null): (request: ScriptedRequest) => ScriptedTurn {
  return ({ body, tools, toolChoice, last }) => {
    const marked = lookedAt();
    if (toolChoice === "none" || tools.length === 0 || marked === null)
      return { text: "That was all." };
    if (body.includes('"role":"tool"')) return { text: `I saw this: ${last.slice(0, 2000)}` };
    const hidden = [...marked.hidden.keys()].find((path) => !/zq/u.test(path)) ?? "hr/x.md";
    const [seen = "new.md"] = marked.seen.keys();
    const looks = [
      { name: "tree", args: {} },
      { name: "search", args: { queries: ["zq", ...WORDS.slice(0, 3)], limit: 20 } },
      { name: "read", args: { paths: [`vault/${hidden}`, `vault/${seen}`] } },
    ];
    const append = { path: `vault/${seen}`, content: "The agent was here.", position: "bottom" };
    return {
      calls: tools.includes("append") ? [...looks, { name: "append", args: append }] : looks,
    };
  };
}

it.each([
  ["with a model", true],
  ["without one", false],
])("no door of a vault tells anything that its reader may not see, %s", async (_, withModel) => {
  // Null while Sam has something filed, who sees all.
  let looked: MarkedVault | null = null;
  const model = await startScriptedModel(
    "openai",
    curious(() => looked),
  );
  onTestFinished(() => model.close());
  const served = await servedTeam({
    model: withModel ? scriptedSettings(model) : null,
    rate: { perSecond: 1e6, burst: 1e6 },
  });
  let answers = 0;
  await fc.assert(
    fc.asyncProperty(planOf(CALLS), async (plan) => {
      const marked = new MarkedVault(plan);
      looked = null;
      const { seen, hidden } = marked;
      const whole = await readerOf(served, "whole", new Map([...hidden, ...seen]), plan);
      const twin = await readerOf(served, "other", seen, plan);
      looked = marked;
      model.requests.splice(0);
      const operator = { vault: whole.vault, token: TOKEN };
      const [wholeEvents, twinEvents] = [await eventsOf(whole), await eventsOf(twin)];
      const put = async (path: string, text: string, vaults: readonly Reader[]) => {
        for (const { vault } of vaults) {
          const body = { path: `vault/${path}`, content: text };
          const wrote = await http(
            { vault, token: TOKEN },
            "POST",
            "/api/tools/write?profile=update",
            body,
          );
          expect(wrote).toMatch(/^200 .*(?:"isError":false|already_exists|conflict|protected)/su);
        }
      };
      const be = async ({ vault, other }: Ruled, path: string | null, isEditing: boolean) =>
        expect(
          await http({ vault, token: other }, "POST", "/api/presence", { path, isEditing }),
        ).toMatch(/^200 /u);
      for (const [step, [door, ...numbers]] of plan.calls.entries()) {
        if (step % 20 === 13) await actOnFolder(served, marked, { whole, twin }, numbers);
        if (step % 10 === 9) {
          // Somebody else writes: what the reader sees into both vaults, the rest into one.
          const [one, two, three] = numbers;
          const [path, text] = marked.put({
            folder: ["", ...FOLDERS][one % (FOLDERS.length + 1)] ?? "",
            word: WORDS[two % WORDS.length] ?? "kiln",
            number: 100 + step,
            other: WORDS[three % WORDS.length] ?? "kiln",
            isNamed: one % 2 === 0,
          });
          const isSeen = marked.rights.mayRead(path);
          await put(path, text, isSeen ? [whole, twin] : [whole]);
          // And has it open then: where that is hidden, they are nowhere in the other vault.
          await be(whole, `vault/${path}`, two % 2 === 0);
          await be(twin, isSeen ? `vault/${path}` : null, two % 2 === 0);
        }
        const tried = doorFor(marked, door, numbers);
        const [answer, expected] = [await tried.ask(whole), await tried.ask(twin)];
        const leaks = marked.leaksIn(answer).filter((mark) => !tried.what.includes(mark));
        const { what } = tried;
        expect({ what, leaks, answer: plain(answer) }).toEqual({
          what,
          leaks: [],
          answer: plain(expected),
        });
        answers += 1;
      }
      const place = ["", ...FOLDERS].find((folder) => marked.rights.mayRead(folder)) ?? "";
      await put(`${place === "" ? "" : `${place}/`}the-end.md`, "The end.\n", [whole, twin]);
      for (const events of [wholeEvents, twinEvents])
        await expect.poll(events, { timeout: 20_000 }).toMatch(/the-end\.md|the stream was ended/u);
      const all = (name: string) => (events: () => string) => dataOf(events(), name);
      const last = (name: string) => (events: () => string) => all(name)(events).at(-1);
      expect(all("file")(wholeEvents)).toEqual(all("file")(twinEvents));
      expect(wholeEvents().endsWith(ENDED)).toBe(twinEvents().endsWith(ENDED));
      // How often something is told says something too; a stream that has ended may have missed what came with its end.
      if (!wholeEvents().endsWith(ENDED)) {
        for (const name of ["tree", "presence"])
          expect([name, all(name)(wholeEvents)]).toEqual([name, all(name)(twinEvents)]);
        // Counts are told when they have been read: of those between, there may be fewer.
        for (const name of ["index", "inbox"])
          await expect
            .poll(() => [name, last(name)(wholeEvents)], { timeout: 20_000 })
            .toEqual([name, last(name)(twinEvents)]);
      }
      expect(marked.leaksIn(wholeEvents())).toEqual([]);
      // What nobody may see or change was not changed.
      for (const [path, text] of hidden) {
        const raw = await http(
          operator,
          "GET",
          `/api/raw?path=${encodeURIComponent(`vault/${path}`)}`,
        );
        expect({ path, raw: raw.includes(text.split("\n").at(-3) ?? "") }).toEqual({
          path,
          raw: true,
        });
      }
      for (const { body } of model.requests.splice(0)) expect(marked.leaksIn(body)).toEqual([]);
    }),
    { numRuns: 3, endOnFailure: true },
  );
  expect(served.bugs).toEqual([]);
  expect(answers).toBe(3 * CALLS);
  expect(doorCount(new MarkedVault({ grants: [], notes: [] }))).toBeGreaterThan(90);
});
