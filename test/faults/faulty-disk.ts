import { execFileSync } from "node:child_process";
import { closeSync, openSync, readSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";

/** In the order of `faulty-disk.c`, which numbers them from 1. */
export const FAULTS = [
  "ENOSPC",
  "EIO",
  "EACCES",
  "EMFILE",
  "short read",
  "short write",
  "slow fsync",
] as const;
/** For tests of one failure: no name can be removed, and everything else works. */
const KEEPS_NAMES = "keeps names";
/** The same: no file can be looked at, open or not, and everything else works. */
const BLIND = "blind";
export type Fault = (typeof FAULTS)[number] | typeof KEEPS_NAMES | typeof BLIND;

/** Names of the numbers in the file shared with the process, eight bytes each. */
const CONTROL = ["armed", "left", "kind", "lasting", "calls", "injected"] as const;
const NUMBER = 8;

const SOURCE = path.join(import.meta.dirname, "faulty-disk.c");

export interface FaultPlan {
  readonly fault: Fault;
  /** How many calls that it could hit succeed before. */
  readonly after: number;
  /** All calls from then on fail, until {@link FaultyDisk.disarm}; else one. */
  readonly isLasting: boolean;
}

/** A disk that fails when it is told to, for processes with its {@link environment}. Needs Linux and a C compiler. */
export class FaultyDisk {
  readonly environment: Readonly<Record<string, string>>;
  readonly #fd: number;

  /**
   * @param under the folder whose files are on it
   * @param scratch a folder for the library and the control file, elsewhere
   */
  constructor(under: string, scratch: string) {
    const library = path.join(scratch, "faulty-disk.so");
    execFileSync("cc", ["-O1", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"]);
    const control = path.join(scratch, "control");
    writeFileSync(control, Buffer.alloc(CONTROL.length * NUMBER));
    this.#fd = openSync(control, "r+");
    this.environment = {
      LD_PRELOAD: library,
      COFFRE_FAULTS_CONTROL: control,
      COFFRE_FAULTS_UNDER: under + path.sep,
    };
  }

  arm({ fault, after, isLasting }: FaultPlan): void {
    this.#write("left", after);
    this.#write("kind", [...FAULTS, KEEPS_NAMES, BLIND].indexOf(fault) + 1);
    this.#write("lasting", isLasting ? 1 : 0);
    this.#write("armed", 1);
  }

  disarm(): void {
    this.#write("armed", 0);
  }

  /** How many calls failed until now. */
  get injected(): number {
    return this.#read("injected");
  }

  /** How many calls were made to the disk until now. */
  get calls(): number {
    return this.#read("calls");
  }

  close(): void {
    closeSync(this.#fd);
  }

  #write(name: (typeof CONTROL)[number], value: number): void {
    const bytes = Buffer.alloc(NUMBER);
    bytes.writeBigInt64LE(BigInt(value));
    writeSync(this.#fd, bytes, 0, NUMBER, CONTROL.indexOf(name) * NUMBER);
  }

  #read(name: (typeof CONTROL)[number]): number {
    const bytes = Buffer.alloc(NUMBER);
    readSync(this.#fd, bytes, 0, NUMBER, CONTROL.indexOf(name) * NUMBER);
    return Number(bytes.readBigInt64LE());
  }
}
