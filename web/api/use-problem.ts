import { useEffect, useState } from "react";

import type { RequestProblem } from "./problem.ts";
import { useServices } from "./services.ts";

/** Why an action failed. That the service was away is forgotten when it is back. */
export function useProblem(): [RequestProblem | null, (problem: RequestProblem | null) => void] {
  const { live } = useServices();
  const [problem, setProblem] = useState<RequestProblem | null>(null);
  useEffect(
    () =>
      live.connection.subscribe(() => {
        if (live.connection.get() !== "live") return;
        setProblem((before) => (before?.code === "unreachable" ? null : before));
      }),
    [live],
  );
  return [problem, setProblem];
}
