import { useState } from "react";

import { problemOf, type RequestProblem } from "../../api/problem.ts";
import { useProblem } from "../../api/use-problem.ts";

interface Action {
  readonly isWorking: boolean;
  /** Why the last one failed. */
  readonly problem: RequestProblem | null;
  readonly run: (work: () => Promise<void>) => Promise<void>;
}

/** Something that a person does, one at a time. */
export function useAction(): Action {
  const [isWorking, setWorking] = useState(false);
  const [problem, setProblem] = useProblem();
  const run = async (work: () => Promise<void>): Promise<void> => {
    setWorking(true);
    try {
      await work();
      setProblem(null);
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setWorking(false);
    }
  };
  return { isWorking, problem, run };
}
