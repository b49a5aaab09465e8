import path from "node:path";

import { createMemory, type Memory, type ModelView } from "./agents/memory.ts";
import { SqliteUpdateQueue } from "./agents/queue/sqlite-update-queue.ts";
import { Spending } from "./agents/spending/spending.ts";
import { DailyTidy } from "./agents/tidy/daily-tidy.ts";
import type { IndexReader } from "./index/search-index.ts";
import type { MemorySettings } from "./service.ts";
import { fileSettings } from "./settings-file.ts";
import { dailySetting } from "./tidy-setting.ts";
import { KeptProposals } from "./tidy/kept-proposals.ts";
import { DiskOverlays } from "./vault/overlay/disk-overlays.ts";
import type { LocalVault } from "./vault/vault.ts";

/** Milliseconds without a change after which a vault is idle. */
const IDLE = 10 * 60_000;

/** What a memory is opened on. */
export interface MemoryParts {
  readonly vault: LocalVault;
  readonly index: IndexReader;
  /** What models are given of them. */
  readonly models: ModelView;
  readonly now: () => Date;
  /** When something last happened in the vault; null for a process that runs nothing by itself. */
  readonly lastBusy: (() => Date | null) | null;
}

/** Opens the memory of a vault, with what it keeps in the state folder, and starts what it does by itself. */
export async function openMemory(
  { dailyTokens = null, ...settings }: MemorySettings,
  { lastBusy, ...parts }: MemoryParts,
): Promise<{ memory: Memory; daily: DailyTidy | null }> {
  const { vault, now } = parts;
  const { state } = vault;
  const memory = await createMemory({
    ...settings,
    ...parts,
    createQueue: (work) => new SqliteUpdateQueue({ ...work, state }),
    overlays: new DiskOverlays({ base: vault, folder: path.join(state, "previews"), now }),
    spending: new Spending({ state, most: dailyTokens, now }),
    tidied: new KeptProposals(state),
    daily: dailySetting(fileSettings(state)),
  });
  if (lastBusy === null) return { memory, daily: null };
  const { tidy, updates } = memory;
  const isIdle = async (): Promise<boolean> => {
    const { waiting, running } = await updates.counts();
    return waiting + running === 0 && now().getTime() - (lastBusy()?.getTime() ?? 0) >= IDLE;
  };
  const daily = new DailyTidy({ tidy, isIdle, now, onBug: settings.onBug });
  daily.start();
  return { memory, daily };
}
