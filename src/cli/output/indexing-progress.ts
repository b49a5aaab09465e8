import type { Screen } from "./screen.ts";

const WIDTH = 30;

/**
 * Shows how many files were indexed, on a terminal.
 * @param every only one report in so many is shown, for a caller that reports every file
 */
export function indexingProgress(screen: Screen, every = 1): (done: number, total: number) => void {
  return (done, total) => {
    if (done % every === 0 || done === total) {
      const filled = Math.round((WIDTH * done) / Math.max(1, total));
      const bar = "#".repeat(filled) + ".".repeat(WIDTH - filled);
      screen.progress(`Indexing [${bar}] ${done} of ${total} files`);
    }
    if (done === total) screen.progress(null);
  };
}
