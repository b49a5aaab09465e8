import { describeMaintenance, describeVault } from "../../src/testing/suites/vault-suite.ts";
import { newTeamVault } from "./team-vault.ts";

describeVault(async (files) => newTeamVault(files));
describeMaintenance(async (files) => newTeamVault(files));
