import type { ReactNode } from "react";

import type { RequestProblem } from "../api/problem.ts";
import { texts } from "../texts/texts.ts";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icons.tsx";

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
}

/** Says that there is nothing here, and what to do. */
export function Empty({ icon, title, children }: EmptyProps): ReactNode {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-2 px-6 py-20 text-center">
      <span className="mb-2 grid size-12 place-items-center rounded-full bg-code text-muted">
        <Icon name={icon} className="size-5" />
      </span>
      <p className="text-lg font-semibold">{title}</p>
      <div className="text-muted">{children}</div>
    </div>
  );
}

interface FailedProps {
  readonly problem: RequestProblem;
  readonly onRetry?: () => void;
}

/** What to do, by the code of the problem. */
const HINTS: ReadonlyMap<string, string> = new Map(Object.entries(texts.problem.hints));

export function Failed({ problem, onRetry }: FailedProps): ReactNode {
  const isAway = problem.code === "unreachable";
  const hint = HINTS.get(problem.code);
  return (
    <div role="alert" className="mx-auto max-w-md px-6 py-20 text-center">
      <p className="text-lg font-semibold">
        {isAway ? texts.problem.unreachable : texts.problem.title}
      </p>
      <p className="mt-1 text-muted">{isAway ? texts.problem.unreachableText : problem.message}</p>
      {hint === undefined ? null : <p className="mt-1 text-muted">{hint}</p>}
      {onRetry === undefined ? null : (
        <Button className="mt-4" onClick={onRetry}>
          {texts.problem.retry}
        </Button>
      )}
    </div>
  );
}

/** In place of something that is not loaded: a skeleton, or why it could not be loaded. */
export function NotLoaded({
  problem,
  onRetry,
}: {
  readonly problem: RequestProblem | null;
  readonly onRetry: () => void;
}): ReactNode {
  return problem === null ? <Loading /> : <Failed problem={problem} onRetry={onRetry} />;
}

/** A loading skeleton. */
export function Loading(): ReactNode {
  return (
    <div role="status" className="animate-breathe space-y-3 py-2">
      <span className="sr-only">{texts.loading}</span>
      {["w-2/5", "w-full", "w-11/12", "w-3/4", "w-5/6"].map((width) => (
        <div key={width} className={`h-3.5 rounded bg-code ${width}`} />
      ))}
    </div>
  );
}
