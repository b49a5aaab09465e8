import { isMarkdown, type VaultPath } from "../../vault/paths.ts";
import { findReachable } from "../comparison.ts";
import { QUIET } from "../file-processor.ts";
import type { BackgroundJobOptions } from "../job-options.ts";

const PROGRESS_INTERVAL = 200;

/** The markdown files that no other program is writing at present. */
export async function* quietNotes({
  vault,
  processed,
  now,
  quiet = QUIET,
}: BackgroundJobOptions): AsyncGenerator<VaultPath> {
  for (const path of processed.paths()) {
    const found = isMarkdown(path) ? await findReachable(vault, path) : null;
    // A file that is being written is reported when it is.
    if (found !== null && now().getTime() - found.modified >= quiet) yield path;
  }
}

/** Reports at intervals how many of how many are done, until the function it returns is called. */
export function reportWhilePending(
  pending: () => number,
  onProgress: (done: number, total: number) => void,
): () => void {
  let total = 0;
  const timer = setInterval(() => {
    total = Math.max(total, pending());
    onProgress(total - pending(), total);
  }, PROGRESS_INTERVAL);
  return () => clearInterval(timer);
}
