import { describe } from "vitest";

import { CONCAT } from "./concat.ts";
import { openDoors } from "./doors.ts";
import { checkOverDoors } from "./statement.ts";
import { contractVault } from "./vault.ts";

const doors = await openDoors(await contractVault());

describe("concat", () => {
  checkOverDoors(CONCAT, () => doors);
});
