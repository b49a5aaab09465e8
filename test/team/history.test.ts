import { randomBytes } from "node:crypto";

import { PostgresHistory } from "../../src/vault/postgres/postgres-history.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { describeHistory } from "../../src/testing/suites/history-suite.ts";
import { teamDatabase } from "./team-database.ts";

describeHistory(
  () => `vault-${randomBytes(6).toString("hex")}`,
  async (name) => {
    const database = await teamDatabase();
    return new PostgresHistory(database, await makeVaultRow(database, name));
  },
);
