import { readFileSync } from "node:fs";
import path from "node:path";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { temporaryFolder } from "../../src/testing/temporary-vault.ts";
import { oauthHome } from "./oauth-home.ts";

const PROGRAM = path.join(import.meta.dirname, "mcp-remote/node_modules/mcp-remote/dist/proxy.js");

/** A program that speaks over pipes, which mcp-remote leads to a server; the test is the browser that it asks its person to open. */
async function connect(address: string): Promise<{ client: Client; printed: () => string }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, address, "--transport", "http-only"],
    // No browser is opened: the address is printed too.
    env: { PATH: "", HOME: temporaryFolder(), MCP_REMOTE_CONFIG_DIR: temporaryFolder() },
    stderr: "pipe",
  });
  let printed = "";
  let isOpened = false;
  transport.stderr?.on("data", (data: Buffer) => {
    printed += data.toString();
    const [, asked] = /visiting:\s+(http\S+)\s/u.exec(printed) ?? [];
    if (asked === undefined || isOpened) return;
    isOpened = true;
    void fetch(asked).catch((error: unknown) => (printed += String(error)));
  });
  const client = new Client({ name: "test", version: "1" });
  onTestFinished(async () => client.close());
  await client.connect(transport);
  return { client, printed: () => printed };
}

it("mcp-remote finds the provider, registers, logs its person in, and passes calls on", async () => {
  const { at, oidc } = await oauthHome();
  const address = `${at}/v/house/mcp/update`;
  const { client, printed } = await connect(address);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("write");
  const wrote = await client.callTool({
    name: "write",
    arguments: { path: "vault/roof.md", content: "# Roof\n" },
  });
  expect([wrote.isError, JSON.stringify(wrote)]).toEqual([
    undefined,
    expect.stringContaining("vault/roof.md"),
  ]);
  expect(oidc.requests, printed()).toMatchObject([{ resource: address }]);
});

const Printed = z.object({
  mcpServers: z.object({
    house: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
    "house-by-program": z.object({
      command: z.literal("npx"),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()),
    }),
  }),
});

it("what the documentation has for AI clients reaches a vault with a personal token, by HTTP and by mcp-remote", async () => {
  const { at, oidc, token } = await oauthHome();
  const page = readFileSync(new URL("../../docs/team.md", import.meta.url), "utf8");
  const [, block = ""] = /```json\n(.*?mcpServers.*?)```/su.exec(page) ?? [];
  const typed = block.replaceAll("https://notes.example.com", at).replaceAll("cof_…", token);
  const { house, "house-by-program": program } = Printed.parse(JSON.parse(typed)).mcpServers;
  const [, version = ""] = /mcp-remote@([\d.]+)/u.exec(program.args.join(" ")) ?? [];
  const tried: unknown = JSON.parse(
    readFileSync(path.join(PROGRAM, "..", "..", "package.json"), "utf8"),
  );
  expect(tried).toMatchObject({ version });
  // What follows npx, `-y` and the package is what the program itself is given.
  const transports = [
    new StreamableHTTPClientTransport(new URL(house.url), {
      requestInit: { headers: house.headers },
    }),
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, ...program.args.slice(2), "--transport", "http-only"],
      env: { ...program.env, PATH: "", HOME: temporaryFolder() },
      stderr: "ignore",
    }),
  ];
  for (const transport of transports) {
    const client = new Client({ name: "test", version: "1" });
    onTestFinished(async () => client.close());
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("write");
  }
  // Nobody was asked to log in.
  expect(oidc.requests).toEqual([]);
});
