import { once } from "node:events";
import { readdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import type { RunEvent } from "../../agents/contract.ts";
import { pdfFile } from "../../ingest/testing/pdf-file.ts";
import { acquireOwnership } from "../../jobs/owner/owner-lock.ts";
import { agentHome, type AgentHome } from "../../testing/agent-home.ts";
import { houseFiles } from "../../testing/models/house-files.ts";
import { codeOf } from "../../testing/expected-error.ts";
import { call, houseTurn, NOTE, PIXEL, REPORT } from "../../testing/models/house-script.ts";
import type { ScriptedRequest, ScriptedTurn } from "../../testing/models/scripted-model.ts";
import { InboxItemText, RecallAnswer } from "../../agents/contract.ts";
import { connectOwner } from "../client/socket-transport.ts";
import { VaultClient } from "../client/vault-client.ts";
import { AcceptedAnswer, InboxAnswer, UpdatesAnswer } from "./agent-contract.ts";
import { createApp } from "./app.ts";
import { EventFeed } from "./event-feed.ts";
import { createHttpServer, startLocalServer } from "../http/http-server.ts";

const OVERVIEW = "Hale does the roof because he comes before the frost.";

function turn(request: ScriptedRequest): ScriptedTurn {
  if (!request.tools.includes("concat")) return houseTurn(request);
  const files = [{ path: "vault/projects/house/changelog.md" }];
  return { text: OVERVIEW, calls: [call("concat", { files })] };
}

interface Served extends AgentHome {
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>;
  readonly post: (path: string, body: unknown) => Promise<Response>;
  readonly client: VaultClient;
}

/** A service with its agents, over TCP without guards and over the local socket. */
async function served(script: Parameters<typeof agentHome>[1] = turn): Promise<Served> {
  const home = await agentHome(houseFiles, script);
  const { service, memory } = home;
  const events = new EventFeed({ service });
  onTestFinished(() => events.close());
  const onBug = (error: unknown): void => void home.bugs.push(error);
  const app = createApp({
    service,
    version: "1.2.3",
    now: () => new Date(),
    onBug,
    events,
    memory,
    ingest: service.ingest,
  });
  const { server, close } = createHttpServer(() => app);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(close);
  const { state } = service.vault;
  const ownership = acquireOwnership(state);
  const local = await startLocalServer(app, state);
  onTestFinished(async () => local.close());
  ownership?.publish({ endpoint: local.endpoint, version: "1.2.3", started: "now" });
  onTestFinished(() => ownership?.release());
  const owner = await connectOwner(state);
  if (owner === null) throw new Error("nobody answers");
  onTestFinished(() => owner.close());
  const base = `http://127.0.0.1:${portOf(server.address())}`;
  // As the page and the command line do: the word of the person.
  const ask = async (place: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set("coffre-voice", "person");
    return fetch(base + place, { ...init, headers });
  };
  return {
    ...home,
    ask,
    post: async (place, body) =>
      ask(place, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "coffre-client": "tester" },
      }),
    client: new VaultClient(owner),
  };
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === "string") throw new Error("not listening");
  return address.port;
}

function eventsIn(text: string): string[] {
  return [...text.matchAll(/^event: (.*)$/gmu)].map(([, name = ""]) => name);
}

describe("POST /api/update", () => {
  it("accepts a text at once, and its state can be followed to the end", async () => {
    const home = await served();
    const response = await home.post("/api/update", { content: NOTE });
    expect(response.status).toBe(202);
    const accepted = AcceptedAnswer.parse(await response.json());
    expect(accepted).toEqual({ id: expect.any(String), status: "accepted" });
    const followed = await home.client.follow(accepted.id, () => {});
    expect(followed).toMatchObject({
      status: "done",
      from: "tester",
      content: NOTE,
      report: { outcome: "filed", text: REPORT.text, inbox: null },
    });
    const shown = await (await home.ask(`/api/updates/${accepted.id}`)).json();
    expect(shown).toEqual(followed);
    const all = UpdatesAnswer.parse(await (await home.ask("/api/updates")).json());
    expect(all).toEqual({ updates: [followed] });
  });

  it("takes images as base64 and as data URLs, and shows how many there were", async () => {
    const home = await served(() => ({ status: 401 }));
    const images = [PIXEL, { name: "roof.png", data: `data:image/png;base64,${PIXEL}` }];
    const response = await home.post("/api/update", { images });
    const { id } = AcceptedAnswer.parse(await response.json());
    const { images: count, report } = await home.client.follow(id, () => {});
    expect(count).toBe(2);
    expect((await home.client.inboxItem(report?.inbox ?? "")).originals).toHaveLength(2);
  });

  it("takes a form with files: note and documents are one update, one batch in the history", async () => {
    const seen: string[] = [];
    const home = await served((request) => {
      seen.push(request.body);
      return turn(request);
    });
    const form = new FormData();
    form.set("content", NOTE);
    form.append("file", new File([new Uint8Array(pdfFile([["Cent euros"]]))], "devis.pdf"));
    form.append("file", new File([Uint8Array.of(1, 2, 3)], "quote.xyz"));
    form.set("trust", "true");
    const response = await home.ask("/api/update", { method: "POST", body: form });
    expect(response.status).toBe(202);
    const accepted = AcceptedAnswer.parse(await response.json());
    expect(accepted).toMatchObject({
      status: "accepted",
      failures: [{ name: "quote.xyz", code: "not_text" }],
    });
    const { content, status, report } = await home.client.follow(accepted.id, () => {});
    expect(status).toBe("done");
    expect(content).toContain(`${NOTE}\n\n## devis.pdf\n\n<!-- page 1 -->\n\nCent euros`);
    expect(seen[0]).toContain("Cent euros");
    expect(seen[0]).toContain("devis.pdf");
    const { vault } = home.service;
    const entries = await vault.log({ path: null, limit: 20 });
    // Beside the first stamps of what was there before.
    const changes = entries.filter((entry) => entry.call !== "frontmatter");
    expect(new Set(changes.map(({ batch }) => batch))).toEqual(new Set([report?.batch]));
    expect(readdirSync(path.join(vault.state, "ingest"))).toEqual([]);
  });

  it("keeps files for the inbox when they come alone, and answers an item with a form", async () => {
    const home = await served(() => ({ status: 401 }));
    const form = new FormData();
    form.append("file", new File([new Uint8Array(pdfFile([["Deux pots"]]))], "devis.pdf"));
    form.append("file", new File([Buffer.from(PIXEL, "base64")], "roof.png"));
    const response = await home.ask("/api/update", { method: "POST", body: form });
    const { id } = AcceptedAnswer.parse(await response.json());
    const { images, report } = await home.client.follow(id, () => {});
    expect(images).toBe(1);
    const ref = report?.inbox ?? "";
    expect(ref).toContain("devis-pdf");
    expect(home.read(`inbox/${ref}/original.md`)).toContain("Deux pots");
    expect(home.read(`inbox/${ref}/roof.png`)).toContain("PNG");
    const answer = new FormData();
    answer.set("content", "boat");
    answer.set("inbox_ref", ref);
    const answered = await home.ask("/api/update", { method: "POST", body: answer });
    const { id: second } = AcceptedAnswer.parse(await answered.json());
    expect(await home.client.follow(second, () => {})).toMatchObject({ inbox_ref: ref });
  });

  it.each([
    [{ trust: "perhaps" }, {}, 400, "trust"],
    [{ surprise: "x" }, {}, 400, "surprise"],
    [{}, {}, 400, "nothing to remember"],
    [{ inbox_ref: "nobody", content: "x" }, {}, 404, "nobody"],
    [{}, { "a.bin": Uint8Array.of(1, 2, 3) }, 422, "a.bin"],
  ])("refuses the form %j with files %j: %i", async (fields, files, status, why) => {
    const home = await served();
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    for (const [name, bytes] of Object.entries(files)) form.append("file", new File([bytes], name));
    const response = await home.ask("/api/update", { method: "POST", body: form });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining(why) });
    expect(home.bugs).toEqual([]);
  });

  it.each([
    [{}, 400],
    [{ content: "" }, 400],
    [{ content: 7 }, 400],
    [{ content: "x", surprise: true }, 400],
    [{ content: "x", inbox_ref: "nobody" }, 404],
    [{ content: "x", images: ["bm8gaW1hZ2UgYXQgYWxsLCBub25l"] }, 422],
  ])("refuses %j with %i", async (body, status) => {
    const home = await served();
    const response = await home.post("/api/update", body);
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(home.bugs).toEqual([]);
  });

  it("answers an inbox item", async () => {
    const home = await served(() => ({ status: 401 }));
    const parked = await home.remember("Two tins of varnish");
    const { items } = InboxAnswer.parse(await (await home.ask("/api/inbox")).json());
    expect(items).toHaveLength(1);
    const ref = parked.report?.inbox ?? "";
    const item = InboxItemText.parse(await (await home.ask(`/api/inbox/${ref}`)).json());
    expect(item.review).toContain("## Question");
    expect(await home.client.inbox()).toEqual(items);
    const failed = await home.remember("boat", { inboxRef: ref });
    // The model that should file it is not there: the item stays where it is.
    expect(failed).toMatchObject({ status: "failed", error: expect.stringContaining("401") });
    expect((await home.ask("/api/inbox/nobody")).status).toBe(404);
  });
});

describe("cancel and retry", () => {
  it("cancels an update that runs, and tries it again", async () => {
    const begun = Promise.withResolvers<void>();
    let isStuck = true;
    const home = await served((request) => {
      begun.resolve();
      return isStuck ? { until: new Promise(() => {}) } : turn(request);
    });
    const response = await home.post("/api/update", { content: NOTE });
    const { id } = AcceptedAnswer.parse(await response.json());
    await begun.promise;
    const cancelled = await (await home.post(`/api/updates/${id}/cancel`, {})).json();
    expect(cancelled).toMatchObject({ id, status: "cancelled" });
    expect((await home.post(`/api/updates/${id}/cancel`, {})).status).toBe(409);
    isStuck = false;
    const waiting = await (await home.post(`/api/updates/${id}/retry`, {})).json();
    expect(waiting).toMatchObject({ status: "waiting" });
    expect((await home.client.follow(id, () => {})).status).toBe("done");
    expect((await home.post("/api/updates/nobody/retry", {})).status).toBe(404);
  });
});

describe("POST /api/search", () => {
  it("answers with the overview, the sources, and both", async () => {
    const home = await served();
    const answer = await (await home.post("/api/search", { question: "Who does it?" })).json();
    expect(answer).toMatchObject({
      overview: OVERVIEW,
      sources: [{ path: "vault/projects/house/changelog.md", lines: expect.any(String) }],
      passages: [{ path: "vault/projects/house/changelog.md", lines: expect.any(String) }],
      answer: expect.stringMatching(
        /^Hale[^\n]*\n\n\[1\] vault\/\S+ · sha256:\w{64}\n[^\n]*\n\n---\n\n```vault/u,
      ),
    });
    const { passages } = RecallAnswer.parse(answer);
    const numbered = passages.flatMap(({ text_lines }) =>
      text_lines.map(({ number, text }) => `${number} |${text === "" ? "" : ` ${text}`}`),
    );
    // Numbers are as wide as the last of them, and frontmatter may have come before it meanwhile.
    const shown = RecallAnswer.parse(answer).answer.replaceAll(/^(\d+) +\|/gmu, "$1 |");
    expect(shown).toContain(`\n${numbered.join("\n")}\n\`\`\``);
  });

  it("streams what the agent does, when asked to", async () => {
    const home = await served();
    const response = await home.ask("/api/search", {
      method: "POST",
      body: JSON.stringify({ question: "Who does it?" }),
      headers: { accept: "text/event-stream" },
    });
    const text = await response.text();
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const names = eventsIn(text);
    expect([...new Set(names)]).toEqual(["text", "call", "result", "done", "answer"]);
  });

  it("gives another process the same events and answer", async () => {
    const home = await served();
    const events: RunEvent[] = [];
    const answer = await home.client.recall("Who does it?", (event) => events.push(event));
    expect(answer.overview).toBe(OVERVIEW);
    expect(events.at(-1)).toMatchObject({ type: "done", steps: 1 });
    expect(await codeOf(() => home.client.recall("?", () => {}))).toBe("invalid_argument");
  });

  it("ends the search when whoever asked goes away", async () => {
    const begun = Promise.withResolvers<void>();
    const home = await served(() => {
      begun.resolve();
      return { until: new Promise(() => {}) };
    });
    const abort = new AbortController();
    const asking = home.ask("/api/search", {
      method: "POST",
      body: JSON.stringify({ question: "Who does it?" }),
      signal: abort.signal,
    });
    await begun.promise;
    abort.abort();
    await expect(asking).rejects.toThrow("aborted");
    expect(home.bugs).toEqual([]);
  });
});

describe("a preview over HTTP", () => {
  it("shows its changes file by file, and is accepted or rejected", async () => {
    const { post, ask, client, read } = await served();
    const { id } = AcceptedAnswer.parse(
      await (await post("/api/update", { content: NOTE, preview: true })).json(),
    );
    const update = await client.follow(id, () => {});
    expect(update.status).toBe("preview");
    expect(update.changes?.map(({ kind, path: file }) => `${kind} ${file}`)).toEqual([
      "modify vault/overview.md",
      "modify vault/projects/house/changelog.md",
      "modify vault/projects/house/state.md",
      "modify vault/projects/house/tasks.md",
    ]);
    expect(JSON.stringify(update.changes)).toContain("+Starts on 2026-11-20");
    expect(read("projects/house/state.md")).toContain("Start not known");
    expect((await post(`/api/updates/${id}/accept`, {})).status).toBe(200);
    expect(read("projects/house/state.md")).toContain("Starts on 2026-11-20");
    expect((await post(`/api/updates/${id}/reject`, {})).status).toBe(409);
    expect((await ask(`/api/updates/${id}`)).status).toBe(200);
  });
});

describe("what others hear", () => {
  it("tells of updates and of the inbox on the event stream, with their counts", async () => {
    const home = await served(() => ({ status: 401 }));
    const abort = new AbortController();
    onTestFinished(() => abort.abort());
    const response = await home.ask("/api/events", { signal: abort.signal });
    let heard = "";
    const reading = (async (): Promise<void> => {
      for await (const chunk of response.body ?? []) heard += Buffer.from(chunk).toString();
    })().catch(() => {});
    const { id } = await home.remember("Two tins of varnish");
    await home.service.settled();
    await vi.waitFor(() => expect(heard).toContain("event: inbox"), { timeout: 30_000 });
    const told = [...heard.matchAll(/event: update\ndata: (.*)\n/gu)].map(([, data = ""]) =>
      JSON.parse(data),
    );
    expect(told).toEqual([
      { id, status: "waiting", queue: { waiting: 1, running: 0 } },
      { id, status: "running", queue: { waiting: 0, running: 1 } },
      { id, status: "parked", queue: { waiting: 0, running: 0 } },
    ]);
    expect(heard).toContain('event: inbox\ndata: {"count":1}\n');
    abort.abort();
    await reading;
  });

  it("tells the model, the inbox and the queue in the status", async () => {
    const home = await served(() => ({ status: 401 }));
    await home.remember("Two tins of varnish");
    const status = await (await home.ask("/api/status")).json();
    expect(status).toMatchObject({
      model: { name: "openai-compatible/scripted", problem: null },
      inbox: 1,
      queue: { waiting: 0, running: 0 },
    });
  });
});
