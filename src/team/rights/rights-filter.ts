import type { ReadFilter } from "../../vault/visible/read-filter.ts";
import type { Rights } from "./rights.ts";

/** What a caller's rights hide of a vault, for the gate of reading. */
export function rightsFilter(rights: Rights): ReadFilter {
  return {
    hidesPath: (path) => path !== "" && !rights.mayPass(path),
    isOnlyPassed: (path) => path !== "" && !rights.mayRead(path) && rights.mayPass(path),
    hidesOld: (path, nowAt) => !rights.mayRead(path, nowAt),
    hidesNote: null,
  };
}
