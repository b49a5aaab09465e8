import { ExpectedError } from "../../errors.ts";
import type { Postgres } from "../../storage/postgres/postgres.ts";
import { untidyVaults } from "../../team/daily-run.ts";
import { localDay } from "../../text/local-time.ts";
import { findVaultRow, type VaultRow } from "../../vault/postgres/vault-row.ts";
import type { ServedVault } from "./served-vault.ts";

/** Milliseconds without a request after which a vault is closed. */
const MAX_IDLE = 30 * 60_000;
/** Milliseconds between two looks for idle vaults. */
const CHECK_INTERVAL = 60_000;
/** Milliseconds between two looks for updates that nobody runs: of a replica that died, or that no notice told of. */
const WORK_INTERVAL = 2000;
/** Milliseconds between two looks for vaults that are to be looked through daily. */
const TIDY_INTERVAL = 5 * 60_000;
/** Milliseconds between two removals of what is of no use any more. */
const SWEEP_INTERVAL = 10 * 60_000;

export interface VaultHostOptions {
  readonly database: Postgres;
  readonly open: (row: VaultRow) => Promise<ServedVault>;
  /** Whether changes of other replicas come through at present. */
  readonly isListening: () => boolean;
  readonly now: () => Date;
  readonly onBug: (error: unknown, doing: string) => void;
  /** Milliseconds. */
  readonly maxIdle?: number;
}

interface OpenVault {
  readonly vault: Promise<ServedVault>;
  lastUsed: number;
  requests: number;
}

/** The vaults that this replica has open: each is opened when it is first asked for, and closed when nobody uses it. */
export class VaultHost {
  readonly #options: VaultHostOptions;
  readonly #vaults = new Map<string, OpenVault>();
  #isClosed = false;
  readonly #timers: readonly NodeJS.Timeout[];
  #looking: Promise<void> | null = null;
  readonly #waking = new Map<string, Promise<void>>();
  #tidying: Promise<void> | null = null;

  constructor(options: VaultHostOptions) {
    this.#options = options;
    this.#timers = [
      setInterval(() => void this.closeIdle(), CHECK_INTERVAL),
      setInterval(() => this.#look(), WORK_INTERVAL),
      setInterval(() => void this.tidy(), TIDY_INTERVAL),
      setInterval(() => void this.#sweep(), SWEEP_INTERVAL),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  /** How many are open. */
  get size(): number {
    return this.#vaults.size;
  }

  /** Uses a vault, which stays open meanwhile. Throws `not_found` when there is none of this name. */
  async use<T>(name: string, work: (vault: ServedVault) => Promise<T>): Promise<T> {
    const opened = this.#vaults.get(name) ?? this.#open(name);
    opened.requests += 1;
    try {
      const vault = await opened.vault;
      // While no notice comes through, what another replica hides is looked up at every request.
      if (!this.#options.isListening()) await vault.service.reloadSettings();
      return await work(vault);
    } finally {
      opened.requests -= 1;
      opened.lastUsed = performance.now();
    }
  }

  #open(name: string): OpenVault {
    const { database, open } = this.#options;
    const vault = findVaultRow(database, name).then(open);
    const opened = { vault, lastUsed: performance.now(), requests: 0 };
    this.#vaults.set(name, opened);
    // One that cannot be opened is tried again at the next request.
    vault.catch(() => {
      if (this.#vaults.get(name) === opened) this.#vaults.delete(name);
    });
    return opened;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#looking;
    await Promise.all(this.#waking.values());
    const opened = [...this.#vaults.values()];
    this.#vaults.clear();
    await Promise.all(
      opened.map(async ({ vault }) => {
        const open = await vault.catch(() => null);
        await open?.close();
      }),
    );
    await this.#tidying;
  }

  /** Closes the vaults that nobody uses. */
  async closeIdle(): Promise<void> {
    const { maxIdle = MAX_IDLE, onBug } = this.#options;
    for (const [name, opened] of this.#vaults) {
      const open = await opened.vault.catch(() => null);
      await open?.closeIdle();
      if (opened.requests > 0 || performance.now() - opened.lastUsed < maxIdle) continue;
      try {
        const vault = await opened.vault;
        const { running, waiting } = await vault.service.memory.updates.counts();
        const isBusy = opened.requests > 0 || vault.listeners > 0 || running + waiting > 0;
        if (isBusy || this.#vaults.get(name) !== opened) continue;
        this.#vaults.delete(name);
        await vault.close();
      } catch (error) {
        if (!(error instanceof ExpectedError)) onBug(error, `closing the vault ${name}`);
      }
    }
  }

  /** Looks through the vaults that are to be looked through daily and have not been today, one after the other. */
  async tidy(): Promise<void> {
    this.#tidying ??= this.#tidy().finally(() => {
      this.#tidying = null;
    });
    return this.#tidying;
  }

  async #tidy(): Promise<void> {
    const { database, now, onBug } = this.#options;
    try {
      for (const name of await untidyVaults(database, localDay(now())))
        if (!this.#isClosed) await this.use(name, async ({ service }) => service.lookDaily());
    } catch (error) {
      if (!(error instanceof ExpectedError)) onBug(error, "the daily tidying");
    }
  }

  /** Runs the updates that nobody runs. */
  #look(): void {
    this.#looking ??= this.#wakeQueues().finally(() => {
      this.#looking = null;
    });
  }

  async #wakeQueues(): Promise<void> {
    const { database, onBug } = this.#options;
    try {
      const rows = await database.query(
        "SELECT DISTINCT v.name FROM updates u JOIN vaults v ON v.id = u.vault WHERE u.status = 'running' AND u.lease < now() OR u.status = 'waiting' AND NOT EXISTS (SELECT 1 FROM updates r WHERE r.vault = u.vault AND r.status = 'running')",
      );
      for (const { name } of rows) this.#wake(String(name));
    } catch (error) {
      // A database that is away is asked again in a moment.
      if (!(error instanceof ExpectedError)) onBug(error, "looking for updates");
    }
  }

  /** One vault that takes long to open, because its index is made again, keeps no other waiting. */
  #wake(name: string): void {
    if (this.#waking.has(name)) return;
    const waking = this.use(name, async ({ service }) => service.wakeQueue())
      .catch((error: unknown) => {
        if (!(error instanceof ExpectedError)) this.#options.onBug(error, "looking for updates");
      })
      .finally(() => this.#waking.delete(name));
    this.#waking.set(name, waking);
  }

  async #sweep(): Promise<void> {
    const { database, onBug } = this.#options;
    try {
      await database.execute("DELETE FROM events WHERE at < now() - interval '1 hour'");
      await database.execute("DELETE FROM reads WHERE at < now() - interval '7 days'");
      await database.execute("DELETE FROM mcp_sessions WHERE used < now() - interval '1 day'");
      await database.execute("DELETE FROM login_codes WHERE until < now()");
      await database.execute("DELETE FROM presence WHERE until < now()");
      // Of replicas that were killed.
      await database.execute("DELETE FROM update_steps WHERE at < now() - interval '1 hour'");
    } catch (error) {
      if (!(error instanceof ExpectedError)) onBug(error, "removing what is old");
    }
  }
}
