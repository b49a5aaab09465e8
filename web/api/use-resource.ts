import { useEffect, useEffectEvent, useState } from "react";

import type { LiveEvent } from "./live-events.ts";
import { problemOf, type RequestProblem } from "./problem.ts";
import { useServices } from "./services.ts";

/** Data of the service. While it is loaded again, the last data is still shown. */
export interface Resource<T> {
  /** Null until the first answer. */
  readonly value: T | null;
  /** Why the last attempt failed. */
  readonly problem: RequestProblem | null;
  readonly reload: () => void;
}

interface Loaded<T> {
  readonly key: string;
  readonly value: T | null;
  readonly problem: RequestProblem | null;
}

/** Milliseconds: debounces events. */
const TOGETHER = 60;

/**
 * Loads data, and again whenever it may have changed.
 * @param key identifies the data
 * @param isStale whether an event may have changed the data
 */
export function useResource<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  isStale: (event: LiveEvent) => boolean = () => false,
): Resource<T> {
  const { live } = useServices();
  const [round, setRound] = useState(0);
  const [loaded, setLoaded] = useState<Loaded<T>>({ key, value: null, problem: null });
  const loadNow = useEffectEvent(load);
  const concerns = useEffectEvent(
    (event: LiveEvent): boolean => event.type === "resync" || isStale(event),
  );

  useEffect(() => {
    let timer: number | undefined;
    const unsubscribe = live.subscribe((event) => {
      if (timer !== undefined || !concerns(event)) return;
      timer = window.setTimeout(() => {
        timer = undefined;
        setRound((before) => before + 1);
      }, TOGETHER);
    });
    return () => {
      window.clearTimeout(timer);
      unsubscribe();
    };
  }, [live]);

  useEffect(() => {
    const abort = new AbortController();
    const run = async (): Promise<void> => {
      try {
        const value = await loadNow(abort.signal);
        if (!abort.signal.aborted) setLoaded({ key, value, problem: null });
      } catch (error) {
        if (abort.signal.aborted) return;
        const problem = problemOf(error);
        // What no longer exists is not shown; after any other failure the last data stays.
        const isGone = problem.code === "not_found";
        setLoaded((before) => ({
          key,
          value: before.key === key && !isGone ? before.value : null,
          problem,
        }));
      }
    };
    void run();
    return () => abort.abort();
  }, [key, round]);

  const isOther = loaded.key !== key;
  return {
    value: isOther ? null : loaded.value,
    problem: isOther ? null : loaded.problem,
    reload: () => setRound((before) => before + 1),
  };
}
