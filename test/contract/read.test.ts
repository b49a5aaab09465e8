import { describe } from "vitest";

import { openDoors } from "./doors.ts";
import { READ } from "./read.ts";
import { checkOverDoors } from "./statement.ts";
import { contractVault } from "./vault.ts";

const doors = await openDoors(await contractVault());

describe("read", () => {
  checkOverDoors(READ, () => doors);
});
