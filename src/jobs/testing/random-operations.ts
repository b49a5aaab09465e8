import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { errnoOf } from "../../errors.ts";

/** Numbers below `limit`, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

const FOLDERS = ["a", "b", "c", "été", "x.md"];
const NAMES = ["x.md", "y.md", "z.md", "a", "b"];

/** Things people and programs do to a vault, at random places. Many cannot be done and are not. */
function operationsOn(root: string, random: (limit: number) => number): (() => void)[] {
  const pick = (names: readonly string[]): string => names[random(names.length)] ?? "";
  const folder = (least = 0): string =>
    path.join(root, ...Array.from({ length: least + random(4 - least) }, () => pick(FOLDERS)));
  const file = (): string => path.join(folder(), pick(NAMES));
  const text = (): string => String(random(1_000_000));
  const replace = (temporary: (target: string) => string): void => {
    const target = file();
    const made = temporary(target);
    writeFileSync(made, text());
    renameSync(made, target);
  };
  const outside = (): string => path.join(root, `../outside/${random(3)}`);
  return [
    () => mkdirSync(folder(), { recursive: true }),
    () => {
      const target = folder();
      mkdirSync(target, { recursive: true });
      writeFileSync(path.join(target, pick(NAMES)), text());
    },
    () => writeFileSync(file(), text()),
    () => writeFileSync(file(), text(), { flag: "a" }),
    () => replace((target) => `${target}.tmp`),
    () => replace((target) => path.join(path.dirname(target), ".tmp")),
    () => renameSync(file(), file()),
    () => renameSync(folder(1), folder(1)),
    () => renameSync(folder(1), folder(1)),
    () => renameSync(folder(1), outside()),
    () => renameSync(outside(), folder(1)),
    () => rmSync(file()),
    () => rmSync(folder(1), { recursive: true }),
    () => {
      const target = folder(1);
      rmSync(target, { recursive: true });
      mkdirSync(target);
    },
    () => {
      const target = folder(1);
      renameSync(target, outside());
      mkdirSync(target);
      writeFileSync(path.join(target, pick(NAMES)), text());
    },
  ];
}

/** Does something at random to the vault, and something else as long as it cannot be done. */
export function churner(root: string, random: (limit: number) => number): () => void {
  const operations = operationsOn(root, random);
  return () => {
    for (;;) {
      try {
        return operations[random(operations.length)]?.();
      } catch (error) {
        // There was nothing there, or something in the way.
        if (errnoOf(error) === null) throw error;
      }
    }
  };
}
