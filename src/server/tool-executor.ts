import { callTool, type CallResult } from "../tools/call.ts";
import type { Profile } from "../tools/define.ts";
import type { AppOptions } from "./app.ts";
import { ClientSessions } from "./client-sessions.ts";

export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  readonly profile: Profile;
  /** Who calls, for the history. */
  readonly client: string;
}

/** Who executes the calls of one connection: this process, or the owner of the vault on its behalf. */
export interface ToolExecutor {
  /** Calls will come soon. What takes long may begin now. */
  prepare(): void;
  /** A tool's refusal is a result. */
  call(call: ToolCall): Promise<CallResult>;
}

/** Executes the calls of one connection in this process, which owns the vault: what was read through it counts for what it writes. */
export function ownExecutor({
  service: { vault, index },
  now,
  onBug,
}: Omit<AppOptions, "version">): ToolExecutor {
  const sessions = new ClientSessions();
  return {
    prepare: () => {},
    call: async ({ name, args, profile, client }) => {
      const common = { vault, index, session: sessions.of(client), now };
      return profile === "search"
        ? callTool(name, args, { ...common, profile }, { onBug })
        : callTool(name, args, { ...common, profile, batch: null }, { onBug });
    },
  };
}
