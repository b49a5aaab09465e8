import { useEffect, useState } from "react";

import type { SearchResult } from "../../src/server/api/contract.ts";
import { problemOf, type RequestProblem } from "../api/problem.ts";
import { postJson } from "../api/request.ts";
import { queryWords } from "./highlight-words.ts";

/** What a search found, and for which words. */
export interface Passages {
  readonly query: string;
  readonly results: readonly SearchResult[];
  readonly problem: RequestProblem | null;
}

/** Milliseconds without another key. */
const PAUSE = 90;
const MOST = 20;

/** Searches as the query is typed; null until the first answer. While another is on its way, the last stays. */
export function usePassages(query: string): Passages | null {
  const [passages, setPassages] = useState<Passages | null>(null);
  useEffect(() => {
    if (queryWords(query).length === 0) {
      setPassages(null);
      return;
    }
    const abort = new AbortController();
    const search = async (): Promise<void> => {
      try {
        const { structured } = await postJson<{ structured: readonly SearchResult[] }>(
          "/api/tools/search?profile=search",
          { queries: [query], limit: MOST },
          abort.signal,
        );
        const isList = Array.isArray(structured);
        setPassages({ query, results: isList ? structured : [], problem: null });
      } catch (error) {
        if (!abort.signal.aborted) setPassages({ query, results: [], problem: problemOf(error) });
      }
    };
    const timer = window.setTimeout(() => void search(), PAUSE);
    return () => {
      window.clearTimeout(timer);
      abort.abort();
    };
  }, [query]);
  return passages;
}
