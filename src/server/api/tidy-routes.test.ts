import { describe, expect, it } from "vitest";

import { agentHome, type AgentHome } from "../../testing/agent-home.ts";
import { TidyAnswer, type TidyView } from "./agent-contract.ts";
import { createApp } from "./app.ts";

const files = {
  "overview.md": "# Overview\n\n## Inbox\n\n3 items waiting.\n",
  "bucket/a.md": "The same.\n",
  "bucket/b.md": "The same.\n",
};

interface Served extends AgentHome {
  readonly get: () => Promise<TidyView>;
  readonly post: (body: unknown, headers?: Readonly<Record<string, string>>) => Promise<Response>;
}

async function served(): Promise<Served> {
  const home = await agentHome(files, []);
  await home.service.rescan();
  await home.service.settled();
  const app = createApp({
    service: home.service,
    version: "1.2.3",
    now: () => new Date(),
    onBug: (error) => home.bugs.push(error),
    memory: home.memory,
  });
  return {
    ...home,
    get: async () => TidyAnswer.parse(await (await app.request("/api/tidy")).json()),
    post: async (body, headers = {}) =>
      app.request("/api/tidy", { method: "POST", body: JSON.stringify(body), headers }),
  };
}

describe("/api/tidy", () => {
  it("looks when it is posted to, and shows what it found until that is answered", async () => {
    const { get, post, remember } = await served();
    expect(await get()).toMatchObject({ ref: null, daily: false, last: null, proposals: [] });
    const found = TidyAnswer.parse(await (await post({})).json());
    expect(found.proposals.map(({ number, kind }) => [number, kind])).toEqual([
      [1, "inbox-count"],
      [2, "duplicate"],
    ]);
    expect(found.proposals[0]?.changes).toMatchObject([
      { kind: "modify", path: "vault/overview.md", hunks: [{}] },
    ]);
    expect(found.proposals[1]?.changes).toMatchObject([
      { kind: "remove", path: "vault/bucket/b.md" },
    ]);
    const { last: _, ...shown } = await get();
    expect(found).toMatchObject(shown);
    await remember("yes", { inboxRef: found.ref ?? "" });
    expect((await get()).ref).toBeNull();
  });

  it("says of a file that it changed since, instead of a wrong diff", async () => {
    const { get, post, write } = await served();
    await post({});
    write("overview.md", "# Overview\n\nAnother.\n");
    expect((await get()).proposals[0]?.changes).toEqual([
      {
        kind: "modify",
        path: "vault/overview.md",
        diff: null,
        note: "changed since it was looked through",
      },
    ]);
  });

  it("streams to those who ask for events, and switches the daily run", async () => {
    const { get, post } = await served();
    const stream = await (await post({}, { accept: "text/event-stream" })).text();
    expect(stream).toContain("event: answer");
    expect((await post({ daily: true })).status).toBe(200);
    expect((await get()).daily).toBe(true);
    await post({ daily: false });
    expect((await get()).daily).toBe(false);
    expect((await post({ daily: "yes" })).status).toBe(400);
    expect((await post({ other: 1 })).status).toBe(400);
  });
});
