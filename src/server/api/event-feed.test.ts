import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { home, start } from "../../testing/service-home.ts";
import { parsePath, type VaultPath } from "../../vault/paths.ts";
import { startPage, TOKEN, type TestPage } from "../testing/page.ts";
import { EventFeed } from "./event-feed.ts";

/** 0.7 MB of names. */
const LONG_NAMES = Array.from({ length: 900 }, (_, at) => `${"long".repeat(200)}${at}.md`);
const PATIENTLY = { interval: 2, timeout: 30_000 };

interface Listening {
  readonly response: IncomingMessage;
  /** What came so far. */
  readonly heard: () => string;
  /** Resolves when `text` has come. */
  readonly hears: (text: string) => Promise<void>;
  readonly hangUp: () => Promise<void>;
}

async function listen(page: TestPage, lastSeen?: string): Promise<Listening> {
  const asking = request({
    host: "127.0.0.1",
    port: page.server.address.port,
    path: "/api/events",
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(lastSeen === undefined ? {} : { "last-event-id": lastSeen }),
    },
  });
  onTestFinished(() => void asking.destroy());
  asking.on("error", () => {}).end();
  const [response] = await once(asking, "response");
  let heard = "";
  response.setEncoding("utf8").on("error", () => {});
  response.on("data", (text: string) => (heard += text));
  const before = page.events.listeners;
  return {
    response,
    heard: () => heard,
    hears: async (text) => vi.waitFor(() => expect(heard).toContain(text), PATIENTLY),
    hangUp: async () => {
      asking.destroy();
      await vi.waitFor(() => expect(page.events.listeners).toBe(before - 1), PATIENTLY);
    },
  };
}

const file = (name: string): VaultPath => parsePath(name).path;

function change(page: TestPage, ...names: string[]): void {
  page.report({ changed: names.map((name) => file(name)), created: [], gone: [] });
}

/** The events in a stream's text, without those that come with every change. */
function filesIn(text: string): string[] {
  return [...text.matchAll(/event: file\ndata: (.*)\n/gu)].map(([, data = ""]) => data);
}

function lastIdIn(text: string): string {
  return [...text.matchAll(/^id: (.*)$/gmu)].at(-1)?.[1] ?? "";
}

describe("GET /api/events", () => {
  it("tells which files changed and which are gone, and that tree and index differ", async () => {
    const page = await startPage();
    const one = await listen(page);
    expect(one.response.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store",
    });
    page.report({ changed: [file("a.md")], created: [file("a.md")], gone: [file("d/b.md")] });
    await one.hears("event: index");
    expect(one.heard()).toMatch(
      /event: file\ndata: \{"changed":\["vault\/a\.md"\],"created":\["vault\/a\.md"\],"gone":\["vault\/d\/b\.md"\]\}\n\nid: \S+\nevent: tree\ndata: \{\}\n\nid: \S+\nevent: index\ndata: \{"files":\d+,"chunks":\d+,"pending":0\}\n\n$/u,
    );
  });

  it("goes on, for a client that comes back, where it left off", async () => {
    const page = await startPage();
    const one = await listen(page);
    change(page, "a.md");
    await one.hears("event: index");
    await one.hangUp();
    change(page, "b.md");
    change(page, "c.md");
    const again = await listen(page, lastIdIn(one.heard()));
    change(page, "d.md");
    await again.hears("d.md");
    expect(filesIn(again.heard()).map((data) => /\w\.md/u.exec(data)?.[0])).toEqual([
      "b.md",
      "c.md",
      "d.md",
    ]);
    expect(again.heard()).not.toContain("resync");
  });

  it("goes on from the start for a client that heard nothing but where it was", async () => {
    const page = await startPage();
    const one = await listen(page);
    await one.hears("id: ");
    await one.hangUp();
    change(page, "a.md");
    const again = await listen(page, lastIdIn(one.heard()));
    await again.hears("a.md");
    expect(again.heard()).not.toContain("resync");
  });

  it("says to look at everything again when a thousand events were missed, and not before", async () => {
    const page = await startPage();
    const one = await listen(page);
    change(page, "a.md");
    await one.hears("event: index");
    const id = lastIdIn(one.heard());
    await one.hangUp();
    // Each gives three events.
    for (let round = 0; round < 333; round += 1) change(page, `${round}.md`);
    const justNot = await listen(page, id);
    await justNot.hears("vault/332.md");
    expect(filesIn(justNot.heard())).toHaveLength(333);
    expect(justNot.heard()).not.toContain("resync");
    change(page, "one-more.md");
    const late = await listen(page, id);
    await late.hears("event: resync");
    expect(filesIn(late.heard())).toEqual([]);
    change(page, "after.md");
    await late.hears("after.md");
  });

  it.each(["0123456789ab-3", "nonsense", "-", "9", "EPOCH-99999", "EPOCH-x", "EPOCH--1"])(
    "says to look at everything again after %s, which it never gave",
    async (given) => {
      const page = await startPage();
      const one = await listen(page);
      await one.hears("id: ");
      const epoch = lastIdIn(one.heard()).split("-")[0] ?? "";
      const again = await listen(page, given.replace("EPOCH", epoch));
      await again.hears("event: resync");
      expect(filesIn(again.heard())).toEqual([]);
    },
  );

  it("says to look at everything again when more than can be named is to be", async () => {
    const page = await startPage();
    const one = await listen(page);
    page.report({ changed: [], created: [], gone: [], isAll: true });
    await one.hears("event: resync");
    expect(filesIn(one.heard())).toEqual([]);
  });

  it("names no more than a thousand files at once", async () => {
    const page = await startPage();
    const one = await listen(page);
    change(page, ...Array.from({ length: 1001 }, (_, at) => `${at}.md`));
    await one.hears("event: index");
    expect(one.heard()).toContain("event: resync");
    expect(filesIn(one.heard())).toEqual([]);
  });

  it("says to look at everything again when more was missed than a client takes at once", async () => {
    const page = await startPage();
    const one = await listen(page);
    await one.hears("id: ");
    await one.hangUp();
    // Two events of 0.7 MB each.
    change(page, "missed.md", ...LONG_NAMES);
    change(page, "missed.md", ...LONG_NAMES);
    const again = await listen(page, lastIdIn(one.heard()));
    await again.hears("event: resync");
    expect(again.heard()).not.toContain("missed.md");
    change(page, "after.md");
    await again.hears("after.md");
    expect(filesIn(again.heard())).toHaveLength(1);
  });

  it("says to look at everything again when the names of one change are more than a client takes at once", async () => {
    const page = await startPage();
    const one = await listen(page);
    change(page, ...LONG_NAMES.map((name) => `${name}${"longer".repeat(30)}`));
    await one.hears("event: index");
    expect(one.heard()).toContain("event: resync");
    expect(filesIn(one.heard())).toEqual([]);
  });

  it("keeps a bounded number of bytes of what happened, for a version that is asked for later", async () => {
    const page = await startPage();
    const { version } = page.events;
    for (let round = 0; round < 10; round += 1) change(page, ...LONG_NAMES);
    expect(page.events.changesSince(version)).toHaveLength(LONG_NAMES.length);
    for (let round = 0; round < 10; round += 1) change(page, ...LONG_NAMES);
    expect(page.events.changesSince(version)).toBeNull();
  });

  it("shows that it is still there when nothing happens", async () => {
    const page = await startPage({ heartbeat: 5 });
    const one = await listen(page);
    await one.hears(": still here\n\n: still here\n\n");
    expect(one.heard()).not.toContain("event:");
  });

  it("cuts off a client that reads nothing, and keeps the others", async () => {
    const page = await startPage();
    // The MCP servers listen too.
    const others = page.events.listeners;
    const [deaf, one] = [await listen(page), await listen(page)];
    deaf.response.pause();
    expect(page.events.listeners).toBe(others + 2);
    for (let round = 0; page.events.listeners === others + 2; round += 1) {
      change(page, `round-${round}.md`, ...LONG_NAMES);
      await one.hears(`round-${round}.md`);
    }
    expect(page.events.listeners).toBe(others + 1);
    change(page, "end.md");
    await one.hears("end.md");
  });
});

it("tells what is pending while frontmatter is written, and when that is over, though no note says anything else", async () => {
  const service = await start(home({ "a.md": "pompe\n" }), "own");
  const feed = new EventFeed({ service });
  onTestFinished(() => feed.close());
  const reader = feed.stream(undefined).body?.getReader();
  await reader?.read();
  await service.frontmatter.adopt("all", "test", () => {});
  let heard = "";
  while (!heard.includes('"pending":0'))
    heard += Buffer.from((await reader?.read())?.value ?? []).toString();
  expect(heard).toMatch(/event: index\ndata: \{"files":1,"chunks":\d+,"pending":\d,"total":1\}/u);
});
