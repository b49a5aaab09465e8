import { describe } from "vitest";

import { describeLedger } from "../testing/suites/ledger-suite.ts";
import { createSession } from "./session.ts";

describe("the ledger of one process", () => {
  describeLedger(async () => createSession("test").ledger);
});
