import { cpSync, mkdirSync, utimesSync } from "node:fs";
import path from "node:path";

import { temporaryPlace, type TemporaryPlace } from "../../src/cli/testing/cli.ts";
import { createService } from "../../src/compose.ts";
import { temporaryFolder, writeFiles, type Files } from "../../src/testing/temporary-vault.ts";

/** The hour at which every file was last changed. */
const THEN = new Date(2026, 2, 15, 10);

/**
 * A vault that the background job is done with: on an equal one, whoever starts finds nothing to do.
 * @returns what makes another one like it
 */
export async function settledVault(files: Files): Promise<() => TemporaryPlace> {
  const folder = temporaryFolder();
  const [root, state] = [path.join(folder, "notes"), path.join(folder, "state")];
  mkdirSync(root);
  writeFiles(root, files);
  for (const name of Object.keys(files)) utimesSync(path.join(root, name), THEN, THEN);
  const service = await createService({ frontmatter: "all", root, state, isWatching: false });
  await service.settled();
  await service.close();
  return () => {
    const place = temporaryPlace();
    cpSync(root, place.root, { recursive: true, preserveTimestamps: true });
    return place;
  };
}
