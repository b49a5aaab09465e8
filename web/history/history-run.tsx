import { useId, useState, type ReactNode } from "react";

import { fileAddress } from "../app/addresses.ts";
import { Link } from "../app/link.tsx";
import { texts } from "../texts/texts.ts";
import { nameOf } from "../tree/paths.ts";
import { TimeAgo } from "../ui/time-ago.tsx";
import { shownActor } from "./actor.ts";
import { HistoryEntry, useMayUndo, useOther } from "./history-entry.tsx";
import { pathsOf, type Run } from "./runs.ts";
import { FoldButton } from "./fold-button.tsx";
import { UndoButton } from "./undo-button.tsx";

interface HistoryRunProps {
  readonly run: Run;
  readonly onUndone: () => void;
}

const MOST_NAMED = 4;

/** All that one run changed, as one row: unfolded, change by change; undone as one. */
export function HistoryRun({ run, onUndone }: HistoryRunProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const details = useId();
  const of = useOther(run.items[0].actor);
  const mayUndo = useMayUndo(run.items.flatMap(({ changes }) => changes));
  const [newest] = run.items;
  const paths = pathsOf(run);
  const named = paths.slice(0, MOST_NAMED);
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <FoldButton
          isOpen={isOpen}
          controls={details}
          label={isOpen ? texts.history.hideRun : texts.history.showRun}
          onToggle={() => setOpen(!isOpen)}
        />
        <div className="min-w-0 flex-1">
          <p className={`font-medium ${run.isUndone ? "line-through decoration-muted" : ""}`}>
            {texts.history.run(run.items.length, paths.length)}
          </p>
          <p className="flex flex-wrap gap-x-3 text-sm">
            {named.map((path) => (
              <Link key={path} to={fileAddress(path)} className="hover:text-accent hover:underline">
                {nameOf(path)}
              </Link>
            ))}
            {paths.length > named.length ? (
              <span className="text-muted">{texts.history.more(paths.length - named.length)}</span>
            ) : null}
          </p>
          <p className="mt-0.5 text-xs text-muted">
            <TimeAgo at={newest.at} /> · {texts.history.by(shownActor(newest.actor))}
          </p>
        </div>
        {run.isUndone ? (
          <span className="rounded-full bg-code px-2.5 py-0.5 text-xs text-muted">
            {texts.history.undone}
          </span>
        ) : mayUndo ? (
          <UndoButton id={run.id} of={of} onDone={onUndone} />
        ) : null}
      </div>
      <div id={details}>
        {isOpen ? (
          <ol className="ml-8 mt-1 divide-y divide-line border-l-2 border-line pl-4">
            {run.items.map((item) => (
              <HistoryEntry key={item.id} item={item} onUndone={null} />
            ))}
          </ol>
        ) : null}
      </div>
    </li>
  );
}
