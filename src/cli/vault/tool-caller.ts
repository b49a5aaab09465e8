import { inspect } from "node:util";

import type { CallResult } from "../../tools/call.ts";
import type { Session } from "../../tools/session.ts";
import type { Vault } from "../../vault/vault.ts";
import type { CommandContext } from "../table/command.ts";
import { withVault } from "./open-vault.ts";
import { withOwner } from "./owner.ts";
import { LazyIndex } from "./vault-index.ts";

/** The tools on the vault of this command line, in one session. */
export interface ToolCaller {
  readonly vault: Vault;
  readonly session: Session;
  readonly call: (name: string, args: unknown) => Promise<CallResult>;
}

/** Lends the tools to `work`. One command is one session: what it read counts for what it writes. */
export async function withTools<T>(
  context: CommandContext,
  work: (tools: ToolCaller) => Promise<T>,
): Promise<T> {
  const onBug = (error: unknown): void => context.screen.warn(inspect(error));
  return withVault(context, async (vault) => {
    const { callTool } = await import("../../tools/call.ts");
    const { allTools } = await import("../../tools/registry.ts");
    const { createSession } = await import("../../tools/session.ts");
    const session = createSession("cli");
    const index = new LazyIndex(vault, context);
    try {
      return await work({
        vault,
        session,
        call: async (name, args) => {
          const answer = name === "search" ? await askOwner(vault, args) : null;
          if (answer !== null) return answer;
          const common = { vault, index, session, now: context.now };
          const profile = allTools.find((tool) => tool.name === name)?.profiles[0];
          return profile === "search"
            ? callTool(name, args, { ...common, profile }, { onBug })
            : callTool(name, args, { ...common, profile: "update", batch: null }, { onBug });
        },
      });
    } finally {
      index.close();
    }
  });
}

/** A running service searches: its index is right up to now, so nothing has to be compared first. Null when none runs. */
async function askOwner(vault: Vault, args: unknown): Promise<CallResult | null> {
  return withOwner(vault, async (owner) =>
    owner.callTool({ name: "search", args, profile: "update", client: "cli" }),
  );
}
