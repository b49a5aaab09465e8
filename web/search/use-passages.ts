import { useEffect, useRef, useState } from "react";

import type { SearchResult } from "../../src/server/api/contract.ts";
import { problemOf, type RequestProblem } from "../api/problem.ts";
import { postJson } from "../api/request.ts";
import { splitQuery } from "./query-filters.ts";

/** What a search found, and for which words. */
export interface Passages {
  readonly query: string;
  readonly results: readonly SearchResult[];
  readonly problem: RequestProblem | null;
}

/** Milliseconds: keys that come together are one search. */
const DEBOUNCE = 15;
const MAX_RESULTS = 20;

/**
 * Searches as the query is typed; null until the first answer. While the next is loading, the last stays. One search at a time: the next has
 * the words that were typed meanwhile, so a slow service is not flooded.
 */
export function usePassages(query: string): Passages | null {
  const [passages, setPassages] = useState<Passages | null>(null);
  const wanted = useRef(query);
  const isSearching = useRef(false);
  useEffect(() => {
    wanted.current = query;
    if (splitQuery(query).isEmpty) {
      setPassages(null);
      return;
    }
    const search = async (): Promise<void> => {
      if (isSearching.current) return;
      isSearching.current = true;
      let asked: string;
      do {
        asked = wanted.current;
        const found = await passagesOf(asked);
        if (!splitQuery(wanted.current).isEmpty) setPassages(found);
      } while (asked !== wanted.current && !splitQuery(wanted.current).isEmpty);
      isSearching.current = false;
    };
    const timer = window.setTimeout(() => void search(), DEBOUNCE);
    return () => window.clearTimeout(timer);
  }, [query]);
  return passages;
}

async function passagesOf(query: string): Promise<Passages> {
  const { search, since, until } = splitQuery(query);
  try {
    const { structured } = await postJson<{ structured: readonly SearchResult[] }>(
      "/api/tools/search?profile=search&answer=structured",
      {
        queries: search === "" ? [] : [search],
        limit: MAX_RESULTS,
        ...(since === null ? {} : { date_from: since }),
        ...(until === null ? {} : { date_to: until }),
      },
    );
    return { query, results: Array.isArray(structured) ? structured : [], problem: null };
  } catch (error) {
    return { query, results: [], problem: problemOf(error) };
  }
}
