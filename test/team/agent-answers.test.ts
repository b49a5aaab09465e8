import { mkdirSync, readFileSync, utimesSync } from "node:fs";
import path from "node:path";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it, onTestFinished } from "vitest";

import { createService } from "../../src/compose.ts";
import { docxFile } from "../../src/ingest/testing/office-files.ts";
import { createApp } from "../../src/server/api/app.ts";
import { EventFeed } from "../../src/server/api/event-feed.ts";
import { createMcpServers, type McpHttp } from "../../src/server/mcp/mcp-http.ts";
import { houseFiles } from "../../src/testing/models/house-files.ts";
import { call, houseTurn, NOTE, PIXEL, UNSURE } from "../../src/testing/models/house-script.ts";
import {
  scriptedSettings,
  startScriptedModel,
  type ScriptedRequest,
  type ScriptedTurn,
} from "../../src/testing/models/scripted-model.ts";
import { temporaryFolder, writeFiles, type Files } from "../../src/testing/temporary-vault.ts";
import { emptyDatabase } from "./team-database.ts";
import { furnish, indexed, openReplica, stamping } from "./team-home.ts";

const now = (): Date => new Date("2026-11-16T10:00:00");
const QUESTION = "Why did we choose Hale?";
const VARNISH = "Two tins of varnish";
const OVERVIEW = "You chose Hale because he starts before the frost [1].";

/** What a model does with the notes and the question of this test; the same on both sides, whatever order they come in. */
function turn(request: ScriptedRequest): ScriptedTurn {
  const { last, body } = request;
  const isFirst = last.includes("Today is ");
  if (body.includes(QUESTION))
    return isFirst
      ? { calls: [call("search", { queries: ["why Hale"] })] }
      : {
          text: OVERVIEW,
          calls: [
            call("concat", {
              files: [{ path: "vault/projects/house/changelog.md", lines: "1-4" }],
            }),
          ],
        };
  if (body.includes(VARNISH)) return isFirst ? UNSURE : { text: "Is it for the boat?" };
  return houseTurn(request);
}

/** One of the two services. */
interface Side {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Resolves when nothing is left to be done. */
  readonly settled: () => Promise<void>;
}

async function model() {
  const scripted = await startScriptedModel("openai", turn);
  onTestFinished(() => scripted.close());
  return scriptedSettings(scripted, "openai");
}

/** Whether notes are given frontmatter. With `all`, a folder also has a file `tree.md`, which a database makes when it is read. */
type Stamps = "none" | "own";

/** The files that both begin with: with frontmatter as the background job of a folder writes it, where notes have it. */
async function furniture(frontmatter: Stamps): Promise<Files> {
  if (frontmatter === "none") return houseFiles;
  const folder = temporaryFolder();
  const [root, state] = [path.join(folder, "house"), path.join(folder, "state")];
  write(root, houseFiles);
  const service = await createService({ root, state, isWatching: false, now, frontmatter: "all" });
  await service.settled();
  await service.close();
  const names = Object.keys(houseFiles);
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(root, name))]));
}

function write(root: string, files: Files): void {
  mkdirSync(root);
  writeFiles(root, files);
  for (const name of Object.keys(files)) utimesSync(path.join(root, name), now(), now());
}

async function disk(frontmatter: Stamps): Promise<Side> {
  const folder = temporaryFolder();
  const [root, state] = [path.join(folder, "house"), path.join(folder, "state")];
  write(root, await furniture(frontmatter));
  const bugs: unknown[] = [];
  const onBug = (error: unknown): void => void bugs.push(error);
  const service = await createService({
    root,
    state,
    isWatching: false,
    now,
    frontmatter,
    memory: { model: await model(), onBug },
  });
  onTestFinished(async () => {
    await service.close();
    expect(bugs).toEqual([]);
  });
  await service.rescan();
  await service.settled();
  const events = new EventFeed({ service });
  onTestFinished(() => events.close());
  const served = { service, version: "test", now, onBug, memory: service.memory };
  const mcp = new Map<string, McpHttp>();
  const app = createApp({ ...served, events, mcp, ingest: service.ingest });
  for (const [name, server] of createMcpServers(app, served)) {
    mcp.set(name, server);
    onTestFinished(async () => server.close());
  }
  return {
    fetch: async (request) => app.fetch(request),
    settled: async () => {
      await service.settled();
    },
  };
}

async function team(frontmatter: Stamps): Promise<Side> {
  const url = await emptyDatabase();
  await furnish(url, await furniture(frontmatter), now().getTime());
  await stamping(url, frontmatter);
  const home = await openReplica(url, { now, model: await model() });
  await indexed(url);
  onTestFinished(() => expect(home.bugs).toEqual([]));
  return { fetch: home.fetch, settled: async () => {} };
}

/** Without what no two services share: ids, times, versions, addresses of a model. */
function same(text: string): string {
  return text
    .replaceAll(/"(history|id|batch|undoes|undoneBy|undone_by)":"[\w-]+"/gu, '"$1":"ID"')
    .replaceAll(/\b[a-z0-9]{12}(?:-\d|-yes)?\b/gu, "ID")
    .replaceAll(/"(version|signature)":"[^"]*"/gu, '"$1":"V"')
    .replaceAll(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+Z)?)?/gu, "TIME")
    .replaceAll(/127\.0\.0\.1:\d+/gu, "MODEL")
    .replaceAll(/"(created|started|ended|modified|ms)":\d+(?:\.\d+)?/gu, '"$1":0');
}

const JSON_TYPE = { "content-type": "application/json", "coffre-client": "test" };

async function ask(side: Side, where: string, body?: unknown): Promise<string> {
  const isForm = body instanceof FormData;
  const init: RequestInit =
    body === undefined
      ? {}
      : {
          method: "POST",
          ...(isForm ? { body } : { headers: JSON_TYPE, body: JSON.stringify(body) }),
        };
  const answer = await side.fetch(new Request(`http://x${where}`, init));
  const text = await answer.text();
  await side.settled();
  return `${answer.status} ${text}`;
}

/** Sends a note and waits until it is filed; its status with its report. */
async function remember(side: Side, input: object): Promise<{ id: string; told: string }> {
  const accepted = await ask(side, "/api/update", input);
  const [, id = ""] = /"id":"([^"]+)"/u.exec(accepted) ?? [];
  for (;;) {
    const told = await ask(side, `/api/updates/${id}`);
    if (!/"status":"(?:waiting|running)"/u.test(told)) return { id, told };
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}

function filesToFile(): FormData {
  const form = new FormData();
  form.set("to", "vault/projects/boat/");
  for (const [name, content] of Object.entries({
    "hull.docx": docxFile(),
    "table.csv": "what,when\nvarnish,May\n",
    "letter.html": "<h1>Letter</h1><p>The <b>hull</b> is dry.</p>",
    "unknown.bin": Buffer.from([1, 2, 3]),
  }))
    form.append("file", new File([Buffer.from(content)], name));
  return form;
}

const LOOKS = [
  "/api/updates",
  "/api/inbox",
  "/api/history?limit=50",
  "/api/tree",
  "/api/files?limit=100",
  "/api/tags",
  "/api/links/dead",
  "/api/raw?path=vault/projects/house/state.md",
  "/api/raw?path=vault/projects/house/changelog.md",
  "/api/raw?path=vault/overview.md",
];

async function answers(side: Side): Promise<string[]> {
  const told: string[] = [];
  const tell = (what: string, text: string): void => void told.push(`${what}: ${same(text)}`);
  const looks = async (when: string): Promise<void> => {
    for (const look of LOOKS) tell(`${when} ${look}`, await ask(side, look));
  };
  await looks("before");
  const said = { content: NOTE, said_by_person: true };
  const filed = await remember(side, said);
  tell("a note that is filed", filed.told);
  tell("the note is undone", await ask(side, "/api/undo", { id: `${filed.id}-1` }));
  tell("a question", await ask(side, "/api/search", { question: QUESTION }));
  const varnish = { content: VARNISH, images: [{ name: "tin.png", data: PIXEL }] };
  tell("a note that is not clear", (await remember(side, varnish)).told);
  tell("the item", await ask(side, "/api/inbox/2026-11-16-varnish"));
  await looks("filed");
  const shown = await remember(side, { ...said, preview: true });
  tell("a note that is shown first", shown.told);
  tell("a yes", await ask(side, `/api/updates/${shown.id}/accept`, {}));
  tell("a second yes", await ask(side, `/api/updates/${shown.id}/accept`, {}));
  tell("files are taken in", await ask(side, "/api/ingest", filesToFile()));
  tell(
    "a note of a file",
    await ask(side, "/api/tools/search?profile=search", { queries: ["hull is dry"] }),
  );
  await looks("afterwards");
  return told;
}

it.each<Stamps>(["none", "own"])(
  "agents, undo, previews and ingest answer the same from a folder and from a database, byte for byte, with frontmatter for %s",
  async (stamps) => {
    const told = await answers(await team(stamps));
    expect(told).toEqual(await answers(await disk(stamps)));
    // What was asked is what is answered, and not the same refusal twice.
    for (const begin of [
      /^a note that is filed: 200 .*"outcome":"filed"/u,
      /^a question: 200 .*frost \[1\]/u,
    ])
      expect(told).toContainEqual(expect.stringMatching(begin));
    for (const begin of [
      /^the note is undone: 200/u,
      /^a note that is shown first: 200 .*"preview"/u,
    ])
      expect(told).toContainEqual(expect.stringMatching(begin));
    expect(told).toContainEqual(expect.stringMatching(/^a yes: 200 .*"done"/u));
  },
);

/** Everything that a client of each profile can ask. */
async function overMcp(side: Side): Promise<string[]> {
  const told: string[] = [];
  const connect = async (profile: string): Promise<Client> => {
    const client = new Client({ name: "tester", version: "1.0.0" });
    const transport = new StreamableHTTPClientTransport(new URL(`http://x/mcp/${profile}`), {
      fetch: async (input, init) => {
        const answer = await side.fetch(new Request(input, init));
        await side.settled();
        return answer;
      },
    });
    await client.connect(transport);
    onTestFinished(async () => client.close());
    return client;
  };
  const tell = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const answer = await work().catch((error: unknown) => String(error));
    // An answer that is streamed has only begun when its request returns.
    await side.settled();
    told.push(`${what}: ${same(JSON.stringify(answer) ?? "")}`);
  };
  for (const profile of ["search", "update", "memory"]) {
    const client = await connect(profile);
    const named = (what: string): string => `${profile}: ${what}`;
    await tell(named("server"), async () => [
      client.getServerCapabilities(),
      client.getInstructions(),
    ]);
    await tell(named("tools"), async () => client.listTools());
    await tell(named("resources"), async () => client.listResources());
    await tell(named("templates"), async () => client.listResourceTemplates());
    await tell(named("a note"), async () =>
      client.readResource({ uri: "vault:///projects/house/state.md" }),
    );
    await tell(named("nothing"), async () => client.readResource({ uri: "vault:///none.md" }));
    await tell(named("prompts"), async () => client.listPrompts());
  }
  const update = await connect("update");
  const calls: readonly (readonly [name: string, args: Record<string, unknown>])[] = [
    ["tree", { path: "vault/" }],
    ["search", { queries: ["roof", "who is Maud"] }],
    ["edit", { path: "vault/profile.md", old_content: "carpenter", new_content: "joiner" }],
    ["read", { paths: ["vault/profile.md", "vault/projects/house/"] }],
    ["edit", { path: "vault/profile.md", old_content: "carpenter", new_content: "joiner" }],
    ["append", { path: "vault/projects/boat/tasks.md", content: "# Sand", position: "bottom" }],
    ["write", { path: "vault/projects/boat/state.md", content: "unread" }],
    ["move", { from: "vault/projects/boat", to: "vault/projects/dinghy" }],
    ["delete", { path: "vault/projects/dinghy/changelog.md" }],
    ["tree", { path: "vault/projects" }],
  ];
  for (const [name, args] of calls)
    await tell(`update: ${name} ${JSON.stringify(args)}`, async () =>
      update.callTool({ name, arguments: args }),
    );
  const memory = await connect("memory");
  const asked: readonly (readonly [name: string, args: Record<string, unknown>])[] = [
    ["remember", { content: NOTE, said_by_person: true, wait: true }],
    ["recall", { question: QUESTION }],
    ["inbox", {}],
  ];
  for (const [name, args] of asked)
    await tell(`memory: ${name}`, async () => memory.callTool({ name, arguments: args }));
  told.push(same(await ask(side, "/api/history?limit=50")), same(await ask(side, "/api/tree")));
  return told;
}

it.each<Stamps>(["none", "own"])(
  "MCP clients of each profile are answered the same from a folder and from a database, byte for byte, with frontmatter for %s",
  async (stamps) => {
    expect(await overMcp(await team(stamps))).toEqual(await overMcp(await disk(stamps)));
  },
);
