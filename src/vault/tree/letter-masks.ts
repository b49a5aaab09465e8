import { fold } from "../../text/words.ts";
import type { VaultPath } from "../paths.ts";

/** Numbers of 32 bits that a mask has. */
export const MASK_WORDS = 4;
const MASK_BITS = MASK_WORDS * 32;

/** A bit for each pair of neighbouring letters in a text, folded, with its ends; pairs may share one. Adds to what `mask` has at `at`. */
export function addLetters(text: string, mask: Uint32Array, at = 0): void {
  const folded = fold(text);
  let last = 0x20;
  for (let place = 0; place <= folded.length; place += 1) {
    const code = place === folded.length ? 0x20 : folded.charCodeAt(place);
    const bit = (last * 31 + code) % MASK_BITS;
    const word = at + (bit >> 5);
    mask[word] = (mask[word] ?? 0) | (1 << (bit & 31));
    last = code;
  }
}

/** The names in a folder, each with its mask. */
export class NamedNodes {
  /** Of the folder's own path. */
  readonly folder = new Uint32Array(MASK_WORDS);
  readonly names: string[] = [];
  /** Room for more names than there are. */
  masks = new Uint32Array(0);
  /** How many bits each mask has. */
  bits = new Uint8Array(0);

  constructor(folder: VaultPath, names: Iterable<string>) {
    addLetters(folder, this.folder);
    for (const name of names) this.add(name);
  }

  add(name: string): void {
    const at = this.names.length * MASK_WORDS;
    if (at === this.masks.length) {
      const more = new Uint32Array(Math.max(8 * MASK_WORDS, 2 * at));
      more.set(this.masks);
      this.masks = more;
      const bits = new Uint8Array(more.length / MASK_WORDS);
      bits.set(this.bits);
      this.bits = bits;
    }
    addLetters(withoutEnding(name), this.masks, at);
    this.bits[this.names.length] = commonBits(this.masks, at, ALL);
    this.names.push(name);
  }
}

/** Nobody misspells the ending of a note. */
export function withoutEnding(path: string): string {
  return path.replace(/\.(?:md|markdown)$/iu, "");
}

/** A mask that has every bit. */
const ALL = new Uint32Array(MASK_WORDS).fill(0xffffffff);

/** How many bits the mask at `at` has in common with another. The four numbers are added while their sums are small, which takes half as long. */
export function commonBits(masks: Uint32Array, at: number, other: Uint32Array): number {
  return bitsOfFour(
    (masks[at] ?? 0) & (other[0] ?? 0),
    (masks[at + 1] ?? 0) & (other[1] ?? 0),
    (masks[at + 2] ?? 0) & (other[2] ?? 0),
    (masks[at + 3] ?? 0) & (other[3] ?? 0),
  );
}

/** How many bits of four numbers are set. */
export function bitsOfFour(a: number, b: number, c: number, d: number): number {
  const sum = nibbles(a) + nibbles(b);
  const more = nibbles(c) + nibbles(d);
  const bytes =
    (sum & 0x0f0f0f0f) +
    ((sum >>> 4) & 0x0f0f0f0f) +
    (more & 0x0f0f0f0f) +
    ((more >>> 4) & 0x0f0f0f0f);
  return Math.imul(bytes, 0x01010101) >>> 24;
}

/** For each four bits of a number, how many of them are set. */
function nibbles(number: number): number {
  const pairs = number - ((number >>> 1) & 0x55555555);
  return (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
}
