import path from "node:path";

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { clientNames } from "../connect/clients.ts";
import { extensionOf, parsed, person, serversOf, spawnConnect } from "../testing/person.ts";

/** The command and its arguments, however a client's file has them. */
const Entry = z.union([
  z.object({ command: z.string(), args: z.array(z.string()) }),
  z.object({ cmd: z.string(), args: z.array(z.string()) }).transform(({ cmd, args }) => ({
    command: cmd,
    args,
  })),
  z.object({ command: z.array(z.string()) }).transform(({ command: [command = "", ...args] }) => ({
    command,
    args,
  })),
]);
const servers = z.record(z.string(), Entry);

/** Their files have the same form as that of Cursor. */
const ALIKE = new Set([
  "gemini-cli",
  "windsurf",
  "cline",
  "continue",
  "lm-studio",
  "kiro",
  "qwen-code",
]);

/** Starts a server exactly as a client's file says, from elsewhere and without a `PATH`; gives its tools. */
async function toolsOf(file: string, client: string, name: string): Promise<string[]> {
  const settings = z.object({ [serversOf(client)]: servers }).parse(parsed(file));
  const { command = "", args = [] } = settings[serversOf(client)]?.[name] ?? {};
  const env = { PATH: "", HOME: path.dirname(file) };
  const transport = new StdioClientTransport({ command, args, cwd: path.parse(file).root, env });
  const tester = new Client({ name: "tester", version: "1.0.0" });
  onTestFinished(async () => tester.close());
  await tester.connect(transport);
  return (await tester.listTools()).tools.map((tool) => tool.name);
}

it.each(clientNames.filter((name) => !ALIKE.has(name)))(
  "what is written for %s starts the tools",
  async (client) => {
    const someone = person();
    const file = path.join(someone.home, `config.${extensionOf(client)}`);
    for (const profile of ["update", "search"]) {
      spawnConnect(someone, "/", client, "--write", "--file", file, "--profile", profile);
    }
    expect(await toolsOf(file, client, "coffre")).toContain("edit");
    const looking = await toolsOf(file, client, "coffre-search");
    expect(looking).toContain("search");
    expect(looking).not.toContain("edit");
  },
);
