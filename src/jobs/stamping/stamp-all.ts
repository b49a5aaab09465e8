import { isMarkdown, type VaultPath } from "../../vault/paths.ts";
import type { BackgroundJob } from "../background-job.ts";
import { findReachable } from "../comparison.ts";
import { QUIET } from "../file-processor.ts";
import type { BackgroundJobOptions } from "../job-options.ts";

const PROGRESS_INTERVAL = 200;

/** What is needed of the background job. */
type StampingJob = Pick<
  BackgroundJob,
  "alarm" | "isClosing" | "pending" | "settled" | "stampAgain"
>;

/** A markdown file, and how many milliseconds it must stay unchanged, since another program may be writing it. */
interface KnownNote {
  readonly path: VaultPath;
  readonly signature: string;
  readonly delay: number;
}

/** All markdown files that are known. */
export async function* knownNotes({
  vault,
  processed,
  now,
  quiet = QUIET,
}: BackgroundJobOptions): AsyncGenerator<KnownNote> {
  for (const path of processed.paths()) {
    const found = isMarkdown(path) ? await findReachable(vault, path) : null;
    if (found === null) continue;
    const isQuiet = now().getTime() - found.modified >= quiet;
    yield { path, signature: found.version, delay: isQuiet ? 0 : quiet };
  }
}

/**
 * Stamps every file again, for another setting.
 * @param rescan finds those that are not known yet
 * @param onProgress called with how many of how many files are done
 * @returns false when the job ended before all were done, or does nothing because the vault cannot be read
 */
export async function stampAll(
  job: StampingJob,
  rescan: () => Promise<unknown>,
  onProgress: (done: number, total: number) => void,
): Promise<boolean> {
  const stop = reportWhilePending(() => job.pending, onProgress);
  try {
    if (!job.isClosing) await rescan();
    await job.settled();
    await job.stampAgain();
    await job.settled();
    return !job.isClosing && job.alarm === null;
  } finally {
    stop();
  }
}

/** Reports at intervals how many of how many are done, until the function it returns is called. */
function reportWhilePending(
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
