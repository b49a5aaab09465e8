/*
 * The batches of the history in which updates write: each attempt has its own.
 */

/** The history batch of one attempt. */
export function batchOf(id: string, attempt: number): string {
  return `${id}-${attempt}`;
}

/** The batch in which what an attempt could not file is put into the inbox. */
export function parkingBatch(batch: string): string {
  return `${batch}-inbox`;
}

/** The update and the attempt that write as a batch; null for a batch of anything else, as a yes to a preview or what a client files. */
export function attemptOf(batch: string): { readonly id: string; readonly attempt: number } | null {
  const [, id, attempt] = /^([0-9a-z]+)-(\d+)(?:-inbox)?$/u.exec(batch) ?? [];
  return id === undefined ? null : { id, attempt: Number(attempt) };
}
