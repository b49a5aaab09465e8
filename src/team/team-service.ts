import path from "node:path";

import { z } from "zod";

import { createMemory, type Memory, type MemoryOptions } from "../agents/memory.ts";
import { PostgresUpdateQueue } from "../agents/queue/postgres-update-queue.ts";
import type { QueueWork } from "../agents/queue/update-queue.ts";
import { openTeamVault } from "../compose-team.ts";
import { ExpectedError } from "../errors.ts";
import { createIngest, type Ingest, type IngestSettings } from "../ingest/ingest.ts";
import { reconcile } from "../index/fill-index.ts";
import type { IndexReader, SearchIndex } from "../index/search-index.ts";
import { VaultLinks } from "../index/vault-links.ts";
import type { JobReport } from "../jobs/job-options.ts";
import { PrivateFolders } from "../private-folders.ts";
import { modelView, type ReaderView } from "../reader-view.ts";
import type { ServiceStatus } from "../service-status.ts";
import type { Notices } from "../storage/postgres/notices.ts";
import type { Postgres } from "../storage/postgres/postgres.ts";
import { VaultEvents } from "../storage/postgres/vault-events.ts";
import { Kept, NOTHING } from "../tidy/kept-proposals.ts";
import { dailySetting } from "../tidy-setting.ts";
import { FRONTMATTER_POLICIES, type FrontmatterPolicy } from "../vault/frontmatter-policy.ts";
import { Overlays } from "../vault/overlay/overlays.ts";
import type { VaultRow } from "../vault/postgres/vault-row.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { Vault } from "../vault/vault.ts";
import { TeamSettings } from "./team-settings.ts";
import { TeamSpending } from "./team-spending.ts";

const Policy = z.object({ frontmatter: z.enum(FRONTMATTER_POLICIES).optional() });
const Tidied = z.object({ tidied: Kept.optional() });

export interface TeamServiceOptions {
  readonly database: Postgres;
  readonly notices: Notices;
  readonly row: VaultRow;
  /** A folder for what is only of the moment; it may not exist yet. */
  readonly scratch: string;
  readonly now: () => Date;
  readonly model: MemoryOptions["model"];
  readonly dailyTokens: number | null;
  readonly ingest: IngestSettings;
  readonly onBug: (error: unknown, asked: string) => void;
}

/** A vault in PostgreSQL, with what people see of where it is. */
export type TeamVault = Vault & { readonly root: string; readonly state: string };

/**
 * One vault of a team with all that serves it: what a folder's service does in its job is done in the write here. Any number of replicas may
 * have it open at once.
 */
export class TeamService {
  readonly vault: TeamVault;
  readonly index: IndexReader;
  readonly privates: PrivateFolders;
  readonly models: ReaderView;
  readonly ingest: Ingest;
  readonly memory: Memory;
  /** Nothing is ever left to be done. */
  readonly pending = 0;
  readonly #parts: OpenedParts;

  private constructor(parts: OpenedParts, memory: Memory) {
    const { vault, index, privates, models, ingest } = parts;
    this.#parts = parts;
    this.vault = vault;
    this.index = index;
    this.privates = privates;
    this.models = models;
    this.ingest = ingest;
    this.memory = memory;
  }

  static async open(options: TeamServiceOptions): Promise<TeamService> {
    const parts = await openParts(options);
    try {
      const memory = await createMemory({
        vault: parts.vault,
        index: parts.index,
        models: parts.models,
        now: options.now,
        onBug: options.onBug,
        model: options.model,
        createQueue: (work) => parts.openQueue(work),
        overlays: new Overlays({
          base: parts.vault,
          folder: path.join(options.scratch, "previews"),
          now: options.now,
        }),
        tidied: {
          read: () => parts.settings.read(Tidied, () => "").tidied ?? NOTHING,
          write: (tidied) => {
            parts.settings
              .save({ tidied })
              .catch((error: unknown) => options.onBug(error, "tidying"));
          },
        },
        daily: dailySetting(parts.settings),
        spending: parts.spending,
      });
      return new TeamService(parts, memory);
    } catch (error) {
      await parts.close();
      throw error;
    }
  }

  /** There may be an update to run, or one to recover. */
  wakeQueue(): void {
    this.#parts.queue()?.wake();
  }

  /** Reads the settings again, for a replica that may have missed that they changed. */
  async reloadSettings(): Promise<void> {
    await this.#parts.settings.load();
  }

  onDone(listener: (done: JobReport) => void): () => void {
    return this.#parts.events.onEvent(listener);
  }

  /** Calls `listener` with every note that somebody comes to or leaves, on any replica; with null when some may have been missed. */
  onPresence(listener: (path: VaultPath | null) => void): () => void {
    return this.#parts.onPresence(listener);
  }

  /** Makes the index equal to the files: they are written together, so there is nothing to do unless one was damaged. */
  async rescan(): Promise<{ changed: number; gone: number }> {
    return reconcile(this.vault, this.#parts.lexical);
  }

  async settle(): Promise<void> {}

  async settled(): Promise<void> {}

  async surveyed(): Promise<boolean> {
    return true;
  }

  async status(): Promise<ServiceStatus> {
    const { memory } = this;
    return {
      vault: this.vault.root,
      index: { ...(await this.index.stats()), pending: 0 },
      deep: {
        engine: "words",
        model: null,
        state: "words",
        embedded: 0,
        pending: 0,
        problem: null,
      },
      watcher: { alive: true, folders: 0, unwatched: 0, lastEvent: null, heartbeat: null },
      lastError: null,
      alarms: await this.privates.alarms(this.vault),
      model: memory.model,
      spent: memory.spent,
      inbox: await memory.inbox.count(),
      queue: await memory.updates.counts(),
      tidy: memory.tidy.status(),
      ignored: { hidden: 0, unlisted: 0 },
      frontmatter: { setting: this.#parts.policy(), chosen: true, left: {} },
      left: [],
    };
  }

  async close(): Promise<void> {
    await this.memory.close();
    await this.#parts.close();
  }
}

interface OpenedParts {
  readonly vault: TeamVault;
  readonly index: IndexReader;
  readonly lexical: SearchIndex;
  readonly privates: PrivateFolders;
  readonly models: ReaderView;
  readonly ingest: Ingest;
  readonly events: VaultEvents;
  readonly settings: TeamSettings;
  readonly spending: TeamSpending;
  readonly policy: () => FrontmatterPolicy;
  readonly openQueue: (work: QueueWork) => PostgresUpdateQueue;
  readonly queue: () => PostgresUpdateQueue | null;
  readonly onPresence: TeamService["onPresence"];
  close(): Promise<void>;
}

async function openParts(options: TeamServiceOptions): Promise<OpenedParts> {
  const { database, notices, row, scratch, now, onBug } = options;
  const common = { database, notices, vault: row.id, now, onBug };
  const settings = new TeamSettings(common);
  const events = new VaultEvents(common);
  const spending = new TeamSpending({ ...common, most: options.dailyTokens });
  await Promise.all([settings.load(), events.start(), spending.load()]);
  const policy = (): FrontmatterPolicy =>
    settings.read(Policy, (name) => `"frontmatter" in ${name} is not valid.`).frontmatter ?? "own";
  let queue: PostgresUpdateQueue | null = null;
  const opened = await openTeamVault({
    database,
    row,
    now,
    policy,
    // A replica that was silent for too long must not go on with an update that another runs now.
    beforeChange: async ({ batch }) => {
      if (batch !== null) await queue?.checkOwn(batch);
    },
  });
  const vault: TeamVault = Object.assign(opened.vault, { root: row.name, state: scratch });
  const lexical = opened.index;
  const index = readerOf(lexical, vault);
  const privates = new PrivateFolders(settings);
  settings.onLoad(() => privates.load());
  vault.onChange((change) => {
    Promise.resolve(privates.follow(change)).catch((error: unknown) => onBug(error, "settings"));
  });
  const onDone = (listener: (done: JobReport) => void): (() => void) => events.onEvent(listener);
  return {
    vault,
    index,
    lexical,
    privates,
    models: modelView({ vault, index, onDone }, () => privates.paths),
    ingest: createIngest({ vault, now, settings: options.ingest }),
    events,
    settings,
    spending,
    policy,
    openQueue: (work) => (queue = new TeamQueue({ ...common, ...work })),
    queue: () => queue,
    onPresence: (listener) => {
      const unfollow = notices.follow(row.id, ({ kind, text }) => {
        if (kind === "presence") listener(text);
      });
      const ignore = notices.onAgain(() => listener(null));
      return () => {
        unfollow();
        ignore();
      };
    },
    close: async () => {
      await events.close();
      settings.close();
      await lexical.close();
      vault.close();
    },
  };
}

/** Changes that wait for a yes are kept on the disk of one replica, where the others do not find them: they are refused. */
class TeamQueue extends PostgresUpdateQueue {
  override async add(
    ...[input]: Parameters<PostgresUpdateQueue["add"]>
  ): ReturnType<PostgresUpdateQueue["add"]> {
    if (input.isPreview) throw noPreviews();
    return super.add(input);
  }

  override async propose(): Promise<never> {
    throw noPreviews();
  }
}

function noPreviews(): ExpectedError {
  return new ExpectedError(
    "unavailable",
    "A vault in PostgreSQL cannot show changes before they are made yet. Nothing was changed; send it without preview, and undo what you do not want.",
  );
}

function readerOf(index: SearchIndex, vault: Vault): IndexReader {
  return {
    search: async (request) => index.search(request),
    completions: async (typed, most) => index.completions(typed, most),
    lines: async (file, range) => index.lines(file, range),
    stats: async () => index.stats(),
    tags: async () => index.tags(),
    places: index.places,
    links: new VaultLinks(async () => index.links, vault),
    replacements: index.replacements,
  };
}
