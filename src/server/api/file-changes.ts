import { z } from "zod";

import type { JobReport } from "../../jobs/background-job.ts";
import { showPath } from "../../vault/paths.ts";

const Paths = z.array(z.string()).readonly();

export const FileChangesEvent = z.object({ changed: Paths, created: Paths, gone: Paths });

/** Files that changed, those of them that are new, and files that are gone, as `vault/…`. */
export type FileChanges = Readonly<z.infer<typeof FileChangesEvent>>;

export function showChanges({ changed, created, gone }: JobReport): FileChanges {
  const show = (paths: readonly string[]): string[] => paths.map((path) => showPath(path));
  return { changed: show(changed), created: show(created), gone: show(gone) };
}
