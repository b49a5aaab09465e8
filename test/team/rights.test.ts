import { randomBytes } from "node:crypto";

import { openTeamVault } from "../../src/compose-team.ts";
import { fillIndex } from "../../src/index/fill-index.ts";
import { rightsSuite } from "../../src/testing/suites/rights-suite.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { teamDatabase } from "./team-database.ts";
import { fill } from "./team-vault.ts";

rightsSuite(
  async (files) => {
    const database = await teamDatabase();
    const row = await makeVaultRow(database, `vault-${randomBytes(6).toString("hex")}`);
    await fill(database, row, files);
    const now = (): Date => new Date();
    const { vault, index } = await openTeamVault({ database, row, now, policy: () => "none" });
    await fillIndex(vault, index);
    const version = async (): Promise<string> =>
      String((await database.one("SELECT seq FROM vaults WHERE id = $1", [row.id]))?.["seq"]);
    return { vault, index, version };
  },
  [1, 2, 3, 4],
);
