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

/** Milliseconds: debounces typing. */
const DEBOUNCE = 90;
const MAX_RESULTS = 20;

/** Searches as the query is typed; null until the first answer. While the next is loading, the last stays. */
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
          { queries: [query], limit: MAX_RESULTS },
          abort.signal,
        );
        const isList = Array.isArray(structured);
        setPassages({ query, results: isList ? structured : [], problem: null });
      } catch (error) {
        if (!abort.signal.aborted) setPassages({ query, results: [], problem: problemOf(error) });
      }
    };
    const timer = window.setTimeout(() => void search(), DEBOUNCE);
    return () => {
      window.clearTimeout(timer);
      abort.abort();
    };
  }, [query]);
  return passages;
}
