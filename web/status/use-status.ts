import { useEffect, useEffectEvent } from "react";

import type { Status } from "../../src/server/api/contract.ts";
import { getJson } from "../api/request.ts";
import { useResource } from "../api/use-resource.ts";

/** Milliseconds: whether the watcher lives is told by nothing that happens. */
const LOOK = 15_000;

/** How the service is; null until it is known. */
export function useStatus(): Status | null {
  const { value, reload } = useResource<Status>(
    "status",
    async (signal) => getJson("/api/status", signal),
    () => true,
  );
  const lookAgain = useEffectEvent(reload);
  useEffect(() => {
    const timer = window.setInterval(() => lookAgain(), LOOK);
    return () => window.clearInterval(timer);
  }, []);
  return value;
}
