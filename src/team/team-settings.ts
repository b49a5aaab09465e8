import type { z } from "zod";

import { ExpectedError } from "../errors.ts";
import type { Changed, SettingsStore } from "../settings-file.ts";
import { NOTIFY, noticeText, type Notices } from "../storage/postgres/notices.ts";
import type { Postgres } from "../storage/postgres/postgres.ts";

/** The first key of the advisory locks under which the settings of a vault are changed; the second is the vault. */
const CHANGING = 7_263_333;
/** Milliseconds until settings that could not be read are read again. */
const RETRY = 500;

export interface TeamSettingsOptions {
  readonly database: Pick<Postgres, "query" | "execute" | "transaction" | "afterCommit">;
  readonly vault: number;
  readonly notices: Pick<Notices, "follow" | "onAgain">;
  readonly onBug: (error: unknown, doing: string) => void;
}

/** The settings of a vault in PostgreSQL. Each replica has a copy, which is read again when another changes them. */
export class TeamSettings implements SettingsStore {
  readonly #options: TeamSettingsOptions;
  readonly #unfollow: readonly (() => void)[];
  readonly #listeners = new Set<() => void>();
  #values: Changed = {};
  /** Numbers of what was asked last, and of what is known: an older answer that comes late does not count. */
  #asked = 0;
  #known = 0;
  #loading: Promise<void> = Promise.resolve();
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
    this.#loading = this.#load();
    return this.#loading;
  }

  /** Resolves when all that was told of is known; throws when it could not be read. */
  async settled(): Promise<void> {
    return this.#loading;
  }

  async #load(): Promise<void> {
    const number = (this.#asked += 1);
    const values = await this.#stored();
    if (number > this.#known) this.#set(values, number);
  }

  async #stored(): Promise<Changed> {
    const { database, vault } = this.#options;
    const rows = await database.query("SELECT key, value FROM vault_settings WHERE vault = $1", [
      vault,
    ]);
    return Object.fromEntries(
      rows.map(({ key, value }): [string, unknown] => [String(key), JSON.parse(String(value))]),
    );
  }

  #set(values: Changed, number: number): void {
    this.#known = number;
    this.#values = values;
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` after they were read again. */
  onLoad(listener: () => void): void {
    this.#listeners.add(listener);
  }

  read<T>(part: z.ZodType<T>, problem: (name: string) => string): T {
    return partOf(this.#values, part, problem);
  }

  async save(changed: Changed): Promise<void> {
    await this.#inTurn(async () => changed);
  }

  async change<T>(
    part: z.ZodType<T>,
    problem: (name: string) => string,
    next: (present: T) => Changed | null,
  ): Promise<void> {
    await this.#inTurn(async () => next(partOf(await this.#stored(), part, problem)));
  }

  /** Within a change of the vault it is a part of that. What is refused does not count here either. */
  async #inTurn(next: () => Promise<Changed | null>): Promise<void> {
    const { database, vault } = this.#options;
    await database.transaction(async () => {
      await database.query("SELECT pg_advisory_xact_lock($1, $2)", [CHANGING, vault]);
      const changed = await next();
      if (changed === null) return;
      for (const [key, value] of Object.entries(changed)) await this.#put(key, value);
      await database.query(NOTIFY, [noticeText({ vault, kind: "settings", text: "" })]);
      database.afterCommit(() => this.#agreed(changed));
    });
  }

  #agreed(changed: Changed): void {
    try {
      this.#set({ ...this.#values, ...changed }, (this.#asked += 1));
    } catch (error) {
      // Another part that is not valid is said where it is used: this one is kept.
      if (!(error instanceof ExpectedError)) this.#options.onBug(error, "settings");
    }
  }

  async #put(key: string, value: unknown): Promise<void> {
    const { database, vault } = this.#options;
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

  close(): void {
    this.#isClosed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    for (const unfollow of this.#unfollow) unfollow();
    this.#listeners.clear();
  }
}

function partOf<T>(values: Changed, part: z.ZodType<T>, problem: (name: string) => string): T {
  const result = part.safeParse(values);
  if (result.success) return result.data;
  throw new ExpectedError("invalid_argument", problem("the settings of the vault"), {
    cause: result.error,
  });
}
