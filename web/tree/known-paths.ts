import { nameOf } from "./paths.ts";

/** The paths of all files, to be asked for by whole path or by name. */
export class KnownPaths {
  readonly #paths: ReadonlySet<string>;
  readonly #byName = new Map<string, string[]>();

  constructor(paths: Iterable<string>) {
    this.#paths = new Set(paths);
    for (const path of this.#paths) {
      const name = nameOf(path);
      const alike = this.#byName.get(name);
      if (alike === undefined) this.#byName.set(name, [path]);
      else alike.push(path);
    }
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /** A file whose path ends so: `state.md`, `loft/state.md`. Of several, the first of the vault. */
  endingIn(end: string): string | undefined {
    return this.#byName.get(nameOf(end))?.find((path) => path.endsWith(`/${end}`));
  }
}
