import { checkSpent, type SpendingMeter, type SpentToday } from "../agents/spending/spending.ts";
import type { TokenUsage } from "../agents/contract.ts";
import type { Postgres } from "../storage/postgres/postgres.ts";
import { localDay } from "../text/local-time.ts";

export interface TeamSpendingOptions {
  readonly database: Postgres;
  readonly vault: number;
  /** Tokens that models may read and write in one local day; null for no limit. */
  readonly most: number | null;
  readonly now: () => Date;
  readonly onBug: (error: unknown, doing: string) => void;
}

const NOTHING: TokenUsage = { input: 0, output: 0, cached: 0 };

/** Counts what models use up for a vault, on all replicas together: what another one has used is known after the next turn here. */
export class TeamSpending implements SpendingMeter {
  readonly #options: TeamSpendingOptions;
  #day = "";
  #used = NOTHING;

  constructor(options: TeamSpendingOptions) {
    this.#options = options;
  }

  async load(): Promise<void> {
    await this.#count(NOTHING);
  }

  today(): SpentToday {
    const { now, most } = this.#options;
    const day = localDay(now());
    return { day, most, ...(day === this.#day ? this.#used : NOTHING) };
  }

  check(): void {
    checkSpent(this.today());
  }

  add(usage: TokenUsage): void {
    this.#count(usage).catch((error: unknown) => this.#options.onBug(error, "counting tokens"));
  }

  close(): void {}

  async #count({ input, output, cached }: TokenUsage): Promise<void> {
    const { database, vault, now } = this.#options;
    const day = localDay(now());
    const row = await database.one(
      "INSERT INTO spending AS s (vault, day, input, output, cached) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (vault, day) DO UPDATE SET input = s.input + excluded.input, output = s.output + excluded.output, cached = s.cached + excluded.cached RETURNING input::float8, output::float8, cached::float8",
      [vault, day, input, output, cached],
    );
    this.#day = day;
    const count = (value: unknown): number => (typeof value === "number" ? value : 0);
    this.#used = {
      input: count(row?.["input"]),
      output: count(row?.["output"]),
      cached: count(row?.["cached"]),
    };
  }
}
