/**
 * How many source files are on the way of five usual acts: `npm run bench -- walks [--checkout DIR] [--list]`. Counted by V8's coverage in the
 * processes that users run: files of which at least one function was called, when the act is done for the second time.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";

import { z } from "zod";

import { pdfFile } from "../src/ingest/testing/pdf-file.ts";
import { CleanUp } from "./clean-up.ts";
import { startMcp, type McpSession } from "./mcp-session.ts";
import { optionsOf, report } from "./measure.ts";
import { startServer } from "./server-process.ts";
import { startEmbeddings, startModel } from "./walk-models.ts";
import { recordWalk } from "./walk-record.ts";

const { values } = parseArgs({
  args: optionsOf(process.argv.slice(2)),
  options: { checkout: { type: "string" }, list: { type: "boolean", default: false } },
});
const CHECKOUT = path.resolve(values.checkout ?? path.join(import.meta.dirname, ".."));
const MAIN = path.join(CHECKOUT, "src", "cli", "main.ts");
const TOKEN = "a-token-for-the-walks-0123456789abcdef";
const NOTE = "projects/house/state.md";
/** The nine tools, what these call, and what follows after a change. */
const TOOLS = ["tools", "vault", "index", "jobs", "storage", "text"];

/** By then a saved file is indexed and has its frontmatter, also on a busy machine. */
const SAVE_PROCESSED_MS = 2500;

const Ready = z.object({ address: z.string() });
const Accepted = z.object({ id: z.string() });
const Update = z.object({ status: z.string() });

interface Act {
  readonly what: string;
  readonly goal: number;
  /** Rooms that are not counted. */
  readonly without: readonly string[];
  /** Done before each time, uncounted. */
  readonly prepare?: () => Promise<unknown>;
  readonly run: () => Promise<void>;
  /** Done when it was counted. */
  readonly end?: () => Promise<void>;
  readonly countsReads?: boolean;
}

/** A vault, and the processes that serve it. */
interface Home {
  readonly note: string;
  readonly records: string;
  readonly place: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly mcp: McpSession;
  readonly post: (route: string, body: unknown) => Promise<Response>;
  readonly get: (route: string) => Promise<Response>;
}

/** @param hasEmbeddings with an embedding server, as `deep` search by meaning needs it */
async function openHome(cleanUp: CleanUp, hasEmbeddings: boolean): Promise<Home> {
  const folder = mkdtempSync(path.join(tmpdir(), "coffre-walks-"));
  cleanUp.add(() => rmSync(folder, { recursive: true, force: true }));
  const [root, records] = [path.join(folder, "vault"), path.join(folder, "records")];
  const house = path.join(root, path.dirname(NOTE));
  mkdirSync(records);
  mkdirSync(house, { recursive: true });
  const note = path.join(root, NOTE);
  writeFileSync(note, "# House\n\nThe roof leaks.\n\n## Status\n\nWaiting for Hale.\n");
  writeFileSync(path.join(house, "changelog.md"), "# 2026-11-01\n\n## Begun\nToday.\n");
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    NODE_OPTIONS: `--import ${new URL("walk-recorder.ts", import.meta.url).href}`,
    WALK_FOLDER: records,
    WALK_FILE: path.basename(NOTE),
    COFFRE_MODEL: "openai-compatible/scripted",
    COFFRE_BASE_URL: await startModel(cleanUp),
    ...(hasEmbeddings
      ? { COFFRE_EMBED_URL: await startEmbeddings(cleanUp), COFFRE_EMBED_MODEL: "walks" }
      : {}),
  };
  const place = ["--vault", root, "--state", path.join(folder, "state")];
  const argv = [MAIN, "serve", "--json", "--port", "0", "--token", TOKEN, ...place];
  const serving = await startServer(argv, environment);
  cleanUp.add(serving.stop);
  const { address } = Ready.parse(serving.ready);
  const authorization = `Bearer ${TOKEN}`;
  const mcp = await startMcp({ args: [MAIN, "mcp", ...place], environment });
  cleanUp.add(async () => mcp.close());
  return {
    note,
    records,
    place,
    environment,
    mcp,
    get: async (route) => fetch(new URL(route, address), { headers: { authorization } }),
    post: async (route, body) => {
      const isForm = body instanceof FormData;
      return fetch(new URL(route, address), {
        method: "POST",
        headers: { authorization, ...(isForm ? {} : { "content-type": "application/json" }) },
        body: isForm ? body : JSON.stringify(body),
      });
    },
  };
}

function actsOf(home: Home): Act[] {
  const { note, mcp } = home;
  let turn = 0;
  return [
    {
      what: "MCP edit through the owner",
      goal: 30,
      without: ["jobs", "index"],
      prepare: async () => mcp.call({ name: "read", arguments: { paths: [`vault/${NOTE}`] } }),
      run: async () => {
        const [before, after] = turn % 2 === 0 ? ["Hale", "Brand"] : ["Brand", "Hale"];
        turn += 1;
        const texts = { old_content: `for ${before}`, new_content: `for ${after}` };
        await mcp.call({ name: "edit", arguments: { path: `vault/${NOTE}`, ...texts } });
      },
      // From here on its subscription would be on the way of every change.
      end: async () => mcp.close(),
    },
    {
      what: "an editor saves",
      goal: 30,
      without: ["server", "tools"],
      countsReads: true,
      run: async () => {
        writeFileSync(note, `${readFileSync(note, "utf8")}word${(turn += 1)}\n`);
        // Not a search, which reads the file too.
        await pause(SAVE_PROCESSED_MS);
      },
    },
    {
      what: "remember with a model",
      goal: 35,
      without: TOOLS,
      run: async () => {
        const text = `Hale comes on day ${(turn += 1)}`;
        const argv = [MAIN, "remember", text, "--wait", ...home.place];
        await promisify(execFile)(process.execPath, argv, { env: home.environment });
      },
    },
    {
      what: "a PDF on the page",
      goal: 40,
      without: TOOLS,
      run: async () => sendPdf(home, `Cent euros ${(turn += 1)}`),
    },
  ];
}

function deepSearch({ post }: Home): Act {
  return {
    what: "deep search",
    goal: 20,
    without: ["server"],
    run: async () => {
      const query = { queries: ["who repairs the roof"], mode: "deep" };
      await (await post("/api/tools/search", query)).text();
    },
  };
}

async function sendPdf(home: Home, line: string): Promise<void> {
  const content = "The quote of Hale";
  const form = new FormData();
  form.set("content", content);
  form.append("file", new File([new Uint8Array(pdfFile([[line]]))], "devis.pdf"));
  const together = await home.post("/api/update", form);
  if (together.ok) return untilEnded(home, together);
  // Release 0.1.0 took no files with an update: the page sent both apart.
  await (await home.post("/api/ingest", form)).text();
  return untilEnded(home, await home.post("/api/update", { content }));
}

async function untilEnded(home: Home, accepted: Response): Promise<void> {
  const { id } = Accepted.parse(await accepted.json());
  for (;;) {
    const answer = await home.get(`/api/updates/${id}`);
    const { status } = Update.parse(await answer.json());
    if (status === "done" || status === "parked") return;
    if (status !== "waiting" && status !== "running") throw new Error(`the update is ${status}`);
    await pause(100);
  }
}

async function count(act: Act, records: string): Promise<void> {
  const { what, goal, without, prepare, run, end } = act;
  await prepare?.();
  await run();
  await pause(1000);
  await prepare?.();
  await pause(1000);
  const { files, reads } = await recordWalk(records, run);
  await end?.();
  const isCounted = (file: string): boolean => !without.some((room) => file.startsWith(`${room}/`));
  const counted = files.filter(isCounted).length;
  const figure = `${counted} modules (of ${files.length} in all rooms)`;
  report(what, figure, `at most ${goal}`, counted <= goal);
  if (act.countsReads === true)
    report("  reads of the saved file", `${reads}`, "at most 2", reads <= 2);
  if (!values.list) return;
  for (const file of files) console.log(`    ${isCounted(file) ? " " : "-"} ${file}`);
}

const cleanUp = new CleanUp();
try {
  const home = await openHome(cleanUp, false);
  for (const act of actsOf(home)) await count(act, home.records);
  const deep = await openHome(cleanUp, true);
  await count(deepSearch(deep), deep.records);
} finally {
  await cleanUp.run();
}
