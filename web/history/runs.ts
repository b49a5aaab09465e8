import type { HistoryItem } from "../../src/server/api/contract.ts";

/** Changes that were made as one: those of one run of an agent, or one change alone. */
export interface Run {
  /** What undoes all of it: the id of the batch, or of the one change. */
  readonly id: string;
  /** The newest first. */
  readonly items: readonly [HistoryItem, ...HistoryItem[]];
  readonly isBatch: boolean;
  readonly isUndone: boolean;
}

/** The entries of the history as runs, each where its newest entry stands, whatever others did meanwhile. */
export function runsOf(items: readonly HistoryItem[]): Run[] {
  const byRun = new Map<string, [HistoryItem, ...HistoryItem[]]>();
  for (const item of items) {
    const id = item.batch ?? item.id;
    const run = byRun.get(id);
    if (run === undefined) byRun.set(id, [item]);
    else run.push(item);
  }
  return [...byRun].map(([id, run]) => ({
    id,
    items: run,
    isBatch: run.length > 1,
    isUndone: run.every(({ undone_by }) => undone_by !== null),
  }));
}

/** The paths that a run touched, each once, in the order of its changes. */
export function pathsOf({ items }: Run): string[] {
  const paths = items
    .toReversed()
    .flatMap(({ changes }) => changes.map(({ path, to }) => to ?? path));
  return [...new Set(paths)];
}
