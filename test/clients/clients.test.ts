import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";
import { z } from "zod";

import { person, spawnConnect } from "../../src/cli/testing/person.ts";
import { printed } from "./printed.ts";
import { bin, claude, opencode } from "./talking-clients.ts";

/** How a client, without an account, shows the servers it has. */
interface ListingClient {
  /** As `coffre connect` knows it. */
  readonly client: string;
  readonly package: string;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** What it prints when it has spoken with the server; of one that only reads its file, that it took the entry. */
  readonly says: RegExp;
}

const Manifest = z.object({ dependencies: z.record(z.string(), z.string()) });

const CLIENTS: readonly ListingClient[] = [
  {
    client: "claude-code",
    package: "@anthropic-ai/claude-code",
    command: [claude, "mcp", "list"],
    says: /coffre: .* - ✔ Connected/u,
  },
  {
    client: "gemini-cli",
    package: "@google/gemini-cli",
    command: [bin("gemini"), "mcp", "list"],
    // It starts no server in a folder that the person has not trusted.
    environment: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
    says: /coffre: .* - Connected/u,
  },
  {
    client: "qwen-code",
    package: "@qwen-code/qwen-code",
    command: [bin("qwen"), "mcp", "list"],
    says: /coffre: .* - Connected/u,
  },
  {
    client: "opencode",
    package: "opencode-linux-x64",
    command: [opencode, "mcp", "list"],
    says: /✓ coffre .*connected/u,
  },
  {
    client: "copilot-cli",
    package: "@github/copilot",
    command: [bin("copilot"), "mcp", "list"],
    says: /coffre \(local\)/u,
  },
];

describe.each(CLIENTS)("$client, the real one", (listing) => {
  it("lists the server that coffre connect wrote", async () => {
    const someone = person();
    spawnConnect(someone, someone.home, listing.client, "--write");
    const text = await printed(someone.home, listing.command, listing.environment);
    expect(text).toMatch(listing.says);
  });

  it("is in the table of clients, in the version that was tried", () => {
    const manifest = readFileSync(path.join(import.meta.dirname, "package.json"), "utf8");
    const { dependencies } = Manifest.parse(JSON.parse(manifest));
    const table = readFileSync(path.join(import.meta.dirname, "../../docs/connect.md"), "utf8");
    const row = table.split("\n").find((line) => line.startsWith(`| \`${listing.client}\` |`));
    expect(row).toContain(`| ${dependencies[listing.package]},`);
  });
});

it("mcporter lists and calls the tools", async () => {
  const someone = person();
  spawnConnect(someone, someone.home, "cursor", "--write");
  const config = ["--config", path.join(someone.home, ".cursor/mcp.json")];
  expect(await printed(someone.home, [bin("mcporter"), "list", ...config])).toContain("8 tools");
  const read = ["call", "coffre.read", "paths=vault/a.md", ...config];
  expect(await printed(someone.home, [bin("mcporter"), ...read])).toContain(
    "The pump in the cellar",
  );
});
