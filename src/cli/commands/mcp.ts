import { inspect } from "node:util";

import {
  arg,
  defineCommand,
  profileOf,
  profileOption,
  UsageError,
  type CommandContext,
} from "../table/command.ts";
import type { McpProfile } from "../../server/mcp/mcp-server.ts";
import { ownVault } from "../vault/own-vault.ts";
import { placeOf, type Place } from "../vault/place.ts";
import { packageVersion, stopSignal } from "../system/process.ts";

const MIN_TOKENS = 100;

export const mcp = defineCommand({
  name: "mcp",
  summary: "Give an AI client the tools, over MCP on standard input and output",
  options: {
    profile: profileOption,
    "max-tokens": arg.number("N", "What search and tree may show at once: 8000"),
    write: arg.list("GLOB", "What it may change, like projects/x/**; everything when left out"),
    preview: arg.flag("What it changes or hands over waits for your yes"),
  },
  details:
    "For the configuration of a client, which starts it and ends it. Several may run on one vault at once, with or without coffre serve: one of them keeps the vault in order, and another takes its place when it ends.",
  examples: [
    "coffre mcp",
    "coffre mcp --profile search --vault ~/notes",
    "coffre mcp --write 'projects/boat/**' --write bucket",
  ],
  synonyms: ["stdio"],
  run: async (input, context) => {
    const place = placeOf(context);
    const profile = profileOf(input.text("profile"));
    const mostTokens = input.number("max-tokens");
    if (mostTokens !== undefined && mostTokens < MIN_TOKENS) {
      throw new UsageError(`--max-tokens takes ${MIN_TOKENS} or more, not ${mostTokens}.`);
    }
    const writes = input.list("write");
    if (writes.length > 0) {
      if (profile !== "update") {
        throw new UsageError("--write bounds the profile update; the others take no paths.");
      }
      const { boundedTo } = await import("../../index/write-bounds.ts");
      boundedTo(writes);
    }
    const isPreview = input.flag("preview");
    if (isPreview && profile === "search") {
      throw new UsageError("--preview is for clients that change something; search only looks.");
    }
    const bounds = { mostTokens, isPreview, ...(writes.length === 0 ? {} : { writes }) };
    await serveClient(place, { profile, ...bounds }, context);
  },
});

interface ClientOptions {
  readonly profile: McpProfile;
  readonly mostTokens: number | undefined;
  readonly writes?: readonly string[];
  readonly isPreview: boolean;
}

/** Serves one client until it disconnects or a signal says to stop; its calls are finished, then the vault is left to others. */
async function serveClient(
  place: Place,
  { profile, mostTokens, writes, isPreview }: ClientOptions,
  context: CommandContext,
): Promise<void> {
  const { createMcpServer } = await import("../../server/mcp/mcp-server.ts");
  const { serveMcpStdio } = await import("../../server/mcp/mcp-stdio.ts");
  const { VaultLink } = await import("../../server/client/vault-link.ts");
  const { VaultClient } = await import("../../server/client/vault-client.ts");
  const { isOwnershipRequested } = await import("../../jobs/owner/owner-request.ts");
  const { now, screen } = context;
  const version = packageVersion();
  const onBug = (error: unknown, asked: string): void => screen.warn(`${asked}: ${inspect(error)}`);
  const open = async (): ReturnType<typeof ownVault> =>
    isOwnershipRequested(place.state)
      ? null
      : ownVault(place, context, { handOver: () => void link.handOver() });
  const link = new VaultLink({ state: place.state, open, isLongLived: true });
  const vault = new VaultClient(link, { reader: "model" });
  // A client that disconnects ends this process in order, not at once: other processes may be served here.
  process.stdout.removeAllListeners("error");
  const { stdin, stdout } = process;
  const connection = serveMcpStdio(
    (era) =>
      createMcpServer({
        profile,
        version,
        vault,
        isPreview,
        prepare: () => link.prepare(),
        now,
        onBug,
        // Since 2026 the library knows which files a client subscribed to.
        tells: era === "modern" ? "everything" : "subscribed",
        ...(mostTokens === undefined ? {} : { mostTokens }),
        ...(writes === undefined ? {} : { writes }),
      }),
    { input: stdin, output: stdout },
  );
  try {
    await Promise.race([connection.closed, stopSignal()]);
  } finally {
    await link.close();
    await connection.close();
  }
}
