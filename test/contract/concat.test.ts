import { beforeAll, describe } from "vitest";

import { CONCAT } from "./concat.ts";
import { openDoors, type Door } from "./doors.ts";
import { checkOverDoors } from "./statement.ts";
import { contractVault } from "./vault.ts";

let doors: readonly Door[] = [];

beforeAll(async () => {
  doors = await openDoors(await contractVault());
});

describe("concat", () => {
  checkOverDoors(CONCAT, () => doors);
});
