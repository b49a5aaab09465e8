import { callTool, type CallResult } from "../tools/call.ts";
import { createSession } from "../tools/session.ts";
import type { ReadContext, WriteContext } from "../tools/define.ts";
import type { ChangeGuard } from "../vault/history/history-types.ts";
import type { Vault, VaultReader } from "../vault/vault.ts";

/** Calls tools as one agent's run: what it read counts for what it writes. */
export type CallAs = (name: string, args: unknown) => Promise<CallResult>;

type OnBug = (error: unknown, asked: string) => void;

/** What an agent that only looks is given: by its type, nothing to write with. */
export interface LookingParts {
  readonly vault: VaultReader;
  readonly index: ReadContext["index"];
  readonly now: () => Date;
  readonly onBug: OnBug;
}

export interface WritingParts extends LookingParts {
  readonly vault: Vault;
  /** All changes of the run form one. */
  readonly batch: string;
  readonly guard?: ChangeGuard;
}

export const SEARCH_ACTOR = "search agent";
export const UPDATE_ACTOR = "update agent";

export function callAsSearcher({ vault, index, now, onBug }: LookingParts): CallAs {
  const session = createSession(SEARCH_ACTOR);
  const context: ReadContext & { readonly profile: "search" } = {
    profile: "search",
    vault,
    index,
    session,
    now,
  };
  return async (name, args) => callTool(name, args, context, { onBug });
}

export function callAsUpdater(parts: WritingParts, actor: string = UPDATE_ACTOR): CallAs {
  const { vault, index, now, batch, guard, onBug } = parts;
  const context: WriteContext = {
    profile: "update",
    vault,
    index,
    session: createSession(actor),
    now,
    batch,
    ...(guard === undefined ? {} : { guard }),
  };
  return async (name, args) => callTool(name, args, context, { onBug });
}
