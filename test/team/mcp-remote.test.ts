import path from "node:path";

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, it, onTestFinished } from "vitest";

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
