import { inspect } from "node:util";

import type { Profile } from "../../tools/define.ts";
import { defineCommand, type CommandContext } from "../command.ts";
import { withVault } from "../open-vault.ts";
import { ownVault, type Place } from "../own-vault.ts";
import { stopSignal } from "../stop-signal.ts";
import { packageVersion } from "../version.ts";

export const mcp = defineCommand({
  name: "mcp",
  summary: "Give an AI client the tools, over MCP on standard input and output",
  group: "Vault",
  positionals: {},
  options: {
    profile: {
      kind: "text",
      label: "NAME",
      choices: ["update", "search"],
      summary: "update: look and change (default); search: look and assemble",
    },
  },
  details:
    "For the configuration of a client, which starts it and ends it. Several may run on one vault at once, with or without coffre serve: one of them keeps the vault in order, and another takes its place when it ends.",
  examples: ["coffre mcp", "coffre mcp --profile search --vault ~/notes"],
  synonyms: ["stdio"],
  run: async (input, context) => {
    const place = await withVault(context, async ({ root, state }) => ({ root, state }));
    await serveClient(place, input.text("profile") === "search" ? "search" : "update", context);
    return 0;
  },
});

/** Serves one client until it goes or we are told to stop; what it asked for is finished, then the vault is left to others. */
async function serveClient(place: Place, profile: Profile, context: CommandContext): Promise<void> {
  const { createMcpServer } = await import("../../server/mcp.ts");
  const { serveMcpStdio } = await import("../../server/mcp-stdio.ts");
  const { VaultLink } = await import("../vault-link.ts");
  const { now, screen } = context;
  const version = packageVersion();
  const onBug = (error: unknown, asked: string): void => screen.warn(`${asked}: ${inspect(error)}`);
  const own = async (): ReturnType<typeof ownVault> => ownVault(place, context);
  const executor = new VaultLink({ state: place.state, own, now, onBug });
  // A client that is gone ends this in good order and not at once: others may be served here.
  process.stdout.removeAllListeners("error");
  const { stdin, stdout } = process;
  const connection = serveMcpStdio(() => createMcpServer({ profile, version, executor, onBug }), {
    input: stdin,
    output: stdout,
  });
  try {
    await Promise.race([connection.closed, stopSignal()]);
  } finally {
    await executor.close();
    await connection.close();
  }
}
