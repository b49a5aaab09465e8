import { onTestFinished } from "vitest";

import type { AskedBy } from "../../src/server/team/served-vault.ts";
import { startTeamServer, type TeamServerOptions } from "../../src/server/team/team-server.ts";
import type { Postgres } from "../../src/storage/postgres/postgres.ts";
import { Team } from "../../src/team/people/team.ts";
import { Rights, SCOPES, type Role, type Scope } from "../../src/team/rights/rights.ts";
import { temporaryFolder } from "../../src/testing/temporary-vault.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { TOKEN } from "./replica.ts";
import { emptyDatabase, teamDatabase } from "./team-database.ts";

/** A call of whoever runs the service. */
export const BY_OPERATOR: AskedBy = {
  person: null,
  rights: new Rights([{ folder: "", role: "owner" }]),
  limit: { scopes: SCOPES, folder: null },
  from: { credential: "operator", address: null },
  mayRead: async () => true,
};

export interface ServedTeam {
  /** Of the database. */
  readonly url: string;
  readonly database: Postgres;
  readonly team: Team;
  /** The addresses of its replicas. */
  readonly addresses: readonly string[];
  /** What replicas reported as bugs. */
  readonly bugs: readonly string[];
}

/** Replicas in this process on a database of their own, closed when the test ends. */
export async function servedTeam(
  options: Partial<TeamServerOptions> & { readonly replicas?: number } = {},
): Promise<ServedTeam> {
  const url = await emptyDatabase();
  const database = await teamDatabase({ url });
  const now = options.now ?? ((): Date => new Date());
  const bugs: string[] = [];
  const addresses: string[] = [];
  for (let count = 0; count < (options.replicas ?? 1); count += 1) {
    const server = await startTeamServer({
      url,
      token: TOKEN,
      at: { host: "127.0.0.1", port: 0 },
      publicUrl: null,
      scratch: temporaryFolder(),
      now,
      version: "test",
      model: null,
      dailyTokens: null,
      ingest: {},
      onBug: (error, asked) => bugs.push(`${asked}: ${String(error)}`),
      ...options,
    });
    onTestFinished(async () => server.close());
    addresses.push(server.address);
  }
  return { url, database, team: new Team(database, now), addresses, bugs };
}

/** A person with these roles in a vault, which is made when it is missing. Returns a personal token of theirs. */
export async function personWith(
  { database, team }: Pick<ServedTeam, "database" | "team">,
  name: string,
  vault: string,
  roles: Readonly<Record<string, Role>>,
  scopes: readonly Scope[] = SCOPES,
): Promise<{ readonly id: string; readonly token: string; readonly tokenId: string }> {
  const row = await makeVaultRow(database, vault);
  // A vault is never left without an owner.
  if ((await team.grants.list({ vault: row.id })).every(({ role }) => role !== "owner"))
    await team.firstOwner(row.id, "Olga", "olga@example.com");
  const person = await team.people.add(name, `${name.toLowerCase()}@example.com`);
  for (const [folder, role] of Object.entries(roles))
    await team.grants.set(person.id, row.id, folder, role);
  const expires = new Date(Date.now() + 3_600_000);
  const made = await team.tokens.create({ person: person.id, name: "test", scopes, expires });
  return { id: person.id, token: made.text, tokenId: made.token.id };
}
