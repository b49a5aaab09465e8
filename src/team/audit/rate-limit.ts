/** How much a caller may ask for. */
export interface Rate {
  /** Calls a second, in the long run. */
  readonly perSecond: number;
  /** Calls at once, after a while without any. */
  readonly burst: number;
}

/** A token bucket: what was left of it, and when. */
export interface Bucket {
  readonly left: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface Taken {
  readonly bucket: Bucket;
  /** Milliseconds after which the call may be made; 0 when it may be made now. */
  readonly wait: number;
}

/** Takes one call out of a bucket. A clock that goes back fills nothing. */
export function take(bucket: Bucket | undefined, now: number, { perSecond, burst }: Rate): Taken {
  const at = Math.max(now, bucket?.at ?? now);
  const filled = ((at - (bucket?.at ?? at)) / 1000) * perSecond;
  const left = Math.min(burst, (bucket?.left ?? burst) + filled);
  if (left >= 1) return { bucket: { left: left - 1, at }, wait: 0 };
  return { bucket: { left, at }, wait: Math.ceil(((1 - left) / perSecond) * 1000) };
}

/** More buckets than these are never kept: the one that was used least recently is full again. */
const MOST_BUCKETS = 10_000;

/** The buckets of many callers, by the id of their person and of their token. */
export class RateLimits {
  readonly #rate: Rate;
  readonly #buckets = new Map<string, Bucket>();

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** Milliseconds to wait; 0 when the call may be made. A call that is refused by one bucket takes from none. */
  take(keys: readonly string[], now: number): number {
    const taken = keys.map((key) => [key, take(this.#buckets.get(key), now, this.#rate)] as const);
    const wait = Math.max(0, ...taken.map(([, each]) => each.wait));
    if (wait === 0) for (const [key, { bucket }] of taken) this.#keep(key, bucket);
    return wait;
  }

  #keep(key: string, bucket: Bucket): void {
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MOST_BUCKETS && oldest !== undefined) this.#buckets.delete(oldest);
  }
}
