/** Keeps a convenience in the browser. Where its storage is full, the page goes on without. */
export function keep(storage: Pick<Storage, "setItem">, name: string, value: string): void {
  try {
    storage.setItem(name, value);
  } catch {
    // Full of drafts, most likely, which matter more.
  }
}
