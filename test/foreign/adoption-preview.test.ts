import { mkdirSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { createService } from "../../src/compose.ts";
import { temporaryFolder } from "../../src/testing/temporary-vault.ts";
import { makeForeignVault } from "./foreign-vault.ts";

it.each([1, 2, 3])("the preview counts the notes that are then changed (seed %i)", async (seed) => {
  const folder = temporaryFolder();
  const place = { root: path.join(folder, "notes"), state: path.join(folder, "state") };
  mkdirSync(place.root);
  makeForeignVault(place.root, { notes: 300, seed });
  // Nothing is corrected before it is counted.
  const service = await createService({ ...place, isWatching: false, isCatchingUp: false });
  onTestFinished(() => service.close().catch(() => {}));
  const { unstamped, wrong, examples } = await service.frontmatter.preview();
  expect(examples).toHaveLength(3);
  expect(wrong).toBeGreaterThan(0);
  const { files } = await service.frontmatter.adopt("all", "test", () => {});
  expect(files).toBe(unstamped + wrong);
  expect(await service.frontmatter.preview()).toMatchObject({ unstamped: 0, wrong: 0 });
});
