import { useEffect, useState } from "react";

import type { ListedFile } from "../../src/server/api/contract.ts";
import { inSlices } from "../ui/in-slices.ts";
import { foldText, fuzzyMatch, type FuzzyMatch } from "./fuzzy.ts";
import { ROOT } from "./paths.ts";

export interface FoundFile {
  readonly path: string;
  readonly match: FuzzyMatch;
}

/** Folded once for each file, however often it is looked through. */
const folded = new WeakMap<ListedFile, string>();

function foldedPath(file: ListedFile): string {
  const known = folded.get(file);
  if (known !== undefined) return known;
  const text = foldText(file.path.slice(ROOT.length));
  folded.set(file, text);
  return text;
}

/**
 * The files whose paths have the letters of `wanted`, the best first. Looked for in slices, so that no key waits for them; what was found last
 * stays meanwhile. Null until there is something to show.
 */
export function useFuzzyFiles(
  files: readonly ListedFile[] | null,
  wanted: string,
  most: number,
): readonly FoundFile[] | null {
  const [found, setFound] = useState<readonly FoundFile[] | null>(null);
  useEffect(() => {
    if (files === null) return;
    const abort = new AbortController();
    const find = async (): Promise<void> => {
      const letters = foldText(wanted).replaceAll(/\s/gu, "");
      const matching: FoundFile[] = [];
      const isWhole = await inSlices(
        files,
        (file) => {
          const match = fuzzyMatch(letters, foldedPath(file));
          if (match !== null) matching.push({ path: file.path, match });
        },
        abort.signal,
      );
      if (!isWhole) return;
      setFound(matching.toSorted((a, b) => b.match.score - a.match.score).slice(0, most));
    };
    void find();
    return () => abort.abort();
  }, [files, wanted, most]);
  return found;
}
