import { describe } from "vitest";

import { openDoors } from "./doors.ts";
import { AFTER_A_WRITE, TOOLS } from "./overview.ts";
import { checkOverDoors } from "./statement.ts";
import { contractVault } from "./vault.ts";

const doors = await openDoors(await contractVault());

describe("the nine tools", () => {
  checkOverDoors(TOOLS, () => doors);
});

describe("after a write", () => {
  checkOverDoors(AFTER_A_WRITE, () => doors);
});
