import type { Memory } from "../../agents/memory.ts";
import type { AgentClient } from "./agent-client.ts";
import { viewOf } from "../api/agent-contract.ts";

/** Remembering and recalling, in this process or through the owner of the vault. */
export type MemoryAccess = AgentClient;

/** The memory of this process. */
export function ownMemory(memory: Memory): MemoryAccess {
  const { updates, inbox } = memory;
  return {
    remember: async (input) => (await memory.remember(input)).id,
    update: async (id) => viewOf(updates.get(id)),
    follow: async (id, onEvent) => {
      const stop = memory.follow(id, onEvent);
      try {
        return viewOf(await updates.ended(id));
      } finally {
        stop();
      }
    },
    recall: async (question, onEvent) => memory.recall(question, { onEvent }),
    inbox: async () => inbox.list(),
    inboxItem: async (ref) => inbox.show(ref),
  };
}
