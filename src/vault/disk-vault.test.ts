import { describeJobVault, describeVault } from "../testing/suites/vault-suite.ts";
import { temporaryVault } from "../testing/temporary-vault.ts";

describeVault(async (files) => temporaryVault(files));
describeJobVault(async (files) => temporaryVault(files));
