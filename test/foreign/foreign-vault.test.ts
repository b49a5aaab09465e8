import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { temporaryFolder } from "../../src/testing/temporary-vault.ts";
import { snapshotOf } from "../../src/testing/tree-snapshot.ts";
import { makeForeignVault } from "./foreign-vault.ts";

it("is the same for the same seed", () => {
  const snapshots = ["a", "b"].map((name) => {
    const root = path.join(temporaryFolder(), name);
    mkdirSync(root);
    makeForeignVault(root, { notes: 300, seed: 1 });
    rmSync(path.join(root, ".git"), { recursive: true });
    rmSync(path.join(root, "plain", "link out.md"));
    return snapshotOf(root, { times: true });
  });
  expect(Object.keys(snapshots[0] ?? {}).length).toBeGreaterThan(320);
  expect(snapshots[1]).toEqual(snapshots[0]);
});
