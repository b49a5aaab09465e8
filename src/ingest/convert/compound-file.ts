import { ExpectedError } from "../../errors.ts";
import { asBuffer } from "./converted.ts";

/*
 * Old Office formats are small file systems with chains of sectors. A damaged or hostile one can send its reader around in a circle, so
 * every chain is followed here first.
 */

const HEADER_SECTORS = 109;
const LAST_SECTOR = 0xfffffffa;
const NO_ENTRY = 0xffffffff;
const SMALL_STREAM = 4096;
const SMALL_SECTOR = 64;
const ENTRY = 128;

/** Throws an {@link ExpectedError} for a compound file whose chains or folders are not whole, or go in circles. */
export function checkCompoundFile(name: string, bytes: Uint8Array): void {
  try {
    new CompoundFile(asBuffer(bytes)).check();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ExpectedError(
      "not_text",
      `${name} is damaged: its parts do not hang together. Save or download it again.`,
      { cause: error },
    );
  }
}

class CompoundFile {
  readonly #bytes: Buffer;
  readonly #sectorSize: number;
  readonly #next: number[] = [];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    const shift = bytes.readUInt16LE(30);
    if (shift !== 9 && shift !== 12) throw new RangeError("sector size");
    this.#sectorSize = 1 << shift;
    const each = this.#sectorSize / 4;
    for (const sector of this.#tableSectors(each)) {
      const start = this.#placeOf(sector);
      for (let at = 0; at < each; at += 1) this.#next.push(bytes.readUInt32LE(start + at * 4));
    }
  }

  check(): void {
    const bytes = this.#bytes;
    const small = this.#chain(bytes.readUInt32LE(60), this.#next).flatMap((sector) =>
      this.#numbersIn(sector),
    );
    const folders = this.#chain(bytes.readUInt32LE(48), this.#next);
    const perSector = this.#sectorSize / ENTRY;
    const count = folders.length * perSector;
    const entryAt = (id: number): number => {
      const sector = folders[Math.floor(id / perSector)];
      if (sector === undefined) throw new RangeError("folder entry");
      return this.#placeOf(sector) + (id % perSector) * ENTRY;
    };
    const seen = new Set<number>();
    const waiting = [0];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (id === NO_ENTRY) continue;
      if (id >= count || seen.has(id)) throw new RangeError("folders in a circle");
      seen.add(id);
      const at = entryAt(id);
      const size = bytes.readUInt32LE(at + 120);
      const start = bytes.readUInt32LE(at + 116);
      const isStream = bytes[at + 66] === 2;
      const isSmall = isStream && size < SMALL_STREAM;
      if (size > 0 && (isStream || id === 0)) {
        const chain = this.#chain(start, isSmall ? small : this.#next);
        const room = chain.length * (isSmall ? SMALL_SECTOR : this.#sectorSize);
        if (room < size) throw new RangeError("stream is cut off");
      }
      waiting.push(...[68, 72, 76].map((field) => bytes.readUInt32LE(at + field)));
    }
  }

  /** The sectors that hold the table of chains. */
  #tableSectors(each: number): number[] {
    const bytes = this.#bytes;
    const most = Math.ceil(bytes.length / this.#sectorSize);
    const list: number[] = [];
    for (let at = 0; at < HEADER_SECTORS; at += 1) list.push(bytes.readUInt32LE(76 + at * 4));
    const seen = new Set<number>();
    let sector = bytes.readUInt32LE(68);
    while (sector < LAST_SECTOR) {
      if (seen.has(sector) || seen.size > most) throw new RangeError("table in a circle");
      seen.add(sector);
      const numbers = this.#numbersIn(sector);
      list.push(...numbers.slice(0, each - 1));
      sector = numbers[each - 1] ?? NO_ENTRY;
    }
    const used = list.filter((number) => number < LAST_SECTOR);
    if (used.length > most) throw new RangeError("table too long");
    return used;
  }

  #numbersIn(sector: number): number[] {
    const start = this.#placeOf(sector);
    return Array.from({ length: this.#sectorSize / 4 }, (_, at) =>
      this.#bytes.readUInt32LE(start + at * 4),
    );
  }

  #placeOf(sector: number): number {
    return (sector + 1) * this.#sectorSize;
  }

  #chain(first: number, next: readonly number[]): number[] {
    const chain: number[] = [];
    const seen = new Set<number>();
    let sector = first;
    while (sector < LAST_SECTOR) {
      if (seen.has(sector) || sector >= next.length) throw new RangeError("chain");
      seen.add(sector);
      chain.push(sector);
      sector = next[sector] ?? NO_ENTRY;
    }
    return chain;
  }
}
