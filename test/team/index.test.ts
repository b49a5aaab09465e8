import { randomBytes } from "node:crypto";

import { describe } from "vitest";

import { createTeamIndex } from "../../src/index/create-index.ts";
import type { SearchIndex } from "../../src/index/search-index.ts";
import { describeFilters } from "../../src/testing/suites/filter-suite.ts";
import { describeSpellings } from "../../src/testing/suites/spelling-suite.ts";
import { describeReplacements } from "../../src/testing/suites/replaced-suite.ts";
import { describeSearchIndex } from "../../src/testing/suites/search-index-suite.ts";
import { describeWithoutModel } from "../../src/testing/suites/without-model-suite.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { teamDatabase } from "./team-database.ts";

async function open(): Promise<SearchIndex> {
  const database = await teamDatabase();
  const row = await makeVaultRow(database, `vault-${randomBytes(6).toString("hex")}`);
  return createTeamIndex(database, row);
}

describe("the index of a vault in PostgreSQL", () => {
  describeSearchIndex(open);
  describeFilters(open);
  describeSpellings(open);
  describeWithoutModel(open);
});
describe("what replaces what", () => {
  describeReplacements(open);
});
