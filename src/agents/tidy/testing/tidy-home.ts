import { agentHome, type AgentHome } from "../../../testing/agent-home.ts";
import type { Script } from "../../../testing/models/scripted-model.ts";
import type { Files } from "../../../testing/temporary-vault.ts";
import { snapshotOf } from "../../../testing/tree-snapshot.ts";
import type { QueuedUpdate } from "../../queue/update-queue.ts";
import type { TidyResult } from "../tidying.ts";

export const NOW = new Date("2026-11-18T10:00:00");

/** A vault that is looked through, and answered. */
export interface TidyHome extends AgentHome {
  readonly tidy: (isDaily?: boolean) => Promise<TidyResult>;
  /** The numbered titles of the item that waits. */
  readonly titles: () => Promise<string[]>;
  readonly answer: (content: string) => Promise<QueuedUpdate>;
  /** Every byte of the vault, but for its inbox and the generated listing. */
  readonly bytes: () => Record<string, string>;
}

/** @param script what the model says; it is not asked for anything that a program can word */
export async function tidyHome(files: Files, script: Script = []): Promise<TidyHome> {
  const home = await agentHome(files, script, { now: () => NOW, attempts: 1 });
  const { service, memory } = home;
  await service.rescan();
  await service.settled();
  const signal = new AbortController().signal;
  return {
    ...home,
    tidy: async (isDaily = false) => {
      const result = await memory.tidy.run({ isDaily, signal, onEvent: () => {} });
      await service.settled();
      return result;
    },
    titles: async () => {
      const item = await memory.tidy.waiting();
      return (item?.proposals ?? []).map(({ title }, at) => `${at + 1}. ${title.en}`);
    },
    answer: async (content) => {
      const ref = (await memory.tidy.waiting())?.ref ?? "none";
      const done = await home.remember(content, { inboxRef: ref });
      await service.settled();
      return done;
    },
    bytes: () => {
      const all = Object.entries(snapshotOf(service.vault.root));
      return Object.fromEntries(
        all.filter(([name]) => !/^(?:inbox(?:\/|$)|tree\.md$)/u.test(name)),
      );
    },
  };
}
