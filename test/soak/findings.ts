/** What went wrong in a run, each kind once, with how often. */
export class Findings {
  readonly #found = new Map<string, { count: number; readonly first: string }>();
  /** Calls of each door. */
  readonly calls = new Map<string, number>();

  add(where: string, message: string): void {
    // Numbers differ from one to the next.
    const kind = `${where}: ${message.replaceAll(/\d+/gu, "N").slice(0, 160)}`;
    const known = this.#found.get(kind);
    if (known === undefined) this.#found.set(kind, { count: 1, first: `${where}: ${message}` });
    else known.count += 1;
  }

  count(door: string): void {
    this.calls.set(door, (this.calls.get(door) ?? 0) + 1);
  }

  get list(): string[] {
    return [...this.#found.values()].map(
      ({ count, first }) => `${first.slice(0, 1500)}${count > 1 ? ` (${count} times)` : ""}`,
    );
  }
}
