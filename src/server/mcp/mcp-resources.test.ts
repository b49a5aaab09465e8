import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { temporaryVault, type Files } from "../../testing/temporary-vault.ts";
import { demoImage } from "../../testing/demo-image.ts";
import type { Vault } from "../../vault/vault.ts";
import { EventFeed } from "../api/event-feed.ts";
import { createMcpServer } from "./mcp-server.ts";
import { simpleService, type SimpleService } from "../testing/simple-service.ts";
import { clientOfService } from "../testing/owner.ts";

const FILES = {
  "overview.md": "# Overview\n\nA house by the sea\n",
  "été & co/100%.md": "The pump\r\nin the cellar\n",
  "plan.png": demoImage(),
};

interface Connected {
  readonly client: Client;
  readonly vault: Vault;
  readonly service: SimpleService;
  readonly events: EventFeed;
}

async function connect(
  files: Files = FILES,
  profile = "update" as "update" | "search",
): Promise<Connected> {
  const vault = temporaryVault(files);
  const service = simpleService(vault);
  const onBug = (error: unknown): void => {
    throw error;
  };
  const now = (): Date => new Date(2026, 2, 15, 12, 30);
  const events = new EventFeed({ service });
  onTestFinished(() => events.close());
  const server = createMcpServer({
    profile,
    version: "1.2.3",
    vault: clientOfService({ service, now, onBug, events }),
    now,
    onBug,
    tells: "subscribed",
  });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await server.connect(one);
  const client = new Client({ name: "tester", version: "1" });
  await client.connect(other);
  onTestFinished(async () => client.close());
  return { client, vault, service, events };
}

describe("resources", () => {
  it("are the vault's files", async () => {
    const { client } = await connect();
    const { resources } = await client.listResources();
    expect(resources.map(({ uri, name, mimeType }) => [uri, name, mimeType])).toEqual([
      ["vault:///overview.md", "vault/overview.md", "text/markdown"],
      ["vault:///plan.png", "vault/plan.png", undefined],
      ["vault:///%C3%A9t%C3%A9%20%26%20co/100%25.md", "vault/été & co/100%.md", "text/markdown"],
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["vault:///{+path}"]);
  });

  it("come a thousand at a time", async () => {
    const names = Array.from({ length: 2001 }, (_, at) => `n/${String(at).padStart(4, "0")}.md`);
    const { client } = await connect(Object.fromEntries(names.map((name) => [name, "x\n"])));
    const sizes: number[] = [];
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await client.request({
        method: "resources/list",
        params: cursor === undefined ? {} : { cursor },
      });
      sizes.push(page.resources.length);
      for (const { uri } of page.resources) seen.add(uri);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(sizes).toEqual([1000, 1000, 1]);
    expect(seen.size).toBe(2001);
  });

  it("are read as they are on disk: text with its line ends, images as bytes", async () => {
    const { client } = await connect();
    const text = await client.readResource({ uri: "vault:///%C3%A9t%C3%A9%20%26%20co/100%25.md" });
    expect(text.contents).toMatchObject([
      { mimeType: "text/markdown", text: "The pump\r\nin the cellar\n" },
    ]);
    const image = await client.readResource({ uri: "vault:///plan.png" });
    expect(image.contents).toMatchObject([
      { mimeType: "image/png", blob: Buffer.from(demoImage()).toString("base64") },
    ]);
  });

  it.each([
    ["vault:///none.md", "vault/none.md"],
    ["vault:///", "is a folder"],
    ["vault:///../../etc/passwd", "leaves the vault"],
    ["vault:///.git/config", "dot"],
    ["vault:///%ZZ", "is not the URI of a file here"],
    ["file:///etc/passwd", "is not the URI of a file here"],
  ])("refuses %s", async (uri, why) => {
    const { client } = await connect();
    await expect(client.readResource({ uri })).rejects.toThrow(why);
  });

  it("that are subscribed to are told of when they change or go, by the address that was given", async () => {
    const { client, service } = await connect();
    const told: string[] = [];
    let lists = 0;
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      told.push(params.uri);
    });
    client.setNotificationHandler("notifications/resources/list_changed", () => {
      lists += 1;
    });
    await client.subscribeResource({ uri: "vault:///overview%2Emd" });
    const tell = (changed: string[], created: string[], gone: string[]): void => {
      for (const listener of service.listeners) listener({ changed, created, gone });
    };
    tell(["overview.md", "other.md"], [], []);
    tell([], [], ["overview.md"]);
    tell(["new.md"], ["new.md"], []);
    await vi.waitFor(() => expect(lists).toBe(1), 5000);
    expect(told).toEqual(["vault:///overview%2Emd", "vault:///overview%2Emd"]);
    await client.unsubscribeResource({ uri: "vault:///overview.md" });
    tell(["overview.md"], [], []);
    await client.listTools();
    expect(told).toHaveLength(2);
  });

  it("are not told of any more when the client is gone", async () => {
    const { client, events } = await connect();
    // A client that only greets the server opens nothing.
    expect(events.listeners).toBe(0);
    await client.listResources();
    await vi.waitFor(() => expect(events.listeners).toBe(1));
    await client.close();
    await vi.waitFor(() => expect(events.listeners).toBe(0));
  });
});

describe("prompts", () => {
  it.each([
    ["update", "content", "File this"],
    ["search", "question", "Answer this"],
  ] as const)("let any client play the %s agent", async (profile, argument, task) => {
    const { client } = await connect(FILES, profile);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([profile]);
    const { messages } = await client.getPrompt({
      name: profile,
      arguments: { [argument]: "The pump is mended" },
    });
    const text = JSON.stringify(messages);
    expect(messages).toHaveLength(1);
    expect(text).toContain("A house by the sea");
    expect(text).toContain("2026-03-15 12:30");
    expect(text).toContain(`# ${task}\\n\\nThe pump is mended`);
  });

  it("refuse a name that is not theirs", async () => {
    const { client } = await connect();
    await expect(client.getPrompt({ name: "search" })).rejects.toThrow("There is: update.");
  });
});
