import { isDeepStrictEqual } from "node:util";

import { showPath } from "../vault/paths.ts";
import { countIgnored, type Ignored } from "../vault/scan.ts";
import type { Comparison } from "./comparison.ts";

/** Enough to see what is wrong. */
const MAX_SHOWN = 20;

/** What was kept out at the last comparison with the disk. */
export class KeptOutPaths {
  #ignored: Ignored = { hidden: [], unlisted: [] };
  #unreachable: Comparison["unreachable"] = [];

  get counts(): Record<keyof Ignored, number> {
    return countIgnored(this.#ignored);
  }

  /** Of names that no path leads to. */
  get alarms(): string[] {
    return this.#unreachable
      .slice(0, MAX_SHOWN)
      .map(({ path, problem }) => `${showPath(path)} is hidden: ${problem}. Rename it.`);
  }

  /** Takes over what is kept out now; whether something else is ignored. */
  update({ ignored, unreachable }: Comparison): boolean {
    const hasChanged = !isDeepStrictEqual(ignored, this.#ignored);
    this.#ignored = ignored;
    this.#unreachable = unreachable;
    return hasChanged;
  }
}
