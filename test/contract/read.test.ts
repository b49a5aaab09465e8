import { beforeAll, describe } from "vitest";

import { openDoors, type Door } from "./doors.ts";
import { READ } from "./read.ts";
import { checkOverDoors } from "./statement.ts";
import { contractVault } from "./vault.ts";

let doors: readonly Door[] = [];

beforeAll(async () => {
  doors = await openDoors(await contractVault());
});

describe("read", () => {
  checkOverDoors(READ, () => doors);
});
