import { expect, it } from "vitest";

import { Random } from "../../src/testing/random.ts";
import { runKills } from "./kills.ts";

it("what was acknowledged is there and no update is run twice, whichever replica is killed and however the database stops", async () => {
  const random = new Random(36);
  const { problems, acknowledged, edits, updates } = await runKills({
    kills: 10,
    stops: 2,
    httpClients: 10,
    mcpClients: 10,
    random: () => random.next(),
    log: () => {},
  });
  expect(problems).toEqual([]);
  expect(acknowledged).toBeGreaterThan(150);
  expect(edits).toBeGreaterThan(30);
  expect(updates).toBeGreaterThan(5);
});
