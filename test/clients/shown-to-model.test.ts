import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { connectionFor, putInPlace } from "../../src/cli/connect/connection.ts";
import { mainFile, type Launch } from "../../src/cli/connect/launch.ts";
import { person, type Person } from "../../src/cli/testing/person.ts";
import { startClientsModel, type ClientsModel } from "./clients-model.ts";
import { printed } from "./printed.ts";
import { TALKING_CLIENTS, type TalkingClient } from "./talking-clients.ts";

const NOTE = `---
title: Vanne d'arrêt
---
# Cellar

- The valve is "behind" the boiler, at 1,5 m.
	- Turn it \\ clockwise | twice.
`;

const Texts = z.object({
  content: z.array(z.object({ type: z.literal("text"), text: z.string() })),
});

async function modelFor(tool: string, args: object): Promise<ClientsModel> {
  const model = await startClientsModel({ server: "coffre", tool, args });
  onTestFinished(() => {
    model.close();
  });
  return model;
}

/** Connects a client as `coffre connect --write` does, and lets it talk with the model until it is done. */
async function talk(
  { home }: Person,
  client: TalkingClient,
  launch: Launch,
  { address }: ClientsModel,
): Promise<void> {
  client.prepare?.(home, address, launch);
  const { platform } = process;
  const machine = { platform, home, cwd: home, environment: {}, exists: existsSync };
  const request = { client: client.client, profile: "update", scope: "user", launch } as const;
  putInPlace(await connectionFor({ ...request, file: undefined }, machine));
  await printed(home, client.command(address), client.environment?.(address));
}

/** What the official client gets as text. */
async function textOf({ command, args }: Launch, name: string, given: object): Promise<string> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ command, args: [...args] }));
  try {
    const result = Texts.parse(await client.callTool({ name, arguments: { ...given } }));
    return result.content.map(({ text }) => text).join("\n");
  } finally {
    await client.close();
  }
}

describe.each(TALKING_CLIENTS)("$client, the real one, with a scripted model", (client) => {
  it("shows its model every byte of what read answers", async () => {
    const someone = person();
    writeFileSync(path.join(someone.vault, "cellar.md"), NOTE);
    const where = ["--vault", someone.vault, "--state", someone.state];
    const launch = { command: process.execPath, args: [mainFile, "mcp", ...where] };
    const args = { paths: ["vault/cellar.md"] };
    const model = await modelFor("read", args);
    await talk(someone, client, launch, model);
    const text = await textOf(launch, "read", args);
    expect(text).toContain('- The valve is "behind" the boiler');
    expect(model.shown().some((each) => each.includes(text))).toBe(true);
  });

  // Why no tool of ours has a structure: decision 33. When this fails because more clients show the text, think again.
  it.each(["schema", "structure alone"])(
    "shows of a result with text and structure what is known of it: %s",
    async (kind) => {
      const server = path.join(import.meta.dirname, "structure-server.ts");
      const model = await modelFor("look_up", {});
      await talk(person(), client, { command: process.execPath, args: [server, kind] }, model);
      const shows = (words: string): boolean => model.shown().some((each) => each.includes(words));
      expect({
        text: shows("These words are in the text."),
        structure: shows("These words are in the structure."),
      }).toEqual(client.shows);
    },
  );

  it("is in the table of clients, in the version that was tried", () => {
    const manifest = readFileSync(path.join(import.meta.dirname, "package.json"), "utf8");
    const table = readFileSync(path.join(import.meta.dirname, "../../docs/connect.md"), "utf8");
    const row = table.split("\n").find((line) => line.startsWith(`| \`${client.client}\` |`));
    expect(row).toContain(`| ${versionIn(manifest, client.package)},`);
    expect(row).toMatch(/called/u);
  });
});

const Manifest = z.object({ dependencies: z.record(z.string(), z.string()) });

/** Codex's programs are versions of one package. */
function versionIn(manifest: string, name: string): string {
  const version = Manifest.parse(JSON.parse(manifest)).dependencies[name] ?? "";
  return version.replace(/^npm:.*@/u, "").replace(/-linux-x64$/u, "");
}
