import { onTestFinished } from "vitest";

import { fillIndex } from "../../src/index/fill-index.ts";
import { createTeamIndex } from "../../src/index/create-index.ts";
import { ServedVault } from "../../src/server/team/served-vault.ts";
import { Notices } from "../../src/storage/postgres/notices.ts";
import type { CallerService } from "../../src/team/caller-service.ts";
import type { TeamServiceOptions } from "../../src/team/team-parts.ts";
import { TeamService } from "../../src/team/team-service.ts";
import { temporaryFolder, type Files } from "../../src/testing/temporary-vault.ts";
import type { FrontmatterPolicy } from "../../src/vault/frontmatter-policy.ts";
import { PostgresVault } from "../../src/vault/postgres/postgres-vault.ts";
import { makeVaultRow, type VaultRow } from "../../src/vault/postgres/vault-row.ts";
import { BY_OPERATOR } from "./served-team.ts";
import { teamDatabase } from "./team-database.ts";
import { fill } from "./team-vault.ts";

const NAME = "house";

/** One replica with its vault, in this process: it has connections of its own. */
export interface TeamHome {
  /** As whoever runs the service may use it. */
  readonly service: CallerService;
  readonly served: ServedVault;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly row: VaultRow;
  /** What nobody expected. */
  readonly bugs: unknown[];
}

/** Opens the vault of a database as one more replica does; it is closed when the test ends. */
export async function openReplica(
  url: string,
  options: Partial<TeamServiceOptions> = {},
): Promise<TeamHome> {
  const database = await teamDatabase({ url });
  const row = await makeVaultRow(database, NAME);
  const notices = new Notices(url);
  await notices.start();
  const bugs: unknown[] = [];
  const common = {
    now: () => new Date(),
    onBug: (error: unknown) => void bugs.push(error),
    database,
    row,
  };
  const whole = await TeamService.open({
    ...common,
    notices,
    scratch: temporaryFolder(),
    model: null,
    dailyTokens: null,
    ingest: {},
    ...options,
  });
  const now = options.now ?? common.now;
  const served = new ServedVault({ ...common, now, service: whole, version: "test" });
  const service = whole.forCaller(BY_OPERATOR);
  onTestFinished(async () => {
    service.close();
    await served.close();
    await notices.close();
  });
  const fetch = async (request: Request): Promise<Response> =>
    served.fetch(request, {}, BY_OPERATOR);
  return { service, served, fetch, row, bugs };
}

/** Puts files into the vault of a database, with their index, before a replica opens it. */
export async function furnish(url: string, files: Files, modified?: number): Promise<void> {
  const database = await teamDatabase({ url });
  const row = await makeVaultRow(database, NAME);
  await fill(database, row, files, modified);
}

/** Indexes what {@link furnish} put there. */
export async function indexed(url: string): Promise<void> {
  const database = await teamDatabase({ url });
  const row = await makeVaultRow(database, NAME);
  await fillIndex(new PostgresVault({ database, row }), await createTeamIndex(database, row));
}

/** Which notes get frontmatter. */
export async function stamping(url: string, frontmatter: FrontmatterPolicy): Promise<void> {
  const database = await teamDatabase({ url });
  const row = await makeVaultRow(database, NAME);
  await database.execute("INSERT INTO vault_settings VALUES ($1, 'frontmatter', $2)", [
    row.id,
    JSON.stringify(frontmatter),
  ]);
}
