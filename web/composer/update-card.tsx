import { lazy, Suspense, useState, type ReactNode } from "react";

import type { UpdateView } from "../../src/server/api/agent-contract.ts";
import { useAccess } from "../api/access.ts";
import { problemOf } from "../api/problem.ts";
import { useServices } from "../api/services.ts";
import { useProblem } from "../api/use-problem.ts";
import { Link } from "../app/link.tsx";
import { fileAddress, inboxAddress } from "../app/addresses.ts";
import { UndoButton } from "../history/undo-button.tsx";
import { StepLine } from "../steps/step-line.tsx";
import { useSteps } from "../steps/use-steps.ts";
import { Said } from "../texts/said.tsx";
import { texts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icons.tsx";
import { isElsewhere, isUnderWay } from "./updates-model.ts";

/** Loaded with the first preview. */
const PreviewChanges = lazy(async () => ({
  default: (await import("./preview-changes.tsx")).PreviewChanges,
}));

/** One update: how far it is; then what was done, which files it touched, and Undo. */
export function UpdateCard({ update }: { readonly update: UpdateView }): ReactNode {
  const { updates } = useServices();
  const { mayAdd } = useAccess();
  const [isUndone, setUndone] = useState(false);
  const [problem, setProblem] = useProblem();
  const { id, status, content, images, report, error, from } = update;
  const isWorking = isUnderWay(update);
  const step = useSteps(id, isWorking).at(-1);
  const attempt = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
      setProblem(null);
    } catch (failure) {
      setProblem(problemOf(failure));
    }
  };
  return (
    <article className="rounded-xl border border-line bg-raised px-4 py-3 text-sm">
      <div className="flex items-center gap-2">
        <span className={`size-2 shrink-0 rounded-full ${COLOURS[status]}`} />
        <span className="font-semibold">
          {isUndone ? texts.update.undone : texts.update[status]}
        </span>
        <span className="min-w-0 flex-1 truncate text-muted">
          {content === "" ? texts.update.images(images) : content}
        </span>
        {isElsewhere(update) ? (
          <span className="max-w-40 truncate text-xs text-muted">{texts.history.by(from)}</span>
        ) : null}
        {isWorking && mayAdd ? (
          <Button look="plain" onClick={() => void attempt(updates.cancel(id))}>
            {texts.update.cancel}
          </Button>
        ) : (
          <button
            type="button"
            aria-label={texts.update.dismiss}
            className="grid size-7 place-items-center rounded-md text-muted hover:bg-code hover:text-ink"
            onClick={() => updates.dismiss(id)}
          >
            <Icon name="close" className="size-3.5" />
          </button>
        )}
      </div>
      {isWorking && step !== undefined ? (
        <ul className="mt-1 text-muted">
          <StepLine step={step} />
        </ul>
      ) : null}
      {status === "preview" ? (
        <Suspense>
          <PreviewChanges
            update={update}
            onDecide={(answer) => void attempt(updates.decide(id, answer))}
          />
        </Suspense>
      ) : report === null || isUndone ? null : (
        <div className="mt-1.5 pl-4">
          <p className="whitespace-pre-wrap">{report.text}</p>
          <ul className="mt-1.5 flex flex-wrap gap-x-4 gap-y-0.5 text-xs">
            {report.touched.map(({ path, change }) => (
              <li key={path} className="[overflow-wrap:anywhere]">
                <span className="text-muted">{changeText(change)}</span>{" "}
                {change === "deleted" ? (
                  path
                ) : (
                  <Link to={fileAddress(path)} className="font-medium text-accent hover:underline">
                    {path}
                  </Link>
                )}
              </li>
            ))}
          </ul>
          <div className="mt-2 flex flex-wrap justify-end gap-2">
            {report.inbox === null ? null : (
              <Link
                to={inboxAddress(report.inbox)}
                className="inline-flex min-h-8 items-center gap-1.5 rounded-md border border-line px-2.5 font-medium hover:border-strong-line"
              >
                <Icon name="inbox" />
                {texts.update.openInbox}
              </Link>
            )}
            {report.batch === null || !mayAdd ? null : (
              <UndoButton id={report.batch} onDone={() => setUndone(true)} />
            )}
          </div>
        </div>
      )}
      {error === null && problem === null ? null : (
        <p role="alert" className="mt-1.5 pl-4 text-danger">
          {problem?.message ?? <Said code="unavailable" text={error ?? ""} />}
        </p>
      )}
      {mayAdd && (status === "failed" || status === "cancelled") ? (
        <div className="mt-2 flex justify-end">
          <Button onClick={() => void attempt(updates.retry(id))}>{texts.update.retry}</Button>
        </div>
      ) : null}
    </article>
  );
}

const CHANGES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    created: texts.history.created,
    changed: texts.history.changed,
    deleted: texts.history.deleted,
  }),
);

/** What the service says of a file, in the language of the page. */
function changeText(change: string): string {
  return CHANGES.get(change) ?? change.replace(/^moved from /u, `${texts.history.moved} ← `);
}

const COLOURS: Readonly<Record<UpdateView["status"], string>> = {
  waiting: "bg-accent animate-breathe",
  running: "bg-accent animate-breathe",
  done: "bg-accent",
  parked: "bg-warn",
  preview: "bg-warn",
  failed: "bg-danger",
  cancelled: "bg-strong-line",
};
