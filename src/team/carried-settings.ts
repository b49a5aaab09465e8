import { z } from "zod";

import { readSettings, saveSettings } from "../settings-file.ts";
import type { Postgres } from "../storage/postgres/postgres.ts";
import { defaultPolicy, FRONTMATTER_POLICIES } from "../vault/frontmatter-policy.ts";
import type { VaultRow } from "../vault/postgres/vault-row.ts";
import type { LocalVault } from "../vault/vault.ts";
import { TeamSettings } from "./team-settings.ts";

/*
 * The settings that go with a vault, from its folder into a database and back: what was private stays so.
 */

const Carried = z.object({
  private: z.array(z.string()).optional(),
  frontmatter: z.enum(FRONTMATTER_POLICIES).optional(),
  tidy: z.enum(["daily", "off"]).optional(),
});

/** What a team's vault does for which nobody chose anything else. */
const TEAM_FRONTMATTER = "own";

function problem(name: string): string {
  return `The settings in ${name} are not valid, so it cannot be said what is private. Put them right first.`;
}

async function settingsIn(database: Postgres, row: VaultRow): Promise<TeamSettings> {
  const settings = new TeamSettings({
    database,
    vault: row.id,
    // They are read once.
    notices: { follow: () => () => {}, onAgain: () => () => {} },
    onBug: (error) => {
      throw error;
    },
  });
  await settings.load();
  return settings;
}

/** To be called before the first file can be read in the database. Returns how many places are private. */
export async function importSettings(
  database: Postgres,
  row: VaultRow,
  source: LocalVault,
): Promise<number> {
  const given = readSettings(source.state, Carried, problem);
  const frontmatter = given.frontmatter ?? (await defaultPolicy(source, false));
  const settings = await settingsIn(database, row);
  await settings.save({ private: given.private, tidy: given.tidy, frontmatter });
  return given.private?.length ?? 0;
}

/** To be called before the first file can be read in the folder. Returns how many places are private. */
export async function exportSettings(
  database: Postgres,
  row: VaultRow,
  state: string,
): Promise<number> {
  const given = (await settingsIn(database, row)).read(Carried, problem);
  const { private: marked, tidy, frontmatter = TEAM_FRONTMATTER } = given;
  saveSettings(state, { private: marked, tidy, frontmatter });
  return marked?.length ?? 0;
}
