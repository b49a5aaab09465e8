import { z } from "zod";

import type { Memory } from "../agents/memory.ts";
import { DailyTidy } from "../agents/tidy/daily-tidy.ts";
import type { Postgres } from "../storage/postgres/postgres.ts";
import type { TeamSettings } from "./team-settings.ts";

/** Milliseconds that a replica has for a run before another may begin one. */
const LONGEST = 60 * 60_000;

const Claimed = z.object({ tidying: z.number().optional() });

export interface DailyRunOptions {
  readonly database: Postgres;
  /** The id of the vault's row. */
  readonly vault: number;
  readonly settings: TeamSettings;
  readonly memory: Pick<Memory, "tidy" | "updates">;
  /** Throws when nothing may be looked for. */
  readonly beforeTidy: () => Promise<void>;
  readonly now: () => Date;
  readonly onBug: (error: unknown, asked: string) => void;
}

/** The daily tidying of a vault that several replicas have open: one of them looks, once a day. Whoever opens the vault calls `look`. */
export function dailyRun(options: DailyRunOptions): DailyTidy {
  const { memory, beforeTidy, now, onBug } = options;
  const isIdle = async (): Promise<boolean> => {
    const { waiting, running } = await memory.updates.counts();
    if (waiting + running > 0 || (await wasChanged(options))) return false;
    await beforeTidy();
    return claim(options);
  };
  return new DailyTidy({ tidy: memory.tidy, isIdle, now, onBug });
}

/** Whether somebody changed something in the last minutes, on any replica. */
async function wasChanged({ database, vault }: DailyRunOptions): Promise<boolean> {
  const found = await database.one(
    "SELECT 1 FROM events WHERE vault = $1 AND at > now() - interval '10 minutes' LIMIT 1",
    [vault],
  );
  return found !== null;
}

/** Whether it is this replica that looks: none other does meanwhile, unless it was killed. */
async function claim({ settings, now }: DailyRunOptions): Promise<boolean> {
  const at = now().getTime();
  let isOurs = false;
  await settings.change(
    Claimed,
    (name) => `"tidying" in ${name} is not a time.`,
    ({ tidying = 0 }) => {
      isOurs = tidying <= at;
      return isOurs ? { tidying: at + LONGEST } : null;
    },
  );
  return isOurs;
}

/** Names of the vaults that are to be looked through daily and have not been today. */
export async function untidyVaults(
  database: Pick<Postgres, "query">,
  today: string,
): Promise<string[]> {
  const rows = await database.query(
    `SELECT v.name FROM vault_settings s JOIN vaults v ON v.id = s.vault
     WHERE s.key = 'tidy' AND s.value = '"daily"' AND NOT EXISTS (
       SELECT 1 FROM vault_settings t WHERE t.vault = s.vault AND t.key = 'tidied' AND starts_with(t.value::json ->> 'ran', $1)
     ) ORDER BY v.name`,
    [today],
  );
  return rows.map(({ name }) => String(name));
}
