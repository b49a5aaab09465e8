import path from "node:path";
import type { DatabaseSync } from "node:sqlite";

import { ExpectedError } from "../../errors.ts";
import { explainSqlite, hasDatabase, openDatabase } from "../../storage/sqlite.ts";
import { localDay } from "../../text/local-time.ts";
import { formatTokens } from "../../text/tokens.ts";
import type { TokenUsage } from "../contract.ts";
import type { ChatModel } from "../model/chat-model.ts";
import type { ConfiguredModel } from "../model/configured-model.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS days (
    day TEXT PRIMARY KEY, input INTEGER NOT NULL, output INTEGER NOT NULL, cached INTEGER NOT NULL
  ) STRICT;
`;

/** Days that are kept: enough to see what a month costs. */
const DAYS_KEPT = 100;

export interface SpendingOptions {
  /** The vault's state folder. */
  readonly state: string;
  /** Tokens that models may read and write in one local day; null for no limit. */
  readonly most: number | null;
  readonly now: () => Date;
}

/** What models read and wrote on one day, and what they may. */
export interface SpentToday extends TokenUsage {
  /** `2026-11-18`, local. */
  readonly day: string;
  readonly most: number | null;
}

/** Counts what models use up, and refuses more than a day may have. */
export interface SpendingMeter {
  today(): SpentToday;
  /** Throws when the day has had its tokens. */
  check(): void;
  add(usage: TokenUsage): void;
  close(): void;
}

/** Counts what models read and write each day, on the disk, and refuses more than a day may have. */
export class Spending implements SpendingMeter {
  readonly #options: SpendingOptions;
  #opened: DatabaseSync | null = null;

  constructor(options: SpendingOptions) {
    this.#options = options;
  }

  get #file(): string {
    return path.join(this.#options.state, "spending.sqlite");
  }

  get #database(): DatabaseSync {
    this.#opened ??= openDatabase({
      file: this.#file,
      name: "The count of tokens",
      consequence: "so no model is asked",
      pragmas: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;",
      migrations: [SCHEMA],
      canBeReadOnly: true,
    });
    return this.#opened;
  }

  today(): SpentToday {
    const { now, most } = this.#options;
    const day = localDay(now());
    // Looking creates no file.
    const row = hasDatabase(this.#file)
      ? this.#database.prepare("SELECT input, output, cached FROM days WHERE day = ?").get(day)
      : undefined;
    const count = (value: unknown): number => (typeof value === "number" ? value : 0);
    const { input, output, cached } = row ?? {};
    return { day, most, input: count(input), output: count(output), cached: count(cached) };
  }

  /** Throws when the day has had its tokens. */
  check(): void {
    checkSpent(this.today());
  }

  /** Without a limit, a disk that cannot be written keeps nobody from asking. */
  add({ input, output, cached }: TokenUsage): void {
    const { now, most, state } = this.#options;
    try {
      const day = localDay(now());
      this.#database
        .prepare(
          "INSERT INTO days (day, input, output, cached) VALUES (?, ?, ?, ?) ON CONFLICT (day) DO UPDATE SET input = input + excluded.input, output = output + excluded.output, cached = cached + excluded.cached",
        )
        .run(day, input, output, cached);
      this.#database
        .prepare(
          "DELETE FROM days WHERE day NOT IN (SELECT day FROM days ORDER BY day DESC LIMIT ?)",
        )
        .run(DAYS_KEPT);
    } catch (error) {
      if (most !== null) throw explainSqlite(error, "The count of tokens", state);
    }
  }

  close(): void {
    this.#opened?.close();
    this.#opened = null;
  }
}

/** Throws when a day has had its tokens. */
export function checkSpent({ most, input, output }: SpentToday): void {
  if (most === null || input + output < most) return;
  throw new ExpectedError(
    "unavailable",
    `The models have had their tokens of today: ${formatTokens(input + output)} of ${formatTokens(most)} (COFFRE_DAILY_TOKENS, or dailyTokens in coffre.json). They are asked again tomorrow, or with a higher limit after a restart.`,
  );
}

/** A model that is asked only while the day has tokens left. A turn that has begun ends, so that the last one may go over the limit. */
function metered(model: ChatModel, spending: SpendingMeter): ChatModel {
  return {
    name: model.name,
    begin: (options) => {
      const inner = model.begin(options);
      return {
        say: (parts) => inner.say(parts),
        reply: (replies) => inner.reply(replies),
        turn: async (turn) => {
          spending.check();
          return inner.turn({ ...turn, onSpent: (usage) => spending.add(usage) });
        },
      };
    },
  };
}

/** Null when none is configured. Throws when it cannot be used, or the day has had its tokens. */
export async function openMetered(
  configured: ConfiguredModel,
  spending: SpendingMeter | undefined,
): Promise<ChatModel | null> {
  const model = await configured.open();
  if (model === null || spending === undefined) return model;
  spending.check();
  return metered(model, spending);
}
