/** Numbers that look like chance (mulberry32): the same seed, the same numbers. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let value = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  isChance(share: number): boolean {
    return this.next() < share;
  }

  /** One of some things; undefined when there are none. */
  pick<T>(things: readonly T[]): T | undefined {
    return things[this.below(things.length)];
  }

  /** One of some things, which come up as often as their weights say. */
  weighed<T>(things: readonly (readonly [weight: number, thing: T])[]): T | undefined {
    let left = this.next() * things.reduce((sum, [weight]) => sum + weight, 0);
    return things.find(([weight]) => (left -= weight) < 0)?.[1];
  }
}
