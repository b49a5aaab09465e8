import { readFileSync } from "node:fs";
import path from "node:path";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it, onTestFinished } from "vitest";

import { serve, temporaryPlace } from "../testing/cli.ts";
import { connectMcp, textOfResult } from "../testing/mcp-client.ts";

const FILES = { "projects/boat/state.md": "# Boat\n\nThe pump in the bilge is broken.\n" };

it("serves the memory over stdio, by the owner and through it", async () => {
  const place = temporaryPlace(FILES);
  const owner = await connectMcp(place, { profile: "memory" });
  expect(await owner.text("inbox")).toBe("Nothing waits.");
  const other = await connectMcp(place, { profile: "memory", name: "Café" });
  expect((await other.client.listTools()).tools.map(({ name }) => name)).toEqual([
    "remember",
    "recall",
    "inbox",
    "file",
    "undo",
    "verify",
  ]);
  expect(await other.text("recall", { question: "what is broken?" })).toContain(
    "| The pump in the bilge is broken.",
  );
  expect(await other.text("remember", { content: "The new pump has come" })).toContain("inbox_ref");
  expect(await owner.text("inbox")).toContain("pump");
});

it("serves the memory over HTTP", async () => {
  const place = temporaryPlace(FILES);
  const child = await serve(place, "--json");
  await child.printed('"address"');
  child.process.stdout?.resume();
  const status = await place.json(["status"]);
  const address = /"address":"([^"]+)"/u.exec(JSON.stringify(status))?.[1] ?? "";
  const token = readFileSync(path.join(place.state, "token"), "utf8").trim();
  const client = new Client({ name: "tester", version: "1" });
  onTestFinished(async () => client.close());
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL("/mcp/memory", address), {
      requestInit: { headers },
    }),
  );
  const result = await client.callTool({
    name: "recall",
    arguments: { question: "what is broken?" },
  });
  expect(textOfResult(result)).toContain("| The pump in the bilge is broken.");
});
