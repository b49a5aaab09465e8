import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { z } from "zod";

import type { Random } from "../../src/testing/random.ts";
import { reached } from "../mcp/reached.ts";
import type { Findings } from "./findings.ts";
import { formOf, type HttpDoor, wrongWith } from "./http-door.ts";
import { anyBody, anyCall, anyNote, anyWords } from "./load.ts";
import { environmentOf, MAIN, type ServedPlace } from "./served.ts";

const run = promisify(execFile);
/** Milliseconds after which a call counts as hung. */
const HUNG = 60_000;

/** One kind of caller: `act` is called over and over, with a pause between. */
export interface Door {
  readonly name: string;
  /** Milliseconds between two acts. */
  readonly every: number;
  act(): Promise<void>;
  close?(): Promise<void>;
}

export interface DoorOptions {
  readonly place: ServedPlace;
  readonly random: Random;
  readonly findings: Findings;
  readonly http: HttpDoor;
}

/** The tools over HTTP, and what the page asks for. */
export function httpDoor({ random, findings, http }: DoorOptions): Door {
  const name = "HTTP tools and page";
  return {
    name,
    every: 120,
    act: async () => {
      const { tool, profile, args } = anyCall(random);
      const note = encodeURIComponent(`vault/${anyNote(random)}`);
      const page = ["/api/status", "/api/tree", "/api/history?limit=20", `/api/file?path=${note}`];
      const asked = random.isChance(0.75) ? null : (random.pick(page) ?? "/api/status");
      const answer =
        asked === null
          ? await http.json(`/api/tools/${tool}?profile=${profile}`, args)
          : await http.ask({ path: asked });
      const wrong = wrongWith(answer);
      if (wrong !== null) findings.add(name, `${asked ?? tool}: ${wrong}`);
    },
  };
}

/** AI clients over HTTP: each comes, calls a few times and goes, or leaves its session open as most do. */
export function mcpHttpDoor({ place, random, findings, http }: DoorOptions): Door {
  const name = "MCP over HTTP";
  return {
    name,
    every: 1500,
    act: async () => {
      if (random.isChance(0.4)) return leaveOpen(http, findings);
      const client = new Client({ name: `agent ${random.below(20)}`, version: "1.0.0" });
      const { mcp, headers } = reached(place);
      const transport = new StreamableHTTPClientTransport(mcp("update"), {
        requestInit: { headers },
      });
      await client.connect(transport);
      await callSome(client, random, 4);
      await transport.terminateSession();
      await client.close();
    },
  };
}

async function leaveOpen(http: HttpDoor, findings: Findings): Promise<void> {
  const answer = await http.ask({
    method: "POST",
    path: "/mcp/update",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "left open", version: "1" },
      },
    }),
  });
  if (answer.status !== 200) findings.add("MCP over HTTP", `initialize: ${answer.text}`);
}

async function callSome(client: Client, random: Random, most: number): Promise<void> {
  for (let left = 1 + random.below(most); left > 0; left -= 1) {
    const { tool, profile, args } = anyCall(random);
    // The profile of the other tools is another server.
    if (profile === "search" && tool === "concat") continue;
    await client.callTool({ name: tool, arguments: { ...args } }, { timeout: HUNG });
  }
}

/** An AI client with a `coffre mcp` of its own, replaced by another after some calls. */
export function mcpStdioDoor({ place, random }: DoorOptions): Door {
  let client: Client | null = null;
  let left = 0;
  const close = async (): Promise<void> => {
    await client?.close();
    client = null;
  };
  return {
    name: "MCP over stdio",
    every: 500,
    act: async () => {
      if (left <= 0) {
        await close();
        left = 40;
        client = new Client({ name: "stdio", version: "1.0.0" });
        const args = [MAIN, "mcp", "--vault", place.root, "--state", place.state];
        const env = Object.fromEntries(
          Object.entries(environmentOf(place)).flatMap(([key, value]) =>
            value === undefined ? [] : [[key, value]],
          ),
        );
        await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
      }
      left -= 1;
      if (client !== null) await callSome(client, random, 1);
    },
    close,
  };
}

/** The code is null when it was killed for taking too long. */
const Exit = z.object({ code: z.number().nullable(), stdout: z.string(), stderr: z.string() });

/** Commands, each in a process of its own. */
export function cliDoor({ place, random, findings }: DoorOptions): Door {
  const name = "command line";
  return {
    name,
    every: 4000,
    act: async () => {
      const path = `vault/${anyNote(random)}`;
      const argv = random.pick([
        ["status"],
        ["read", path],
        ["search", anyWords(random, 3)],
        ["append", path, anyWords(random), "--bottom"],
        ["log"],
        ["undo", "last"],
      ]) ?? ["status"];
      const shell = ["--vault", place.root, "--state", place.state, "--json"];
      const options = { env: environmentOf(place), timeout: HUNG };
      const outcome = await run(process.execPath, [MAIN, ...argv, ...shell], options).then(
        ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
        (error: unknown) => Exit.parse(error),
      );
      const { code, stdout, stderr } = outcome;
      if (code === null) return findings.add(name, `${argv[0]}: no answer in ${HUNG / 1000} s`);
      if (code !== 0 && code !== 1) findings.add(name, `${argv[0]} ended with ${code}: ${stderr}`);
      try {
        JSON.parse(code === 0 ? stdout : stderr);
      } catch {
        findings.add(name, `${argv[0]}, not JSON: ${(stdout + stderr).slice(0, 300)}`);
      }
    },
  };
}

/** Pages that follow the events, and one in four that never reads them. */
export function eventsDoor({ random, findings, http }: DoorOptions): Door {
  const name = "event stream";
  return {
    name,
    every: 1000,
    act: async () => {
      const answer = await http.open({ path: "/api/events" });
      // It is cut off when it is left.
      answer.on("error", () => {});
      try {
        if (random.isChance(0.25)) {
          await pause(10_000);
          return;
        }
        let text = "";
        answer.setEncoding("utf8").on("data", (data: string) => (text += data));
        const end = performance.now() + 30_000;
        while (!text.includes("event: file") && performance.now() < end) await pause(200);
        if (!text.includes("event: file")) findings.add(name, "no change was told in 30 s");
      } finally {
        answer.destroy();
      }
    },
  };
}

/** Small files, ingested into a bucket. */
export function ingestDoor({ random, findings, http }: DoorOptions): Door {
  const name = "ingest";
  return {
    name,
    every: 2500,
    act: async () => {
      const kinds: readonly (readonly [string, string])[] = [
        ["table.csv", `poste,prix\n${anyWords(random)},${random.below(100)}\n`],
        ["page.html", `<h1>${anyWords(random)}</h1><p>${anyWords(random, 40)}</p>`],
        ["mail.eml", `From: a@example.org\nSubject: ${random.below(999)}\n\n${anyBody(random)}`],
        ["note.txt", anyBody(random)],
      ];
      const [file, text] = random.pick(kinds) ?? ["note.txt", "x"];
      const sent = formOf(`${random.below(1000)}-${file}`, Buffer.from(text));
      const wrong = wrongWith(await http.ask(sent));
      if (wrong !== null) findings.add(name, `${file}: ${wrong}`);
    },
  };
}

const Accepted = z.object({ id: z.string() });
const Update = z.object({ status: z.string(), error: z.string().nullable() });

/** Notes to remember, filed without a model. */
export function updateDoor({ random, findings, http }: DoorOptions): Door {
  const name = "updates";
  return {
    name,
    every: 2500,
    act: async () => {
      const sent = await http.json("/api/update", { content: anyBody(random) });
      const wrong = wrongWith(sent);
      if (wrong !== null || sent.status !== 202)
        return findings.add(name, wrong ?? `not accepted: ${sent.text}`);
      const { id } = Accepted.parse(JSON.parse(sent.text));
      const end = performance.now() + HUNG;
      for (;;) {
        const { text } = await http.ask({ path: `/api/updates/${id}` });
        const { status, error } = Update.parse(JSON.parse(text));
        if (error !== null) return findings.add(name, `${status}: ${error}`);
        if (!["accepted", "waiting", "queued", "running"].includes(status)) return;
        if (performance.now() > end) return findings.add(name, `still ${status} after a minute`);
        await pause(200);
      }
    },
  };
}
