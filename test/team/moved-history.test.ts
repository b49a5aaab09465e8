import { randomBytes } from "node:crypto";

import { openTeamVault } from "../../src/compose-team.ts";
import { movedHistorySuite } from "../../src/testing/suites/moved-history-suite.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { teamDatabase } from "./team-database.ts";

movedHistorySuite(async () => {
  const database = await teamDatabase();
  const row = await makeVaultRow(database, `vault-${randomBytes(6).toString("hex")}`);
  const now = (): Date => new Date();
  return (await openTeamVault({ database, row, now, policy: () => "none" })).vault;
});
