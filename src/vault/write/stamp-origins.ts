import type { FileVersion } from "../files/version.ts";

const REMEMBERED = 10_000;

/** Which versions of files the background job derived from which others: a caller that read one need not read the other. */
export class Stamps {
  readonly #origins = new Map<string, string>();

  /** The job turned the version `before` into `after`. */
  add(before: string, after: string): void {
    this.#origins.set(after, this.#origins.get(before) ?? before);
    const oldest = this.#origins.keys().next();
    if (this.#origins.size > REMEMBERED && !oldest.done) this.#origins.delete(oldest.value);
  }

  versionOf(signature: string, hash: string | null): FileVersion {
    const origin = this.#origins.get(signature);
    return origin === undefined ? { signature, hash } : { signature, hash, origin };
  }
}
