import { PostgresUpdateQueue } from "../agents/queue/postgres-update-queue.ts";
import type { QueueWork } from "../agents/queue/update-queue.ts";
import type { MemoryOptions } from "../agents/memory.ts";
import { z } from "zod";

import { openTeamVault } from "../compose-team.ts";
import { converterPool, createIngest, type Ingest, type IngestSettings } from "../ingest/ingest.ts";
import type { IndexReader, SearchIndex } from "../index/search-index.ts";
import { VaultLinks } from "../index/vault-links.ts";
import { PrivateFolders } from "../private-folders.ts";
import type { Notices } from "../storage/postgres/notices.ts";
import type { Postgres } from "../storage/postgres/postgres.ts";
import { VaultEvents } from "../storage/postgres/vault-events.ts";
import { FRONTMATTER_POLICIES, type FrontmatterPolicy } from "../vault/frontmatter-policy.ts";
import type { Overlays } from "../vault/overlay/overlays.ts";
import type { VaultPath } from "../vault/paths.ts";
import { PostgresOverlays } from "../vault/postgres/postgres-overlays.ts";
import type { VaultRow } from "../vault/postgres/vault-row.ts";
import type { Vault } from "../vault/vault.ts";
import { Team } from "./people/team.ts";
import { personView, PersonViews } from "./rights/person-view.ts";
import type { PersonVault } from "./rights/person-vault.ts";
import { TeamSettings } from "./team-settings.ts";
import { TeamSteps } from "./team-steps.ts";
import { TeamSpending } from "./team-spending.ts";

const Policy = z.object({ frontmatter: z.enum(FRONTMATTER_POLICIES).optional() });

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

/** What the service of a vault in PostgreSQL is made of: all of it, for nobody in particular. */
export interface TeamParts extends Pick<TeamServiceOptions, "row" | "scratch" | "now" | "onBug"> {
  readonly team: Team;
  readonly vault: Vault;
  readonly index: IndexReader;
  readonly lexical: SearchIndex;
  readonly overlays: Overlays;
  /** What callers with the same rights share. */
  readonly views: PersonViews;
  readonly privates: PrivateFolders;
  readonly events: VaultEvents;
  readonly settings: TeamSettings;
  readonly spending: TeamSpending;
  readonly steps: TeamSteps;
  readonly policy: () => FrontmatterPolicy;
  readonly ingestFor: (vault: PersonVault) => Ingest;
  readonly openQueue: (work: QueueWork) => PostgresUpdateQueue;
  readonly queue: () => PostgresUpdateQueue | null;
  /** Calls `listener` with every note that somebody comes to or leaves, on any replica; with null when some may have been missed. */
  readonly onPresence: (listener: (path: VaultPath | null) => void) => () => void;
  close(): Promise<void>;
}

export async function openTeamParts(options: TeamServiceOptions): Promise<TeamParts> {
  const { database, notices, row, scratch, now, onBug } = options;
  const common = { database, notices, vault: row.id, now, onBug };
  const settings = new TeamSettings(common);
  const events = new VaultEvents({ ...common, settled: async () => settings.settled() });
  const spending = new TeamSpending({ ...common, most: options.dailyTokens });
  await Promise.all([settings.load(), events.start(), spending.load()]);
  const policy = (): FrontmatterPolicy =>
    settings.read(Policy, (name) => `"frontmatter" in ${name} is not valid.`).frontmatter ?? "own";
  const privates = new PrivateFolders(settings);
  settings.onLoad(() => privates.load());
  const team = new Team(database, now);
  let queue: PostgresUpdateQueue | null = null;
  const { vault, index: lexical } = await openTeamVault({
    database,
    row,
    now,
    policy,
    // A replica that was silent for too long must not go on with an update that another runs now.
    beforeChange: async ({ batch }) => {
      if (batch !== null) await queue?.checkOwn(batch);
    },
    // In the transaction of the move: models would see under its new name what is hidden under the old one.
    onMove: async (moves) => {
      await team.grants.move(row.id, moves);
      await privates.followAll(moves);
    },
  });
  const index = readerOf(lexical, vault);
  const version = async (): Promise<string> => versionOf(database, row);
  const views = new PersonViews((rights) => personView({ vault, index, rights, version }));
  const pool = converterPool(options.ingest);
  return {
    row,
    scratch,
    now,
    onBug,
    team,
    vault,
    index,
    lexical,
    overlays: new PostgresOverlays({ database, row, base: vault, now }),
    views,
    privates,
    events,
    settings,
    spending,
    steps: new TeamSteps(common),
    policy,
    ingestFor: (seen) =>
      createIngest({ vault: seen, scratch, now, settings: options.ingest, pool }),
    openQueue: (work) => (queue = new PostgresUpdateQueue({ ...common, ...work })),
    queue: () => queue,
    onPresence: (listener) => {
      const unfollow = notices.follow(row.id, ({ kind, text }) => {
        if (kind === "presence") listener(text);
        if (kind === "rights") listener(null);
      });
      const ignore = notices.onAgain(() => listener(null));
      return () => {
        unfollow();
        ignore();
      };
    },
    close: async () => {
      await views.close();
      await events.close();
      settings.close();
      await lexical.close();
      vault.close();
    },
  };
}

/** What differs when anything in a vault differs. Within a change it always does: what is there may yet be taken back. */
let asked = 0;
async function versionOf(database: Postgres, row: VaultRow): Promise<string> {
  if (database.isInTransaction) return `change ${(asked += 1)}`;
  const found = await database.one("SELECT seq FROM vaults WHERE id = $1", [row.id]);
  return String(found?.["seq"]);
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
