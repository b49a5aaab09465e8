import { useEffect, useState } from "react";

import type { FiltersAnswer } from "../../src/server/api/contract.ts";
import { address, getJson } from "../api/request.ts";
import { typedFilter, withFilter } from "../search/typed-filter.ts";

type Filters = FiltersAnswer["filters"];

/** Milliseconds: debounces typing. */
const DEBOUNCE = 90;

/** Filters that the end of the query may become, and which of them the arrow keys chose. */
export interface Completions {
  readonly filters: Filters;
  /** -1 for none. */
  readonly chosen: number;
  /** Returns whether the key was for the list. */
  readonly onKey: (key: string) => boolean;
  readonly take: (filter: string) => void;
}

/** @param query null while nothing is searched for */
export function useCompletions(query: string | null, write: (query: string) => void): Completions {
  const [answer, setAnswer] = useState<{ query: string; filters: Filters } | null>(null);
  const [chosen, setChosen] = useState(-1);
  useEffect(() => {
    setChosen(-1);
    const typed = query === null ? null : typedFilter(query);
    if (query === null || typed === null) {
      setAnswer(null);
      return;
    }
    const abort = new AbortController();
    const complete = async (): Promise<void> => {
      try {
        const where = address("/api/filters", { typed });
        const { filters } = await getJson<FiltersAnswer>(where, abort.signal);
        if (!abort.signal.aborted) setAnswer({ query, filters });
      } catch {
        // The search below says what is wrong; without completions one types on.
        if (!abort.signal.aborted) setAnswer(null);
      }
    };
    const timer = window.setTimeout(() => void complete(), DEBOUNCE);
    return () => {
      window.clearTimeout(timer);
      abort.abort();
    };
  }, [query]);
  const filters = answer !== null && answer.query === query ? answer.filters : [];
  const take = (filter: string): void => write(withFilter(query ?? "", filter));
  const onKey = (key: string): boolean => {
    if (filters.length === 0) return false;
    if (key === "Escape") setAnswer(null);
    else if (key === "ArrowDown") setChosen((chosen + 1) % filters.length);
    else if (key === "ArrowUp") setChosen(chosen <= 0 ? filters.length - 1 : chosen - 1);
    else if (key === "Enter" && chosen >= 0) take(filters[chosen]?.text ?? "");
    else return false;
    return true;
  };
  return { filters, chosen, onKey, take };
}
