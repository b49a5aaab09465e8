import type { z } from "zod";

import { ExpectedError } from "../errors.ts";
import type { SettingsStore } from "../settings-file.ts";
import { NOTIFY, noticeText, type Notices } from "../storage/postgres/notices.ts";
import type { Postgres } from "../storage/postgres/postgres.ts";

/** Milliseconds until settings that could not be read are read again. */
const RETRY = 500;

export interface TeamSettingsOptions {
  readonly database: Pick<Postgres, "query" | "execute" | "transaction">;
  readonly vault: number;
  readonly notices: Pick<Notices, "follow" | "onAgain">;
  readonly onBug: (error: unknown, doing: string) => void;
}

/** The settings of a vault in PostgreSQL. Each replica has a copy, which is read again when another changes them. */
export class TeamSettings implements SettingsStore {
  readonly #options: TeamSettingsOptions;
  readonly #unfollow: readonly (() => void)[];
  readonly #listeners = new Set<() => void>();
  #values: Readonly<Record<string, unknown>> = {};
  #retry: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(options: TeamSettingsOptions) {
    const { notices, vault } = options;
    this.#options = options;
    const again = (): void => {
      this.load().catch((error: unknown) => {
        if (!(error instanceof ExpectedError)) options.onBug(error, "settings");
        // What is private must not stay as it was because all connections were in use when it changed.
        this.#later(again);
      });
    };
    this.#unfollow = [
      notices.follow(vault, ({ kind }) => {
        if (kind === "settings") again();
      }),
      notices.onAgain(again),
    ];
  }

  #later(work: () => void): void {
    if (this.#isClosed) return;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = setTimeout(work, RETRY);
    this.#retry.unref();
  }

  async load(): Promise<void> {
    const { database, vault } = this.#options;
    const rows = await database.query("SELECT key, value FROM vault_settings WHERE vault = $1", [
      vault,
    ]);
    this.#values = Object.fromEntries(
      rows.map(({ key, value }): [string, unknown] => [String(key), JSON.parse(String(value))]),
    );
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` after they were read again. */
  onLoad(listener: () => void): void {
    this.#listeners.add(listener);
  }

  read<T>(part: z.ZodType<T>, problem: (name: string) => string): T {
    const result = part.safeParse(this.#values);
    if (result.success) return result.data;
    throw new ExpectedError("invalid_argument", problem("the settings of the vault"), {
      cause: result.error,
    });
  }

  async save(changed: Readonly<Record<string, unknown>>): Promise<void> {
    const { database, vault } = this.#options;
    this.#values = { ...this.#values, ...changed };
    await database.transaction(async () => {
      for (const [key, value] of Object.entries(changed)) {
        if (value === undefined)
          await database.execute("DELETE FROM vault_settings WHERE vault = $1 AND key = $2", [
            vault,
            key,
          ]);
        else
          await database.execute(
            "INSERT INTO vault_settings (vault, key, value) VALUES ($1, $2, $3) ON CONFLICT (vault, key) DO UPDATE SET value = excluded.value",
            [vault, key, JSON.stringify(value)],
          );
      }
      await database.query(NOTIFY, [noticeText({ vault, kind: "settings", text: "" })]);
    });
  }

  close(): void {
    this.#isClosed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    for (const unfollow of this.#unfollow) unfollow();
    this.#listeners.clear();
  }
}
