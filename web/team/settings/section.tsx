import type { ReactNode } from "react";

import type { RequestProblem } from "../../api/problem.ts";

interface SectionProps {
  readonly title: string;
  readonly hint?: string;
  readonly children: ReactNode;
}

/** A part of the settings under its heading. */
export function Section({ title, hint, children }: SectionProps): ReactNode {
  return (
    <section aria-label={title} className="mb-10">
      <h2 className="font-semibold">{title}</h2>
      {hint === undefined ? null : <p className="mt-0.5 text-sm text-muted">{hint}</p>}
      <div className="mt-3">{children}</div>
    </section>
  );
}

/** Rows with a line between them. */
export function Rows({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-raised">{children}</ul>
  );
}

/** What the service said of an action that failed. */
export function Alert({ problem }: { readonly problem: RequestProblem | null }): ReactNode {
  if (problem === null) return null;
  return (
    <p role="alert" className="mt-2 text-sm text-danger">
      {problem.message}
    </p>
  );
}
